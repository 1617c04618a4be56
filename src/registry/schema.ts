/** The registry's tables as Kysely sees them; migrations/ makes them. */

import type { ColumnType, Generated, JSONColumnType } from "kysely";
import type { RegistryMessage } from "./events.ts";
import type { Branding, DisplayMode, EntrySettings, WatermarkZone } from "./settings.ts";

type Time = ColumnType<Date, Date | string, Date | string>;
type DefaultTime = ColumnType<Date, Date | string | undefined, Date | string>;
/** A day without a time zone, as YYYY-MM-DD. */
type Day = string;

export type RegistrySchema = {
  organizers: {
    organizer_id: string;
    name: string;
    subdomain: string;
    active: Generated<boolean>;
    branding: JSONColumnType<Branding, string, string>;
    created_at: DefaultTime;
    updated_at: DefaultTime;
  };
  organizer_members: { organizer_id: string; email: string; added_at: DefaultTime };
  events: {
    event_id: string;
    organizer_id: string;
    name: string;
    event_date: Day;
    location: string;
    time_zone: string;
    display_mode: DisplayMode;
    published: boolean;
    bib_pattern: string;
    watermark_zones: JSONColumnType<WatermarkZone[], string, string>;
    face_indexing: boolean;
    retention_days: number;
    entry_settings: ColumnType<EntrySettings | null, string | null, string | null>;
    revision: Generated<number>;
    created_at: DefaultTime;
    updated_at: DefaultTime;
  };
  event_runners: {
    event_id: string;
    bib_number: string;
    /** Generated: letters, then the number filled up with zeros, so that 9 comes before 10. */
    bib_order: ColumnType<string, never, never>;
    name: string | null;
    finish_time: string | null;
    gender: string | null;
    age: number | null;
    team: string | null;
    timing_result: ColumnType<unknown, string | null, string | null>;
    source: "IMPORT" | "ENTRY" | "MANUAL";
    user_id: string | null;
    created_at: DefaultTime;
    updated_at: DefaultTime;
  };
  /** What became of each place that entry gave: it makes a runner once, and a bib is nobody else's after. */
  entry_places: {
    event_id: string;
    request_id: string;
    /** Not known, as are place and bib, when the place came back before we heard that it was given. */
    user_id: string | null;
    place: number | null;
    bib_number: string | null;
    returned: Generated<boolean>;
  };
  photographers: {
    photographer_id: string;
    /** The organization that registered them and may edit them. */
    organizer_id: string;
    email: string | null;
    name: string;
    display_name: string;
    instagram_handle: string | null;
    website_url: string | null;
    bio: string | null;
    active: Generated<boolean>;
    created_at: DefaultTime;
    updated_at: DefaultTime;
  };
  event_photographers: { event_id: string; photographer_id: string; role: string; assigned_at: DefaultTime };
  /** What other contexts must hear, written with the change it tells of and removed once it is in their queue. */
  outbox: {
    message_id: Generated<number>;
    body: JSONColumnType<RegistryMessage, string, never>;
    created_at: DefaultTime;
  };
  users: {
    id: string;
    name: string;
    email: string;
    email_verified: boolean;
    image: string | null;
    created_at: Time;
    updated_at: Time;
  };
  sessions: {
    id: string;
    user_id: string;
    token: string;
    expires_at: Time;
    ip_address: string | null;
    user_agent: string | null;
    created_at: Time;
    updated_at: Time;
  };
  verifications: {
    id: string;
    identifier: string;
    value: string;
    expires_at: Time;
    created_at: Time;
    updated_at: Time;
  };
  script_tokens: {
    token_id: string;
    user_id: string;
    name: string;
    created_at: DefaultTime;
    expires_at: Time;
  };
  /** Tokens of a subject (a token, a session or a user) issued before that moment are void. */
  revocations: { subject: string; issued_before: Time; forget_at: Time };
  attempts: { subject: string; window_start: Time; count: number };
};
