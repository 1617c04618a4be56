/** PGlite as our engine: one caller at a time, synced to disk at every commit, whole after an interrupted first start. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { cp, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Worker } from "node:worker_threads";
import { Kysely, sql } from "kysely";
import { temporaryFolder } from "../../../tests/harness/temporary-folder.ts";
import { refusedWith } from "../contracts/refused.ts";
import { openPglite } from "./postgres.ts";

type Schema = { counters: { id: string; count: number } };

let folder: string;
let db: Kysely<Schema>;
let cleanUp = async () => {};

before(async () => {
  folder = await temporaryFolder({
    after: (clean) => {
      cleanUp = clean;
    },
  });
  db = new Kysely<Schema>({ dialect: await openPglite(join(folder, "registry")) });
  await sql`create table counters (id text primary key, count int not null)`.execute(db);
});

after(async () => {
  await db.destroy();
  await cleanUp();
});

test("a query from outside never slips into somebody's transaction", async () => {
  await db.insertInto("counters").values({ id: "alone", count: 0 }).execute();
  const outside: Promise<unknown>[] = [];
  await db
    .transaction()
    .execute(async (transaction) => {
      await transaction.updateTable("counters").set({ count: 1 }).where("id", "=", "alone").execute();
      outside.push(db.insertInto("counters").values({ id: "outside", count: 7 }).execute());
      await transaction.selectFrom("counters").selectAll().execute();
      throw new Error("roll back");
    })
    .catch(() => {});
  await Promise.all(outside);
  const rows = await db
    .selectFrom("counters")
    .selectAll()
    .where("id", "in", ["alone", "outside"])
    .orderBy("id")
    .execute();
  assert.deepEqual(rows, [
    { id: "alone", count: 0 },
    { id: "outside", count: 7 },
  ]);
});

test("transactions that come at once are done one after the other", async () => {
  await db.insertInto("counters").values({ id: "many", count: 0 }).execute();
  const addOne = () =>
    db.transaction().execute(async (transaction) => {
      const found = await transaction
        .selectFrom("counters")
        .select("count")
        .where("id", "=", "many")
        .executeTakeFirst();
      await transaction
        .updateTable("counters")
        .set({ count: (found?.count ?? 0) + 1 })
        .where("id", "=", "many")
        .execute();
    });
  await Promise.all(Array.from({ length: 20 }, addOne));
  const found = await db.selectFrom("counters").select("count").where("id", "=", "many").executeTakeFirst();
  assert.equal(found?.count, 20);
});

test("the database's own errors come with their codes", async () => {
  await db.insertInto("counters").values({ id: "twice", count: 0 }).execute();
  await assert.rejects(db.insertInto("counters").values({ id: "twice", count: 0 }).execute(), {
    code: "23505",
    constraint: "counters_pkey",
  });
});

test("days, counts and JSON come as the same values as from a server", async () => {
  const { rows } = await sql`select date '2027-04-18' as day, count(*) as count, '{"a":[1]}'::jsonb as json
    from counters where id = 'none'`.execute(db);
  assert.deepEqual(rows, [{ day: "2027-04-18", count: 0, json: { a: [1] } }]);
});

test("a commit waits for the disk, a query does not", async (t) => {
  const thread = new URL("./postgres-thread.ts", import.meta.url);
  const syncs = await countSyncs(thread, join(folder, "registry-copy"), t);
  await syncs("select 1");
  assert.equal(await syncs("select count(*) from counters"), 0);
  assert.ok((await syncs("insert into counters values ('synced', 1)")) > 0);
});

/** Speaks to the thread itself, which tells with every answer how often files were synced since it began. */
async function countSyncs(thread: URL, copy: string, t: { after(clean: () => Promise<unknown>): void }) {
  await db.destroy();
  await cp(join(folder, "registry"), copy, { recursive: true });
  db = new Kysely<Schema>({ dialect: await openPglite(join(folder, "registry")) });
  // Kysely closes only what it has used.
  await sql`select 1`.execute(db);
  const worker = new Worker(thread, { workerData: { folder: copy } });
  t.after(() => worker.terminate());
  await once(worker, "message");
  let known = 0;
  return async (statement: string) => {
    worker.postMessage({ id: 1, sql: statement, parameters: [] });
    const [reply] = (await once(worker, "message")) as [{ syncs: number }];
    const since = reply.syncs - known;
    known = reply.syncs;
    return since;
  };
}

test("a first start that was killed is begun again", async (t) => {
  const place = await temporaryFolder(t);
  await mkdir(join(place, "registry.new-1234/base"), { recursive: true });
  await writeFile(join(place, "registry.new-1234/PG_VERSION"), "half");
  const dialect = await openPglite(join(place, "registry"));
  const fresh = new Kysely<Schema>({ dialect });
  await sql`select 1`.execute(fresh);
  await fresh.destroy();
  assert.deepEqual(await readdir(place), ["registry"]);
});

test("a folder that is no database any more is told as such", async (t) => {
  const place = await temporaryFolder(t);
  await mkdir(join(place, "registry"));
  await writeFile(join(place, "registry/PG_VERSION"), "18\n");
  const opening = openPglite(join(place, "registry"));
  await refusedWith("registry.damaged", opening);
});
