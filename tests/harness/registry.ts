/** The registry under test: each suite once on PGlite and once on PostgreSQL, with what it told the other contexts. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type Dialect, sql } from "kysely";
import { openPglite } from "../../src/platform/embedded/postgres.ts";
import { openPostgres } from "../../src/platform/postgres.ts";
import { RegistryMessage, registryQueue } from "../../src/registry/events.ts";
import { startPostgres } from "./postgres.ts";
import { type Caller, DATABASES, type Database, openDatabases, type Reply, type TestProgram } from "./program.ts";

export type Scene = {
  database: Database;
  program: TestProgram;
  operator: Caller;
  /** All that was announced so far, each once and in its order, though queues may bring it twice and in any. */
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
        Object.assign(scene, { program, operator, announced: listenTo(program) });
      });
      after(() => close());
      suite(scene);
    });
  }
}

function listenTo(program: TestProgram): Scene["announced"] {
  const queue = program.opened.engines.queue(registryQueue.name, registryQueue.settings);
  const heard = new Map<string, RegistryMessage>();
  queue.consume(async (messages) => {
    for (const { body } of messages) heard.set(body, RegistryMessage.parse(JSON.parse(body)));
    return [];
  });
  return async () => {
    // Carries everything that waits in the outbox.
    await program.registry.openRows();
    for (;;) {
      const { waiting, inFlight } = await queue.depth();
      if (waiting + inFlight === 0) return [...heard.values()].sort(byTime);
      await delay(20);
    }
  };
}

const byTime = (a: RegistryMessage, b: RegistryMessage) => Date.parse(a.occurredAt) - Date.parse(b.occurredAt);

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
