/** The bibs of one person in all published events, latest day first. */

import { sql } from "kysely";
import { z } from "zod";
import { encodeCursor, invalidCursor } from "../../platform/cursor.ts";
import { cutPage, type PageRequest, readCursor } from "../../platform/http/paging.ts";
import { Bib, EventId } from "../../platform/ids.ts";
import type { Page } from "../../platform/ports.ts";
import { Day } from "../events/event.ts";
import type { Registry } from "../registry.ts";

export const MyBib = z
  .object({
    eventId: EventId,
    eventName: z.string(),
    date: z.string(),
    bib: Bib,
    name: z.string().nullable(),
    finishTime: z.string().nullable().meta({ example: "03:25:10" }),
  })
  .meta({ id: "MyBib" });
export type MyBib = z.infer<typeof MyBib>;

export async function listMyBibs({ db }: Registry, userId: string, page: PageRequest): Promise<Page<MyBib>> {
  const rows = await db
    .selectFrom("event_runners as runner")
    .innerJoin("events as event", "event.event_id", "runner.event_id")
    .select(["event.event_id", "event.name as event_name", "event.event_date"])
    .select(["runner.bib_number", "runner.name", "runner.finish_time"])
    .where("runner.user_id", "=", userId)
    .where("event.published", "=", true)
    .where(after(page.cursor))
    .orderBy("event.event_date", "desc")
    .orderBy("event.event_id")
    .orderBy("runner.bib_number")
    .limit(page.limit + 1)
    .execute();
  return cutPage(rows, page.limit, showMyBib, (row) =>
    encodeCursor({ date: row.event_date, eventId: row.event_id, bib: row.bib_number }),
  );
}

type Row = {
  event_id: string;
  event_name: string;
  event_date: string;
  bib_number: string;
  name: string | null;
  finish_time: string | null;
};

function showMyBib(row: Row): MyBib {
  return {
    eventId: row.event_id,
    eventName: row.event_name,
    date: row.event_date,
    bib: row.bib_number,
    name: row.name,
    finishTime: row.finish_time,
  };
}

function after(cursor: string | undefined) {
  if (cursor === undefined) return sql<boolean>`true`;
  const { date, eventId, bib } = readCursor(cursor, ["date", "eventId", "bib"]);
  if (!Day.safeParse(date).success) throw invalidCursor();
  return sql<boolean>`(event.event_date < ${date}::date
    or (event.event_date = ${date}::date and (event.event_id, runner.bib_number) > (${eventId}, ${bib})))`;
}
