/** What is revoked is void here at once and elsewhere at the next reading, is never forgotten early, nor brought back. */

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { afterReads } from "../../../tests/harness/after-reads.ts";
import { openDatabases } from "../../../tests/harness/program.ts";
import type { RegistryDatabase } from "../database.ts";
import { type Revocations, watchRevocations } from "./revocations.ts";

const NOW = Date.UTC(2027, 3, 18);
const MINUTE_MS = 60_000;

/** A clock that stands still until told, and then wakes who sleeps. */
function openClock() {
  let at = NOW;
  let wake = Promise.withResolvers<void>();
  return {
    now: () => at,
    sleep: (_ms: number, signal?: AbortSignal) => {
      signal?.addEventListener("abort", () => wake.resolve());
      return wake.promise;
    },
    pass: (ms: number) => {
      at += ms;
    },
    wake: () => {
      wake.resolve();
      wake = Promise.withResolvers();
    },
  };
}

describe("revocations", () => {
  let databases: Awaited<ReturnType<typeof openDatabases>>;
  let db: RegistryDatabase;
  before(async () => {
    databases = await openDatabases("PostgreSQL");
    db = (await databases.open()).registry.db;
  });
  beforeEach(() => db.deleteFrom("revocations").execute());
  after(() => databases.close());

  const opened: Revocations[] = [];
  after(() => Promise.all(opened.map((each) => each.stop())));

  /** A server of its own on the one database. */
  async function openServer(watched: RegistryDatabase = db) {
    const clock = openClock();
    const revocations = await watchRevocations(watched, clock, (error) => assert.fail(String(error)));
    opened.push(revocations);
    return { ...revocations, clock };
  }

  async function until(isSo: () => boolean): Promise<void> {
    const endsAt = Date.now() + 30_000;
    while (!isSo() && Date.now() < endsAt) await delay(2);
    assert.ok(isSo(), "it never came to be so");
  }

  test("hold here at once", async () => {
    const server = await openServer();
    assert.equal(server.revokedBefore("token a"), 0);
    await server.revoke("token a", MINUTE_MS);
    assert.equal(server.revokedBefore("token a"), NOW);
    assert.equal(server.revokedBefore("token b"), 0);
  });

  test("hold for a server that starts later", async () => {
    await (await openServer()).revoke("token a", MINUTE_MS);
    assert.equal((await openServer()).revokedBefore("token a"), NOW);
  });

  test("hold for other servers once they read", async () => {
    const [here, there] = [await openServer(), await openServer()];
    await here.revoke("token a", MINUTE_MS);
    assert.equal(there.revokedBefore("token a"), 0);
    there.clock.pass(10_000);
    there.clock.wake();
    await until(() => there.revokedBefore("token a") === NOW);
  });

  test("that come while a server reads are not lost, and old ones do not take their place", async () => {
    const server = await openServer();
    await server.revoke("organizer han kim", MINUTE_MS);
    await server.revoke("token seen", MINUTE_MS);
    const gate = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    let isSlow = false;
    const reading = await openServer(
      afterReads(db, async () => {
        if (!isSlow) return;
        asked.resolve();
        await gate.promise;
      }),
    );
    await server.revoke("token late", MINUTE_MS);
    isSlow = true;
    reading.clock.pass(10_000);
    reading.clock.wake();
    await asked.promise;
    reading.clock.pass(100);
    await reading.revoke("organizer han kim", MINUTE_MS);
    await reading.revoke("token new", MINUTE_MS);
    gate.resolve();
    await until(() => reading.revokedBefore("token late") === NOW);
    assert.equal(reading.revokedBefore("token seen"), NOW);
    assert.equal(reading.revokedBefore("organizer han kim"), NOW + 10_100);
    assert.equal(reading.revokedBefore("token new"), NOW + 10_100);
  });

  test("are as new as the newest of them, whichever server's clock is behind", async () => {
    const [ahead, behind] = [await openServer(), await openServer()];
    ahead.clock.pass(MINUTE_MS);
    await ahead.revoke("organizer han kim", MINUTE_MS);
    await behind.revoke("organizer han kim", MINUTE_MS);
    assert.equal(ahead.revokedBefore("organizer han kim"), NOW + MINUTE_MS);
    behind.clock.wake();
    await until(() => behind.revokedBefore("organizer han kim") === NOW + MINUTE_MS);
    const third = await openServer();
    assert.equal(third.revokedBefore("organizer han kim"), NOW + MINUTE_MS);
    await third.revoke("organizer han kim", MINUTE_MS);
    assert.equal(third.revokedBefore("organizer han kim"), NOW + MINUTE_MS);
  });

  test("are remembered for as long as a token can say otherwise, and some time more, then forgotten", async () => {
    const server = await openServer();
    await server.revoke("token a", 5 * MINUTE_MS);
    // Tokens end on the next whole second, and this one may have been made a moment later.
    server.clock.pass(5 * MINUTE_MS + 2_000);
    await server.revoke("token b", 5 * MINUTE_MS);
    const subjects = async () =>
      (await db.selectFrom("revocations").select("subject").execute()).map((row) => row.subject);
    assert.deepEqual((await subjects()).sort(), ["token a", "token b"]);
    server.clock.pass(2 * MINUTE_MS);
    await server.revoke("token c", 5 * MINUTE_MS);
    assert.deepEqual((await subjects()).sort(), ["token b", "token c"]);
    server.clock.wake();
    await until(() => server.revokedBefore("token a") === 0);
    assert.ok(server.revokedBefore("token b") > 0);
  });

  test("keep being read after a failure", async () => {
    const failures: unknown[] = [];
    let isBroken = false;
    const broken = afterReads(db, async () => {
      if (isBroken) throw new Error("The database is away.");
    });
    const clock = openClock();
    const there = await watchRevocations(broken, clock, (error) => failures.push(error));
    opened.push(there);
    isBroken = true;
    clock.wake();
    await until(() => failures.length === 1);
    isBroken = false;
    await (await openServer()).revoke("token a", MINUTE_MS);
    clock.wake();
    await until(() => there.revokedBefore("token a") === NOW);
  });
});
