/**
 * Headers that every answer carries. Who makes an answer may take them and put them in at once, which costs next to
 * nothing; what is not taken is added to the finished answer, whose headers must then be taken apart first.
 */

import type { Context } from "hono";

export type CarriedHeaders = { [name: string]: string };

const NAME = "carriedHeaders";

export function carry(c: Context, headers: CarriedHeaders): void {
  c.set(NAME, headers);
}

export function takeCarried(c: Context): CarriedHeaders | undefined {
  const headers: CarriedHeaders | undefined = c.get(NAME);
  c.set(NAME, undefined);
  return headers;
}

/** Adds what nobody took, but for what the answer says itself. */
export function addCarried(c: Context): void {
  const carried = takeCarried(c);
  // Not by c.header(), which would make the finished answer anew.
  for (const name in carried) if (!c.res.headers.has(name)) c.res.headers.set(name, carried[name] as string);
}
