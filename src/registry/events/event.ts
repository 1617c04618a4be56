/** An event as the API takes and shows it: to its organizers whole, to everybody what a page needs. */

import type { Selectable } from "kysely";
import { z } from "zod";
import { EventId, OrganizationId } from "../../platform/ids.ts";
import type { RegistrySchema } from "../schema.ts";
import {
  Branding,
  DisplayMode,
  EntrySettings,
  line,
  PhotoSettings,
  PhotoSettingsChange,
  TimeZone,
} from "../settings.ts";

export const Day = z.iso.date("Give a day as YYYY-MM-DD.").meta({ example: "2027-04-18" });

const fields = {
  name: line(200).meta({ example: "Han River 10K" }),
  date: Day.meta({ description: "The day of the race, in its time zone." }),
  location: line(200).meta({ example: "Yeouido Park, Seoul" }),
  timeZone: TimeZone,
  displayMode: DisplayMode,
  published: z.boolean().meta({ description: "Whether the pages show it." }),
};

export const NewEvent = z.strictObject({
  eventId: EventId.optional().meta({ description: "Made from the name if you give none." }),
  ...fields,
  location: fields.location.default("To be announced"),
  displayMode: fields.displayMode.default("RESULTS_AND_PHOTOS"),
  published: fields.published.default(true),
  photos: PhotoSettings.prefault({}),
  entry: EntrySettings.nullable().default(null),
});
export type NewEvent = z.infer<typeof NewEvent>;

export const EventChange = z
  .strictObject({ ...fields, photos: PhotoSettingsChange, entry: EntrySettings.nullable() })
  .partial();
export type EventChange = z.infer<typeof EventChange>;

export const Event = z
  .object({
    eventId: EventId,
    orgId: OrganizationId,
    ...fields,
    photos: PhotoSettings,
    entry: EntrySettings.nullable(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: "Event" });
export type Event = z.infer<typeof Event>;

export const PublicEvent = z
  .object({
    eventId: EventId,
    name: fields.name,
    date: Day,
    location: fields.location,
    timeZone: TimeZone,
    displayMode: DisplayMode,
    entry: EntrySettings.nullable(),
    organization: z.object({ orgId: OrganizationId, name: z.string(), subdomain: z.string(), branding: Branding }),
  })
  .meta({ id: "PublicEvent" });
export type PublicEvent = z.infer<typeof PublicEvent>;

type Row = Selectable<RegistrySchema["events"]>;

export function showEvent(row: Row): Event {
  return {
    eventId: row.event_id,
    orgId: row.organizer_id,
    name: row.name,
    date: row.event_date,
    location: row.location,
    timeZone: row.time_zone,
    displayMode: row.display_mode,
    published: row.published,
    photos: {
      bibPattern: row.bib_pattern,
      watermarkZones: row.watermark_zones,
      faceIndexing: row.face_indexing,
      retentionDays: row.retention_days,
    },
    entry: row.entry_settings,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

type RowWithOrganization = Row & { organizer_name: string; subdomain: string; branding: Branding };

export function showPublicEvent(row: RowWithOrganization): PublicEvent {
  return {
    eventId: row.event_id,
    name: row.name,
    date: row.event_date,
    location: row.location,
    timeZone: row.time_zone,
    displayMode: row.display_mode,
    entry: row.entry_settings,
    organization: {
      orgId: row.organizer_id,
      name: row.organizer_name,
      subdomain: row.subdomain,
      branding: row.branding,
    },
  };
}
