/** The tables of signing in: people, their sessions and codes (as better-auth wants them), tokens, and what is void. */

import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

const ID = sql`text collate "C"`;
const now = sql`now()`;

async function up(db: Kysely<unknown>): Promise<void> {
  await people(db);
  await codes(db);
  await db.schema
    .createTable("script_tokens")
    .addColumn("token_id", ID, (column) => column.primaryKey())
    .addColumn("user_id", ID, (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("created_at", "timestamptz", (column) => column.notNull().defaultTo(now))
    .addColumn("expires_at", "timestamptz", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("script_tokens_of_user").on("script_tokens").columns(["user_id", "token_id"]).execute();
  await db.schema
    .createTable("revocations")
    .addColumn("subject", ID, (column) => column.primaryKey())
    .addColumn("issued_before", "timestamptz", (column) => column.notNull())
    .addColumn("forget_at", "timestamptz", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("attempts")
    .addColumn("subject", ID, (column) => column.primaryKey())
    .addColumn("window_start", "timestamptz", (column) => column.notNull())
    .addColumn("count", "integer", (column) => column.notNull())
    .execute();
}

async function people(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("users")
    .addColumn("id", ID, (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("email", ID, (column) => column.notNull().unique())
    .addColumn("email_verified", "boolean", (column) => column.notNull())
    .addColumn("image", "text")
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    .addColumn("updated_at", "timestamptz", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("sessions")
    .addColumn("id", ID, (column) => column.primaryKey())
    .addColumn("user_id", ID, (column) => column.notNull().references("users.id").onDelete("cascade"))
    .addColumn("token", ID, (column) => column.notNull().unique())
    .addColumn("expires_at", "timestamptz", (column) => column.notNull())
    .addColumn("ip_address", "text")
    .addColumn("user_agent", "text")
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    .addColumn("updated_at", "timestamptz", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("sessions_of_user").on("sessions").column("user_id").execute();
}

/** better-auth asks for `accounts` too, which stay empty without passwords and other sites' sign-ins. */
async function codes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("verifications")
    .addColumn("id", ID, (column) => column.primaryKey())
    .addColumn("identifier", ID, (column) => column.notNull())
    .addColumn("value", "text", (column) => column.notNull())
    .addColumn("expires_at", "timestamptz", (column) => column.notNull())
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    .addColumn("updated_at", "timestamptz", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("verifications_by_identifier").on("verifications").column("identifier").execute();
  await db.schema
    .createTable("accounts")
    .addColumn("id", ID, (column) => column.primaryKey())
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("provider_id", "text", (column) => column.notNull())
    .addColumn("user_id", ID, (column) => column.notNull().references("users.id").onDelete("cascade"))
    .addColumn("access_token", "text")
    .addColumn("refresh_token", "text")
    .addColumn("id_token", "text")
    .addColumn("access_token_expires_at", "timestamptz")
    .addColumn("refresh_token_expires_at", "timestamptz")
    .addColumn("scope", "text")
    .addColumn("password", "text")
    .addColumn("created_at", "timestamptz", (column) => column.notNull())
    .addColumn("updated_at", "timestamptz", (column) => column.notNull())
    .execute();
}

export const signInTables: Migration = { up };
