/** An event's runners one by one: listing in bib order, adding, changing, removing. */

import { type Selectable, sql } from "kysely";
import { z } from "zod";
import { encodeCursor } from "../../platform/cursor.ts";
import { cutPage, type PageRequest, readCursor } from "../../platform/http/paging.ts";
import { Bib } from "../../platform/ids.ts";
import type { Page } from "../../platform/ports.ts";
import { Problem } from "../../platform/problem.ts";
import { noEvent } from "../events/remove.ts";
import type { Registry } from "../registry.ts";
import type { RegistrySchema } from "../schema.ts";
import { refuseDuplicate, refuseOrphan } from "../violations.ts";
import { withoutUndefined } from "../without-undefined.ts";
import { type Runner, RunnerFields } from "./runner.ts";

const text = z.string().nullable();
export const ListedRunner = z
  .object({
    bib: Bib,
    name: text,
    finishTime: text.meta({ example: "03:25:10" }),
    gender: text,
    age: z.int().nullable(),
    team: text,
    timingResult: z.unknown().meta({ description: "Whatever the timing company gave, as JSON." }),
    userId: text,
    source: z.enum(["IMPORT", "ENTRY", "MANUAL"]).meta({ description: "Where the runner came from." }),
    updatedAt: z.string(),
  })
  .meta({ id: "Runner" });
export type ListedRunner = z.infer<typeof ListedRunner>;

export const NewRunner = RunnerFields.partial().required({ bib: true });
export const RunnerChange = RunnerFields.omit({ bib: true }).partial();

type Row = Selectable<RegistrySchema["event_runners"]>;

export async function listRunners({ db }: Registry, eventId: string, page: PageRequest): Promise<Page<ListedRunner>> {
  let query = db
    .selectFrom("event_runners")
    .selectAll()
    .where("event_id", "=", eventId)
    .orderBy("bib_order")
    .orderBy("bib_number")
    .limit(page.limit + 1);
  if (page.cursor) {
    const { order, bib } = readCursor(page.cursor, ["order", "bib"]);
    query = query.where(sql<boolean>`(bib_order, bib_number) > (${order}, ${bib})`);
  }
  const cursorOf = (row: Row) => encodeCursor({ order: row.bib_order, bib: row.bib_number });
  return cutPage(await query.execute(), page.limit, showRunner, cursorOf);
}

/** All of them in bib order, read page by page. */
export async function* readAllRunners(registry: Registry, eventId: string): AsyncGenerator<Runner> {
  let cursor: string | undefined;
  do {
    const page: Page<ListedRunner> = await listRunners(registry, eventId, { limit: 2000, cursor });
    yield* page.items;
    cursor = page.cursor;
  } while (cursor !== undefined);
}

export async function addRunner(
  { db }: Registry,
  eventId: string,
  input: z.infer<typeof NewRunner>,
): Promise<ListedRunner> {
  const row = await db
    .insertInto("event_runners")
    .values({ event_id: eventId, bib_number: input.bib, source: "MANUAL", ...columnsOf(input) })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(refuseOrphan(noEvent(eventId)))
    .catch(
      refuseDuplicate({
        event_runners_key: [
          "runner.duplicate-bib",
          `Bib ${input.bib} belongs to another runner of this event. Choose another, or change that runner.`,
        ],
      }),
    );
  return showRunner(row);
}

export async function readRunner({ db }: Registry, eventId: string, bib: string): Promise<ListedRunner> {
  const row = await db
    .selectFrom("event_runners")
    .selectAll()
    .where("event_id", "=", eventId)
    .where("bib_number", "=", bib)
    .executeTakeFirst();
  if (!row) throw noRunner(bib);
  return showRunner(row);
}

export async function changeRunner(
  { db, clock }: Registry,
  { eventId, bib }: { eventId: string; bib: string },
  change: z.infer<typeof RunnerChange>,
): Promise<ListedRunner> {
  const row = await db
    .updateTable("event_runners")
    .set({ ...columnsOf(change), updated_at: new Date(clock.now()) })
    .where("event_id", "=", eventId)
    .where("bib_number", "=", bib)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw noRunner(bib);
  return showRunner(row);
}

export async function removeRunner({ db }: Registry, eventId: string, bib: string): Promise<void> {
  const removed = await db
    .deleteFrom("event_runners")
    .where("event_id", "=", eventId)
    .where("bib_number", "=", bib)
    .executeTakeFirst();
  if (removed.numDeletedRows === 0n) throw noRunner(bib);
}

function columnsOf(fields: z.infer<typeof RunnerChange>) {
  const { timingResult } = fields;
  return withoutUndefined({
    name: fields.name,
    finish_time: fields.finishTime,
    gender: fields.gender,
    age: fields.age,
    team: fields.team,
    timing_result: timingResult === undefined ? undefined : jsonOrNull(timingResult),
    user_id: fields.userId,
  });
}

/** No result is no value at all, rather than JSON's null. */
export function jsonOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

function noRunner(bib: string): Problem {
  return new Problem("missing", "runner.not-found", `The event has no runner with bib ${bib}.`);
}

function showRunner(row: Row): ListedRunner {
  return {
    bib: row.bib_number,
    name: row.name,
    finishTime: row.finish_time,
    gender: row.gender,
    age: row.age,
    team: row.team,
    timingResult: row.timing_result,
    userId: row.user_id,
    source: row.source,
    updatedAt: row.updated_at.toISOString(),
  };
}
