/** An event as entry sees it: who holds it, whether it is shown, when its day is, how its places are given. */

import type { RegistryDatabase } from "../database.ts";
import type { EventForEntry } from "../events.ts";
import { dayBounds } from "./day-bounds.ts";

export async function eventForEntry(db: RegistryDatabase, eventId: string): Promise<EventForEntry | undefined> {
  const row = await db
    .selectFrom("events")
    .innerJoin("organizers", "organizers.organizer_id", "events.organizer_id")
    .select(["events.organizer_id", "event_date", "time_zone", "published", "active", "entry_settings", "revision"])
    .where("event_id", "=", eventId)
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    eventId,
    orgId: row.organizer_id,
    published: row.published && row.active,
    ...dayBounds(row.event_date, row.time_zone),
    entry: row.entry_settings,
    revision: row.revision,
  };
}
