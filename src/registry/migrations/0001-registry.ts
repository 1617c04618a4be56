/** The first tables: organizations, events, runners, photographers, and the messages to other contexts. */

import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

// Ids sort by bytes on every server, whatever its locale: pages follow that order.
const ID = sql`text collate "C"`;
const now = sql`now()`;

async function up(db: Kysely<unknown>): Promise<void> {
  await organizations(db);
  await events(db);
  await runners(db);
  await photographers(db);
  await db.schema
    .createTable("outbox")
    .addColumn("message_id", "bigserial", (column) => column.primaryKey())
    .addColumn("body", "jsonb", (column) => column.notNull())
    .addColumn("created_at", "timestamptz", (column) => column.notNull().defaultTo(now))
    .execute();
}

async function organizations(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("organizers")
    .addColumn("organizer_id", ID, (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("subdomain", ID, (column) => column.notNull())
    .addColumn("active", "boolean", (column) => column.notNull().defaultTo(true))
    .addColumn("branding", "jsonb", (column) => column.notNull())
    .addColumn("created_at", "timestamptz", (column) => column.notNull().defaultTo(now))
    .addColumn("updated_at", "timestamptz", (column) => column.notNull().defaultTo(now))
    .addUniqueConstraint("organizers_subdomain", ["subdomain"])
    .execute();
  await db.schema
    .createTable("organizer_members")
    .addColumn("organizer_id", ID, (column) =>
      column.notNull().references("organizers.organizer_id").onDelete("cascade"),
    )
    .addColumn("email", ID, (column) => column.notNull())
    .addColumn("added_at", "timestamptz", (column) => column.notNull().defaultTo(now))
    .addPrimaryKeyConstraint("organizer_members_key", ["organizer_id", "email"])
    .execute();
  await db.schema
    .createIndex("organizer_members_by_email")
    .on("organizer_members")
    .columns(["email", "organizer_id"])
    .execute();
}

async function events(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("events")
    .addColumn("event_id", ID, (column) => column.primaryKey())
    .addColumn("organizer_id", ID, (column) =>
      column.notNull().references("organizers.organizer_id").onDelete("cascade"),
    )
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("event_date", "date", (column) => column.notNull())
    .addColumn("location", "text", (column) => column.notNull())
    .addColumn("time_zone", "text", (column) => column.notNull())
    .addColumn("display_mode", "text", (column) => column.notNull())
    .addColumn("published", "boolean", (column) => column.notNull())
    .addColumn("bib_pattern", "text", (column) => column.notNull())
    .addColumn("watermark_zones", "jsonb", (column) => column.notNull())
    .addColumn("face_indexing", "boolean", (column) => column.notNull())
    .addColumn("retention_days", "integer", (column) => column.notNull())
    .addColumn("entry_settings", "jsonb")
    .addColumn("created_at", "timestamptz", (column) => column.notNull().defaultTo(now))
    .addColumn("updated_at", "timestamptz", (column) => column.notNull().defaultTo(now))
    .execute();
  await db.schema
    .createIndex("events_of_organizer")
    .on("events")
    .columns(["organizer_id", "event_date desc", "event_id"])
    .execute();
  await db.schema.createIndex("events_by_date").on("events").columns(["event_date desc", "event_id"]).execute();
}

async function runners(db: Kysely<unknown>): Promise<void> {
  const letters = sql`regexp_replace(bib_number, '[0-9]+$', '')`;
  const digits = sql`lpad(coalesce(substring(bib_number from '[0-9]+$'), ''), 12, '0')`;
  await db.schema
    .createTable("event_runners")
    .addColumn("event_id", ID, (column) => column.notNull().references("events.event_id").onDelete("cascade"))
    .addColumn("bib_number", ID, (column) => column.notNull())
    .addColumn("bib_order", ID, (column) => column.notNull().generatedAlwaysAs(sql`${letters} || ${digits}`).stored())
    .addColumn("name", "text")
    .addColumn("finish_time", "text")
    .addColumn("gender", "text")
    .addColumn("age", "integer")
    .addColumn("team", "text")
    .addColumn("timing_result", "jsonb")
    .addColumn("source", "text", (column) => column.notNull())
    .addColumn("user_id", ID)
    .addColumn("created_at", "timestamptz", (column) => column.notNull().defaultTo(now))
    .addColumn("updated_at", "timestamptz", (column) => column.notNull().defaultTo(now))
    .addPrimaryKeyConstraint("event_runners_key", ["event_id", "bib_number"])
    .execute();
  await db.schema
    .createIndex("event_runners_in_order")
    .on("event_runners")
    .columns(["event_id", "bib_order", "bib_number"])
    .execute();
  await sql`create index event_runners_of_user on event_runners (user_id) where user_id is not null`.execute(db);
}

async function photographers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("photographers")
    .addColumn("photographer_id", ID, (column) => column.primaryKey())
    .addColumn("organizer_id", ID, (column) =>
      column.notNull().references("organizers.organizer_id").onDelete("cascade"),
    )
    .addColumn("email", ID)
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("display_name", "text", (column) => column.notNull())
    .addColumn("instagram_handle", ID)
    .addColumn("website_url", "text")
    .addColumn("bio", "text")
    .addColumn("active", "boolean", (column) => column.notNull().defaultTo(true))
    .addColumn("created_at", "timestamptz", (column) => column.notNull().defaultTo(now))
    .addColumn("updated_at", "timestamptz", (column) => column.notNull().defaultTo(now))
    .addUniqueConstraint("photographers_instagram_handle", ["instagram_handle"])
    .execute();
  await db.schema
    .createIndex("photographers_of_organizer")
    .on("photographers")
    .columns(["organizer_id", "photographer_id"])
    .execute();
  await sql`create index photographers_by_email on photographers (email) where email is not null`.execute(db);
  await db.schema
    .createTable("event_photographers")
    .addColumn("event_id", ID, (column) => column.notNull().references("events.event_id").onDelete("cascade"))
    .addColumn("photographer_id", ID, (column) =>
      column.notNull().references("photographers.photographer_id").onDelete("cascade"),
    )
    .addColumn("role", "text", (column) => column.notNull())
    .addColumn("assigned_at", "timestamptz", (column) => column.notNull().defaultTo(now))
    .addPrimaryKeyConstraint("event_photographers_key", ["event_id", "photographer_id"])
    .execute();
  await db.schema
    .createIndex("event_photographers_by_photographer")
    .on("event_photographers")
    .columns(["photographer_id", "event_id"])
    .execute();
}

export const registryTables: Migration = { up };
