/** The registry's database as it is opened: by many at once, again, by an older program, or at a wrong address. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Kysely, sql } from "kysely";
import { findFreePort } from "../../tests/harness/free-port.ts";
import { type Postgres, startPostgres } from "../../tests/harness/postgres.ts";
import { DATABASES } from "../../tests/harness/program.ts";
import { openBareDatabase } from "../../tests/harness/registry.ts";
import { openPostgres } from "../platform/postgres.ts";
import { Problem } from "../platform/problem.ts";
import { openRegistryDatabase, type RegistryDatabase } from "./database.ts";

const MIGRATIONS = ["0001-registry", "0002-sign-in", "0003-entry-places"];

async function migrationsOf(db: RegistryDatabase): Promise<{ name: string; timestamp: string }[]> {
  const { rows } = await sql<{ name: string; timestamp: string }>`
    select name, timestamp from kysely_migration order by name`.execute(db);
  return rows;
}

async function tablesOf(db: RegistryDatabase): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' order by 1`.execute(db);
  return rows.map(({ name }) => name);
}

/** The Problem that the work is refused with. */
async function problemOf(work: Promise<unknown>): Promise<Problem> {
  const error = await work.then(
    () => assert.fail("not refused"),
    (reason: unknown) => reason,
  );
  if (error instanceof Problem) return error;
  throw error;
}

for (const database of DATABASES) {
  describe(`the registry's database on ${database}`, () => {
    let bare: Awaited<ReturnType<typeof openBareDatabase>>;
    before(async () => {
      bare = await openBareDatabase(database);
    });
    after(() => bare.close());

    test("has its tables once it is open, and opening it again changes nothing", async () => {
      const first = await openRegistryDatabase(await bare.open());
      const [migrations, tables] = [await migrationsOf(first), await tablesOf(first)];
      assert.deepEqual(
        migrations.map(({ name }) => name),
        MIGRATIONS,
      );
      for (const table of [
        "organizers",
        "events",
        "event_runners",
        "entry_places",
        "photographers",
        "outbox",
        "users",
      ]) {
        assert.ok(tables.includes(table), table);
      }
      const organization = { organizer_id: "o", name: "한강", subdomain: "o", branding: "{}" };
      await first.insertInto("organizers").values(organization).execute();
      await first.destroy();

      const second = await openRegistryDatabase(await bare.open());
      assert.deepEqual([await migrationsOf(second), await tablesOf(second)], [migrations, tables]);
      assert.equal((await second.selectFrom("organizers").select("name").executeTakeFirst())?.name, "한강");
      await second.destroy();
    });

    test("is left alone by a program older than itself", async () => {
      const newer = await openRegistryDatabase(await bare.open());
      await sql`insert into kysely_migration values ('9999-later', '2090-01-01T00:00:00Z')`.execute(newer);
      const tables = await tablesOf(newer);
      await newer.destroy();
      const { kind, code, message } = await problemOf(openRegistryDatabase(await bare.open()));
      assert.deepEqual([kind, code], ["misconfigured", "registry.newer"]);
      assert.match(message, /it has 9999-later, this one knows up to 0003-entry-places\)\. Use the newer one\.$/);

      const db: RegistryDatabase = new Kysely({ dialect: await bare.open() });
      assert.deepEqual(await tablesOf(db), tables);
      await sql`delete from kysely_migration where name = '9999-later'`.execute(db);
      await db.destroy();
      await (await openRegistryDatabase(await bare.open())).destroy();
    });
  });
}

describe("a PostgreSQL server", () => {
  let postgres: Postgres;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres.stop());

  test("gets its tables once when eight programs start at the same time", async () => {
    const url = await postgres.createDatabase();
    const open = async () => openRegistryDatabase(await openPostgres(url));
    const opened = await Promise.all(Array.from({ length: 8 }, open));
    try {
      const seen = await Promise.all(opened.map(async (db) => [await migrationsOf(db), await tablesOf(db)]));
      for (const each of seen) assert.deepEqual(each, seen[0]);
      const names = (await migrationsOf(opened[0] as RegistryDatabase)).map(({ name }) => name);
      assert.deepEqual(names, MIGRATIONS);
    } finally {
      await Promise.all(opened.map((db) => db.destroy()));
    }
  });

  test("is as it was when a migration fails on its way", async () => {
    const url = await postgres.createDatabase();
    const db: RegistryDatabase = new Kysely({ dialect: await openPostgres(url) });
    // In the way of the second migration.
    await sql`create table users (id text)`.execute(db);
    await assert.rejects(async () => openRegistryDatabase(await openPostgres(url)), { code: "42P07" });
    assert.deepEqual(await tablesOf(db), ["users"]);
    await sql`drop table users`.execute(db);
    await (await openRegistryDatabase(await openPostgres(url))).destroy();
    await db.destroy();
  });

  const withPassword = (change: (url: URL) => void) => {
    const url = new URL(postgres.url);
    url.password = "s3cret-w0rd";
    change(url);
    return url.href;
  };

  test("that does not answer, or does not know us, is told of without the password", async () => {
    const port = await findFreePort();
    const unreachable = [
      withPassword((url) => {
        url.port = String(port);
      }),
      withPassword((url) => {
        url.hostname = "no-such-host.invalid";
      }),
    ];
    const refused = [
      withPassword((url) => {
        url.pathname = "/no_such_database";
      }),
      withPassword((url) => {
        url.username = "nobody";
      }),
    ];
    for (const url of [...unreachable, ...refused]) {
      const { kind, code, message } = await problemOf(openPostgres(url));
      const expected = refused.includes(url)
        ? ["misconfigured", "registry.refused"]
        : ["unavailable", "registry.unreachable"];
      assert.deepEqual([kind, code], expected, message);
      assert.match(message, /DATABASE_URL/);
      assert.doesNotMatch(message, /s3cret/);
    }
  });
});
