/** The registry under test: each suite once on PGlite and once on PostgreSQL, with what it told the other contexts. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type Dialect, sql } from "kysely";
import { openPglite } from "../../src/platform/embedded/postgres.ts";
import { openPostgres } from "../../src/platform/postgres.ts";
import { RegistryMessage } from "../../src/registry/events.ts";
import { startPostgres } from "./postgres.ts";
import { type Caller, DATABASES, type Database, openDatabases, type Reply, type TestProgram } from "./program.ts";

export type Scene = {
  database: Database;
  program: TestProgram;
  operator: Caller;
  /** All that was announced so far, in its order, as the changes that it tells of have left it in the outbox. */
  announced(): Promise<RegistryMessage[]>;
};

/** The scene is filled before the first test runs; which database it will be on is known at once. */
export function onEachDatabase(subject: string, suite: (scene: Scene) => void): void {
  for (const database of DATABASES) {
    describe(`${subject} on ${database}`, () => {
      const scene = { database } as Scene;
      let close = async () => {};
      before(async () => {
        const databases = await openDatabases(database);
        close = databases.close;
        const program = await databases.open({ SNAPRACE_RATE_LIMIT: "100000" });
        const operator = program.as({ userId: "operator", operator: true });
        Object.assign(scene, { program, operator, announced: await listenTo(program) });
      });
      after(() => close());
      suite(scene);
    });
  }
}

/** The database itself keeps a copy: the queues are their receivers', who would not share what they take from them. */
async function listenTo({ registry: { db } }: TestProgram): Promise<Scene["announced"]> {
  await sql`create table heard (message_id bigint primary key, body jsonb not null)`.execute(db);
  await sql`create function hear() returns trigger language plpgsql as
    $$ begin insert into heard values (new.message_id, new.body); return new; end $$`.execute(db);
  await sql`create trigger hear after insert on outbox for each row execute function hear()`.execute(db);
  return async () => {
    const { rows } = await sql<{ body: unknown }>`select body from heard order by message_id`.execute(db);
    return rows.map(({ body }) => RegistryMessage.parse(body));
  };
}

/** Follows the cursors to the end. */
export async function readPages<Item>(caller: Caller, path: string, limit: number): Promise<Item[][]> {
  const pages: Item[][] = [];
  let cursor: string | undefined;
  do {
    const query = `limit=${limit}${cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`}`;
    const { status, body }: Reply = await caller("GET", `${path}${path.includes("?") ? "&" : "?"}${query}`);
    if (status !== 200) throw new Error(`No page of ${path}: ${JSON.stringify(body)}`);
    pages.push(body.items);
    cursor = body.cursor;
  } while (cursor !== undefined);
  return pages;
}

/** Resolves when so many queries wait for somebody else's transaction: on PostgreSQL, for PGlite has one connection. */
export async function untilBlocked({ registry }: TestProgram, queries: number): Promise<void> {
  for (;;) {
    const { rows } = await sql`select distinct pid from pg_locks where not granted`.execute(registry.db);
    if (rows.length >= queries) return;
    await delay(20);
  }
}

/** What the answer says is wrong with each field. */
export function wrongFields({ body }: Reply): string[] {
  return (body.errors ?? []).map((error: { field: string }) => error.field);
}

/** A database that no program works on. PGlite is opened by one at a time. */
export async function openBareDatabase(database: Database): Promise<{
  open(): Promise<Dialect>;
  close(): Promise<void>;
}> {
  if (database === "PostgreSQL") {
    const postgres = await startPostgres();
    const url = await postgres.createDatabase();
    return { open: () => openPostgres(url), close: postgres.stop };
  }
  const folder = await mkdtemp(join(tmpdir(), "snaprace-registry-"));
  return {
    open: () => openPglite(join(folder, "cluster")),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
