/** Which bib an accepted entrant gets: the number of their place, or the next spare one if somebody wears that already. */

import { sql, type Transaction } from "kysely";
import type { RegistrySchema } from "../schema.ts";

/** How an event numbers its entrants; what the settings say, or their defaults if they were taken away meanwhile. */
export type Numbering = { bibStart: number; bibFormat: string; capacityTotal: number };
export const DEFAULT_NUMBERING: Numbering = { bibStart: 1, bibFormat: "0000", capacityTotal: 0 };

const FIRST_LOOK = 50;

/** A format is an optional letter and a zero for each digit; a number with more digits than that keeps them all. */
export function bibOf(number: number, format: string): string {
  const letter = format.replace(/0+$/, "");
  return `${letter}${String(number).padStart(format.length - letter.length, "0")}`;
}

/**
 * Above all places there are, and all bibs that entrants ever had: so nobody's own number is taken from them, and a bib
 * that was given back goes to nobody else.
 */
export async function spareNumbers(
  transaction: Transaction<RegistrySchema>,
  eventId: string,
  { bibStart, bibFormat, capacityTotal }: Numbering,
  { count, above }: { count: number; above: number },
): Promise<number[]> {
  const { rows } = await sql<{ highest: number | null }>`
    select max(substring(bib_number from '[0-9]+$')::bigint) as highest
    from entry_places where event_id = ${eventId}`.execute(transaction);
  let next = Math.max(above, bibStart - 1 + capacityTotal, rows[0]?.highest ?? 0) + 1;
  const spare: number[] = [];
  for (let span = Math.max(count, FIRST_LOOK); spare.length < count; next += span, span *= 2) {
    const numbers = Array.from({ length: span }, (_, n) => next + n);
    const taken = await bibsAmong(
      transaction,
      eventId,
      numbers.map((number) => bibOf(number, bibFormat)),
    );
    spare.push(...numbers.filter((number) => !taken.has(bibOf(number, bibFormat))));
  }
  return spare.slice(0, count);
}

async function bibsAmong(
  transaction: Transaction<RegistrySchema>,
  eventId: string,
  bibs: string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ bib_number: string }>`
    select bib_number from event_runners
    where event_id = ${eventId} and bib_number = any(${bibs}::text[])`.execute(transaction);
  return new Set(rows.map((row) => row.bib_number));
}
