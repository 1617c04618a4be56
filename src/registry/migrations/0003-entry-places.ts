/** Which places entry gave, and the bib each became: what makes an entrant a runner exactly once. */

import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

const ID = sql`text collate "C"`;

async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("entry_places")
    .addColumn("event_id", ID, (column) => column.notNull().references("events.event_id").onDelete("cascade"))
    .addColumn("request_id", ID, (column) => column.notNull())
    .addColumn("user_id", ID)
    .addColumn("place", "integer")
    .addColumn("bib_number", ID)
    .addColumn("returned", "boolean", (column) => column.notNull().defaultTo(false))
    .addPrimaryKeyConstraint("entry_places_key", ["event_id", "request_id"])
    .addUniqueConstraint("entry_places_bib", ["event_id", "bib_number"])
    .execute();
  await addRevision(db);
}

/** Grows whenever entry must look at an event again, so that what was read before never replaces what was read after. */
async function addRevision(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("events")
    .addColumn("revision", "float8", (column) => column.notNull().defaultTo(0))
    .execute();
}

export const entryPlacesTable: Migration = { up };
