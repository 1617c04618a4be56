/** Events: making, showing, listing and changing them; entry hears of what concerns it. */

import { isDeepStrictEqual } from "node:util";
import { type Selectable, sql } from "kysely";
import { encodeCursor, invalidCursor } from "../../platform/cursor.ts";
import { cutPage, type PageRequest, readCursor } from "../../platform/http/paging.ts";
import type { Page } from "../../platform/ports.ts";
import { Problem } from "../../platform/problem.ts";
import { newId } from "../new-id.ts";
import { noOrganization } from "../organizations/organizations.ts";
import type { Registry } from "../registry.ts";
import type { RegistrySchema } from "../schema.ts";
import { refuseDuplicate, refuseOrphan } from "../violations.ts";
import { withoutUndefined } from "../without-undefined.ts";
import { announceEventsChanged } from "./changed.ts";
import {
  Day,
  type Event,
  type EventChange,
  type NewEvent,
  type PublicEvent,
  showEvent,
  showPublicEvent,
} from "./event.ts";
import { noEvent } from "./remove.ts";

type Row = Selectable<RegistrySchema["events"]>;

export async function createEvent(registry: Registry, orgId: string, input: NewEvent): Promise<Event> {
  const { db, clock } = registry;
  checkNotPast(input.date, input.timeZone, clock.now());
  const eventId = input.eventId ?? newId("event", input.name);
  const making = db.transaction().execute(async (transaction) => {
    const row = await transaction
      .insertInto("events")
      .values(rowOf(eventId, orgId, input))
      .returningAll()
      .executeTakeFirstOrThrow();
    if (input.entry) await announceEventsChanged(transaction, [eventId], clock);
    return row;
  });
  const row = await making
    .catch(refuseOrphan(noOrganization(orgId)))
    .catch(
      refuseDuplicate({ events_pkey: ["event.exists", `There is an event ${eventId} already. Choose another id.`] }),
    );
  registry.carrySoon();
  return showEvent(row);
}

function rowOf(eventId: string, orgId: string, input: NewEvent) {
  return {
    event_id: eventId,
    organizer_id: orgId,
    name: input.name,
    event_date: input.date,
    location: input.location,
    time_zone: input.timeZone,
    display_mode: input.displayMode,
    published: input.published,
    bib_pattern: input.photos.bibPattern,
    watermark_zones: JSON.stringify(input.photos.watermarkZones),
    face_indexing: input.photos.faceIndexing,
    retention_days: input.photos.retentionDays,
    entry_settings: input.entry && JSON.stringify(input.entry),
  };
}

export async function changeEvent(registry: Registry, eventId: string, change: EventChange): Promise<Event> {
  const { db, clock } = registry;
  const row = await db.transaction().execute(async (transaction) => {
    const before = await transaction
      .selectFrom("events")
      .selectAll()
      .where("event_id", "=", eventId)
      .forUpdate()
      .executeTakeFirst();
    if (!before) throw noEvent(eventId);
    // A race that has been run can still be edited, just not moved to another day of the past.
    if (change.date !== undefined && change.date !== before.event_date) {
      checkNotPast(change.date, change.timeZone ?? before.time_zone, clock.now());
    }
    const after = await transaction
      .updateTable("events")
      .set({ ...columnsOf(change), updated_at: new Date(clock.now()) })
      .where("event_id", "=", eventId)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (!isDeepStrictEqual(before.entry_settings, after.entry_settings)) {
      await registry.checkEntryChange({ eventId, before: before.entry_settings, after: after.entry_settings });
    }
    if (concernsEntry(before, after)) await announceEventsChanged(transaction, [eventId], clock);
    return after;
  });
  registry.carrySoon();
  return showEvent(row);
}

function concernsEntry(before: Row, after: Row): boolean {
  const facts = (row: Row) => [row.entry_settings, row.event_date, row.time_zone, row.published];
  return !isDeepStrictEqual(facts(before), facts(after));
}

function columnsOf({ photos = {}, entry, ...change }: EventChange) {
  return withoutUndefined({
    name: change.name,
    event_date: change.date,
    location: change.location,
    time_zone: change.timeZone,
    display_mode: change.displayMode,
    published: change.published,
    bib_pattern: photos.bibPattern,
    watermark_zones: photos.watermarkZones && JSON.stringify(photos.watermarkZones),
    face_indexing: photos.faceIndexing,
    retention_days: photos.retentionDays,
    entry_settings: entry === undefined ? undefined : entry && JSON.stringify(entry),
  });
}

export async function readEvent({ db }: Registry, eventId: string): Promise<Event> {
  const row = await db.selectFrom("events").selectAll().where("event_id", "=", eventId).executeTakeFirst();
  if (!row) throw noEvent(eventId);
  return showEvent(row);
}

/** Latest day first. */
export async function listEvents({ db }: Registry, orgId: string, page: PageRequest): Promise<Page<Event>> {
  const rows = await db
    .selectFrom("events")
    .selectAll()
    .where("organizer_id", "=", orgId)
    .where(after(page.cursor))
    .orderBy("event_date", "desc")
    .orderBy("event_id")
    .limit(page.limit + 1)
    .execute();
  return cutPage(rows, page.limit, showEvent, cursorOf);
}

const publicEvents = (db: Registry["db"]) =>
  db
    .selectFrom("events")
    .innerJoin("organizers", "organizers.organizer_id", "events.organizer_id")
    .selectAll("events")
    .select(["organizers.name as organizer_name", "organizers.subdomain", "organizers.branding"])
    .where("events.published", "=", true)
    .where("organizers.active", "=", true);

export async function readPublicEvent({ db }: Registry, eventId: string): Promise<PublicEvent> {
  const row = await publicEvents(db).where("events.event_id", "=", eventId).executeTakeFirst();
  if (!row) throw noEvent(eventId);
  return showPublicEvent(row);
}

/** Latest day first; of one organization, if it is named by its id or its subdomain. */
export async function listPublicEvents(
  { db }: Registry,
  {
    organization,
    subdomain,
    ...page
  }: PageRequest & { organization?: string | undefined; subdomain?: string | undefined },
): Promise<Page<PublicEvent>> {
  let query = publicEvents(db)
    .where(after(page.cursor))
    .orderBy("events.event_date", "desc")
    .orderBy("events.event_id")
    .limit(page.limit + 1);
  if (organization !== undefined) query = query.where("organizers.organizer_id", "=", organization);
  if (subdomain !== undefined) query = query.where("organizers.subdomain", "=", subdomain);
  return cutPage(await query.execute(), page.limit, showPublicEvent, cursorOf);
}

function cursorOf(row: { event_date: string; event_id: string }): string {
  return encodeCursor({ date: row.event_date, eventId: row.event_id });
}

function after(cursor: string | undefined) {
  if (cursor === undefined) return sql<boolean>`true`;
  const { date, eventId } = readCursor(cursor, ["date", "eventId"]);
  if (!Day.safeParse(date).success) throw invalidCursor();
  return sql<boolean>`(events.event_date < ${date}::date or (events.event_date = ${date}::date and events.event_id > ${eventId}))`;
}

/** Today is what the calendar says where the race is. */
function checkNotPast(date: string, timeZone: string, now: number): void {
  const today = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(now);
  if (date >= today) return;
  throw new Problem(
    "invalid",
    "event.in-past",
    `The event's date ${date} has passed; in ${timeZone} it is ${today}. Give today or a later day.`,
  );
}
