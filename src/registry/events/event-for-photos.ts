/** An event as photos see it: whether it is shown, how its bibs are read, and how long faces are kept. */

import type { RegistryDatabase } from "../database.ts";
import type { EventForPhotos } from "../events.ts";
import { dayBounds } from "./day-bounds.ts";

const DAY_MS = 86_400_000;

export async function eventForPhotos(db: RegistryDatabase, eventId: string): Promise<EventForPhotos | undefined> {
  const row = await db
    .selectFrom("events")
    .innerJoin("organizers", "organizers.organizer_id", "events.organizer_id")
    .selectAll("events")
    .select("active")
    .where("event_id", "=", eventId)
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    eventId,
    orgId: row.organizer_id,
    name: row.name,
    published: row.published && row.active,
    bibPattern: row.bib_pattern,
    watermarkZones: row.watermark_zones,
    faceIndexing: row.face_indexing,
    facesUntil: dayBounds(row.event_date, row.time_zone).endsAt + row.retention_days * DAY_MS,
  };
}

/** All of its runners' numbers. */
export async function rosterOf(db: RegistryDatabase, eventId: string): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom("event_runners").select("bib_number").where("event_id", "=", eventId).execute();
  return new Set(rows.map(({ bib_number }) => bib_number));
}
