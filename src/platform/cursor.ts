/** Cursors: the last key read, opaque to clients and checked when it comes back. */

import { Problem } from "./problem.ts";

export function encodeCursor(position: { [name: string]: string }): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

/** Gives the position only if it has just these names; `fixed` are the values it must have, as the partition it belongs to. */
export function decodeCursor<Name extends string>(
  cursor: string,
  names: readonly Name[],
  fixed: { [name: string]: string } = {},
): Record<Name, string> {
  let position: unknown;
  try {
    position = JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    throw invalidCursor();
  }
  if (!isPosition(position, names)) throw invalidCursor();
  for (const [name, value] of Object.entries(fixed)) {
    if ((position as { [name: string]: string })[name] !== value) throw invalidCursor();
  }
  return position;
}

function isPosition<Name extends string>(value: unknown, names: readonly Name[]): value is Record<Name, string> {
  if (typeof value !== "object" || value === null || Object.keys(value).length !== names.length) return false;
  return names.every((name) => typeof (value as { [name: string]: unknown })[name] === "string");
}

export function invalidCursor(): Problem {
  return new Problem("invalid", "cursor.invalid", "The cursor is not one this list gave out. Start again without it.");
}
