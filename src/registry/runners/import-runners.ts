/** Imports a runners' file: all of it or nothing; who is there already gets the file's values. */

import { setImmediate as nextTurn } from "node:timers/promises";
import { type RawBuilder, sql, type Transaction } from "kysely";
import { z } from "zod";
import { Problem } from "../../platform/problem.ts";
import { noEvent } from "../events/remove.ts";
import type { Registry } from "../registry.ts";
import type { RegistrySchema } from "../schema.ts";
import type { Runner } from "./runner.ts";
import { type RunnerFile, type RunnerRow, readRunnerCsv } from "./runner-csv.ts";
import { jsonOrNull } from "./runners.ts";

/** Few enough for a statement to stay small, many enough for its overhead not to matter. */
const BATCH_ROWS = 5000;
const TESTED_AT_ONCE = 500;

export const ImportReport = z
  .object({
    rows: z.int(),
    added: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    outsidePattern: z.int().meta({ description: "How many bibs the event's bib pattern will never find in a photo." }),
    dryRun: z.boolean(),
  })
  .meta({ id: "ImportReport" });
export type ImportReport = z.infer<typeof ImportReport>;

type ImportedField = Exclude<keyof Runner, "bib">;

const COLUMNS: { [F in ImportedField]: { column: string; type: string } } = {
  name: { column: "name", type: "text" },
  finishTime: { column: "finish_time", type: "text" },
  gender: { column: "gender", type: "text" },
  age: { column: "age", type: "integer" },
  team: { column: "team", type: "text" },
  timingResult: { column: "timing_result", type: "jsonb" },
  userId: { column: "user_id", type: "text" },
};

export async function importRunners(
  { db }: Registry,
  eventId: string,
  bytes: AsyncIterable<Uint8Array>,
  options: { dryRun: boolean },
): Promise<ImportReport> {
  // The file is read before the transaction begins, so that a slow sender holds nobody up.
  const file = await readRunnerCsv(bytes);
  if (file.errorCount > 0) throw badRows(file);
  const transaction = await db.startTransaction().execute();
  try {
    // One import of an event after another: two that meet the same runners in another order would lock each other out.
    const event = await transaction
      .selectFrom("events")
      .select("bib_pattern")
      .where("event_id", "=", eventId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!event) throw noEvent(eventId);
    const counts = await upsert(transaction, eventId, file);
    const outsidePattern = await countOutside(file.rows, event.bib_pattern);
    if (options.dryRun) await transaction.rollback().execute();
    else await transaction.commit().execute();
    return { ...counts, outsidePattern, dryRun: options.dryRun };
  } catch (error) {
    if (!transaction.isRolledBack) await transaction.rollback().execute();
    throw error;
  }
}

async function upsert(transaction: Transaction<RegistrySchema>, eventId: string, { rows, columns }: RunnerFile) {
  const fields = columns.filter((field): field is ImportedField => field !== "bib");
  let added = 0;
  let updated = 0;
  for (let start = 0; start < rows.length; start += BATCH_ROWS) {
    const statement = upsertStatement(eventId, rows.slice(start, start + BATCH_ROWS), fields);
    const result = await statement.execute(transaction);
    for (const row of result.rows) row.added ? added++ : updated++;
  }
  return { rows: rows.length, added, updated, unchanged: rows.length - added - updated };
}

/** Rows that say what is known already are not written, and come back neither as added nor as updated. */
function upsertStatement(eventId: string, rows: RunnerRow[], fields: ImportedField[]): RawBuilder<{ added: boolean }> {
  const columns = fields.map((field) => COLUMNS[field].column);
  const names = columns.map((column) => sql.ref(column));
  const arrays = fields.map((field) => arrayOf(rows, field));
  const excluded = columns.map((column) => sql.ref(`excluded.${column}`));
  const current = columns.map((column) => sql.ref(`event_runners.${column}`));
  const assignments = columns.map((_, index) => sql`${names[index]} = ${excluded[index]}`);
  const onConflict =
    fields.length === 0
      ? sql`do nothing`
      : sql`do update set ${sql.join([...assignments, sql`updated_at = now()`])}
            where (${sql.join(current)}) is distinct from (${sql.join(excluded)})`;
  const bibs = rows.map((row) => row.bib);
  return sql<{ added: boolean }>`
    insert into event_runners (${sql.join([sql.ref("event_id"), sql.ref("bib_number"), sql.ref("source"), ...names])})
    select ${eventId}, file.bib, 'IMPORT' ${sql.join(
      names.map((name) => sql`, file.${name}`),
      sql``,
    )}
    from unnest(${sql.join([sql`${bibs}::text[]`, ...arrays])}) as file (${sql.join([sql.ref("bib"), ...names])})
    on conflict (event_id, bib_number) ${onConflict}
    returning xmax = 0 as added`;
}

function arrayOf(rows: RunnerRow[], field: ImportedField): RawBuilder<unknown> {
  const values = rows.map((row) => (field === "timingResult" ? jsonOrNull(row.timingResult) : (row[field] ?? null)));
  return sql`${values}::${sql.raw(COLUMNS[field].type)}[]`;
}

async function countOutside(rows: RunnerRow[], bibPattern: string): Promise<number> {
  const pattern = new RegExp(`^(?:${bibPattern})$`, "u");
  let outside = 0;
  for (const [position, { bib }] of rows.entries()) {
    if (!pattern.test(bib)) outside++;
    // Other requests get their turn in between.
    if (position % TESTED_AT_ONCE === 0) await nextTurn();
  }
  return outside;
}

function badRows({ errors, errorCount, rows }: RunnerFile): Problem {
  const [first] = errors;
  const total = rows.length + errorCount;
  const sentence = `${errorCount} of ${total} rows can't be imported, so that nothing was. Line ${first?.line}: ${first?.reason}`;
  return new Problem("invalid", "runners.bad-rows", sentence, { details: { errorCount, errors } });
}
