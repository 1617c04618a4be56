/** A PostgreSQL that goes away: people are told to try again, the process lives, and it goes on by itself. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Kysely, sql } from "kysely";
import { startPostgres } from "../../tests/harness/postgres.ts";
import { refusedWith } from "./contracts/refused.ts";
import { openPostgres } from "./postgres.ts";

test("a connection cut in the middle of a transaction is a problem to its user only", async (t) => {
  const postgres = await startPostgres();
  t.after(() => postgres.stop());
  const db = new Kysely<unknown>({ dialect: await openPostgres(postgres.url) });
  const work = db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await sql`select 1`.execute(transaction);
  });
  await refusedWith("registry.unreachable", work);
  assert.deepEqual((await sql`select 1 as one`.execute(db)).rows, [{ one: 1 }]);
  await db.destroy();
});

test("a server that is gone is told as unreachable", async () => {
  const postgres = await startPostgres();
  const db = new Kysely<unknown>({ dialect: await openPostgres(postgres.url) });
  await postgres.stop();
  await refusedWith("registry.unreachable", sql`select 1`.execute(db));
  await refusedWith("registry.unreachable", sql`select 1`.execute(db));
  await db.destroy();
});
