/** Opens the registry's database and brings its tables up to date, also when several programs start at once. */

import { type Dialect, Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { Problem } from "../platform/problem.ts";
import { registryTables } from "./migrations/0001-registry.ts";
import { signInTables } from "./migrations/0002-sign-in.ts";
import { entryPlacesTable } from "./migrations/0003-entry-places.ts";
import type { RegistrySchema } from "./schema.ts";

export type RegistryDatabase = Kysely<RegistrySchema>;

/** Named in the order they run. What has been released is never changed: a new file follows. */
const MIGRATIONS = {
  "0001-registry": registryTables,
  "0002-sign-in": signInTables,
  "0003-entry-places": entryPlacesTable,
};

/** Any number nobody else uses: who holds it is migrating this database. */
const MIGRATION_LOCK = 5_172_024;

export async function openRegistryDatabase(dialect: Dialect): Promise<RegistryDatabase> {
  const db = new Kysely<RegistrySchema>({ dialect });
  try {
    await migrate(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return db;
}

/** One transaction: a program killed in the middle leaves the tables as they were, and the lock goes with it. */
async function migrate(db: RegistryDatabase): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    // Kysely takes a lock of its own, but only after it has made its tables, where two starts can already collide.
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction);
    const failures: unknown[] = [];
    const provider = { getMigrations: async () => tellingFailures((failure) => failures.push(failure)) };
    const migrator = new Migrator({ db: transaction, provider });
    const { error } = await migrator.migrateToLatest();
    if (error) throw failures[0] ?? (await explain(error, migrator));
  });
}

/** Kysely gives its own lock back in the transaction that failed, and the refusal of that hides why it failed. */
function tellingFailures(onFailure: (failure: unknown) => void): Record<string, Migration> {
  const migrations = Object.entries(MIGRATIONS).map(([name, { up }]) => {
    const telling = (db: Kysely<unknown>) =>
      up(db).catch((failure) => {
        onFailure(failure);
        throw failure;
      });
    return [name, { up: telling }];
  });
  return Object.fromEntries(migrations);
}

async function explain(error: unknown, migrator: Migrator): Promise<unknown> {
  const unknown = /previously executed migration (\S+) is missing/.exec(String(error))?.[1];
  if (!unknown) return error;
  const known = (await migrator.getMigrations()).at(-1)?.name;
  return new Problem(
    "misconfigured",
    "registry.newer",
    `The registry's database was made by a newer SnapRace (it has ${unknown}, this one knows up to ${known}). Use the newer one.`,
    { cause: error },
  );
}
