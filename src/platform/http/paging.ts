/** How every list is asked for and answered: a limit, and a cursor that leads to the next page. */

import { z } from "zod";
import { decodeCursor, invalidCursor } from "../cursor.ts";
import type { Page } from "../ports.ts";

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

export const PageQuery = z.strictObject({
  limit: z.coerce
    .number("Give a whole number.")
    .int("Give a whole number.")
    .min(1, "A page has at least one entry.")
    .max(MAX_LIMIT, `A page has at most ${MAX_LIMIT} entries.`)
    .default(DEFAULT_LIMIT)
    .meta({ description: "How many entries a page has at most.", type: "integer" }),
  cursor: z
    .string()
    .max(2000)
    .optional()
    .meta({ description: "The cursor of the page before; without it, the first." }),
});

export type PageRequest = { limit: number; cursor?: string | undefined };

export function pageOf<T extends z.ZodType>(entry: T) {
  return z.object({
    items: z.array(entry),
    cursor: z.string().optional().meta({ description: "Leads to the next page; absent on the last." }),
  });
}

/** For cursors whose parts go into a query: a U+0000, which no list gave out, PostgreSQL would not even compare. */
export function readCursor<Name extends string>(cursor: string, names: readonly Name[]): Record<Name, string> {
  const position = decodeCursor(cursor, names);
  if (Object.values<string>(position).some((value) => value.includes("\u0000"))) throw invalidCursor();
  return position;
}

/** Cuts what was read with one more than the limit into a page; the extra row only tells that there is more. */
export function cutPage<Row, T>(
  rows: Row[],
  limit: number,
  show: (row: Row) => T,
  cursorOf: (row: Row) => string,
): Page<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(show),
    ...(rows.length > limit && last !== undefined && { cursor: cursorOf(last) }),
  };
}
