/** SIGKILL of the real server while organizers write and entrants come: what was answered is there, and nothing by halves or twice. */

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { parseConfig } from "../../src/apps/config.ts";
import { createLog } from "../../src/apps/log.ts";
import { openProgram, type Program } from "../../src/apps/program.ts";
import { type EntryMessage, entryQueue } from "../../src/entry/events.ts";
import { createAccessTokens } from "../../src/platform/access-tokens.ts";
import { readSecret } from "../../src/platform/embedded/data-folder.ts";
import { openEmbeddedEngines } from "../../src/platform/embedded/engines.ts";
import { type RunningServer, startServer } from "../harness/server.ts";
import { temporaryFolder } from "../harness/temporary-folder.ts";

const KILLS = 4;
const ROWS = 3000;
const ORG = "killed";
const EVENT = "entered";
const MESSAGES = 150;
const PLACES = 49;

type Call = (method: string, path: string, body?: string, type?: string) => Promise<Response>;
/** Events whose making was answered, and those for which an import was begun: answered or not. */
type Written = { events: Set<string>; imported: Map<string, "begun" | "answered"> };

function callerOf(server: RunningServer, dataFolder: string): Call {
  const tokens = createAccessTokens(readSecret(dataFolder), { now: Date.now, revokedBefore: () => 0 });
  const holder = { userId: "op", operator: true, organizations: [], photographers: [], session: false, tokenId: "t" };
  const authorization = `Bearer ${tokens.issue(holder, 600_000)}`;
  return (method, path, body, type = "application/json") =>
    fetch(`${server.url}/api${path}`, {
      method,
      headers: { authorization, ...(body !== undefined && { "content-type": type }) },
      ...(body !== undefined && { body }),
    });
}

/** Writes until the server is gone. */
async function keepWriting(call: Call, round: string, written: Written): Promise<void> {
  for (let n = 0; ; n += 1) {
    const eventId = `e-${round}-${n}`;
    const event = JSON.stringify({ eventId, name: eventId, date: "2090-01-01", timeZone: "Asia/Seoul" });
    const made = await call("POST", `/admin/organizations/${ORG}/events`, event);
    if (made.status === 201) written.events.add(eventId);
    if (n % 3 !== 0) continue;
    written.imported.set(eventId, "begun");
    const answer = await call("POST", `/admin/events/${eventId}/runners/import`, runnersFile(), "text/csv");
    if (answer.status === 200) written.imported.set(eventId, "answered");
  }
}

function runnersFile(): string {
  return `bib,name\n${Array.from({ length: ROWS }, (_, index) => `${index + 1},Runner ${index + 1}`).join("\n")}`;
}

async function findDamage(call: Call, written: Written): Promise<string[]> {
  const damage: string[] = [];
  for (const eventId of written.events) {
    if ((await call("GET", `/admin/events/${eventId}`)).status !== 200)
      damage.push(`${eventId} was answered and is lost`);
  }
  for (const [eventId, state] of written.imported) {
    const file = await (await call("GET", `/admin/events/${eventId}/runners.csv`)).text();
    const rows = file.trim().split("\n").length - 1;
    const right = state === "answered" ? [ROWS] : [0, ROWS];
    if (!right.includes(rows)) damage.push(`${eventId} has ${rows} runners after an import that was ${state}`);
  }
  return damage;
}

/** As entry would send them: all places of an event in their order, and every hundredth back. */
function entryMessages(): EntryMessage[] {
  const numbers = Array.from({ length: MESSAGES * PLACES }, (_, n) => n + 1);
  const places = numbers.map((place) => ({ place, requestId: `r-${place}`, userId: `u-${place}` }));
  const given = Array.from({ length: MESSAGES }, (_, n) => places.slice(n * PLACES, (n + 1) * PLACES));
  const returned = places.filter(({ place }) => place % 100 === 0);
  return [
    ...given.map((some) => ({ type: "places.given" as const, eventId: EVENT, places: some })),
    ...returned.map(({ requestId }) => ({ type: "place.returned" as const, eventId: EVENT, requestId })),
  ];
}

/** What of it the registry has by now: a message's places, or none of them, and all of those that it has taken for good. */
async function findHalves(program: Program, messages: EntryMessage[]): Promise<string[]> {
  const held = new Set<string>();
  const contents = program.opened.embedded?.contents();
  for await (const page of contents?.messages(entryQueue.name) ?? []) for (const { body } of page) held.add(body);
  const rows = await program.registry.db.selectFrom("entry_places").select("request_id").execute();
  const known = new Set(rows.map((row) => row.request_id));
  return messages.flatMap((message) => {
    const all = message.type === "places.given" ? message.places : [message];
    const have = all.filter(({ requestId }) => known.has(requestId)).length;
    const isTaken = !held.has(JSON.stringify(message));
    if (isTaken && have < all.length) return [`${JSON.stringify(all[0])} was taken and is lost`];
    // Some may be known from having come back.
    const returned = all.filter((each) => "place" in each && each.place % 100 === 0).length;
    return have > returned && have < all.length ? [`${JSON.stringify(all[0])} is there by halves`] : [];
  });
}

/** Until nothing is left but what a killed server had in its hands, which comes once more in a minute. */
async function drain(program: Program, bodies: string[]): Promise<void> {
  const queue = program.opened.engines.queue(entryQueue.name, entryQueue.settings);
  const { inFlight: hidden } = await queue.depth();
  await queue.send(bodies);
  for (;;) {
    const { waiting, inFlight } = await queue.depth();
    if (waiting === 0 && inFlight <= hidden) return;
    await delay(50);
  }
}

async function sendAll(dataFolder: string, bodies: string[]): Promise<void> {
  const engines = await openEmbeddedEngines({ dataFolder, publicUrl: "http://127.0.0.1" });
  await engines.queue(entryQueue.name, entryQueue.settings).send(bodies);
  await engines.close();
}

describe("the registry of a server that is killed", () => {
  it("has all that was answered, and nothing by halves", async (t) => {
    const dataFolder = await temporaryFolder(t);
    const written: Written = { events: new Set(), imported: new Map() };
    let server = await startServer({ dataFolder, LOG_LEVEL: "warn", SNAPRACE_RATE_LIMIT: "100000" });
    const made = await callerOf(server, dataFolder)(
      "POST",
      "/admin/organizations",
      `{"orgId":"${ORG}","name":"Killed"}`,
    );
    assert.equal(made.status, 201);
    for (let round = 0; round < KILLS; round += 1) {
      const call = callerOf(server, dataFolder);
      const writers = [0, 1, 2].map((n) => keepWriting(call, `${round}-${n}`, written).catch(() => {}));
      await delay(500 + 400 * round);
      await server.stop("SIGKILL");
      await Promise.all(writers);
      server = await startServer({ dataFolder, LOG_LEVEL: "warn", SNAPRACE_RATE_LIMIT: "100000" });
    }
    const call = callerOf(server, dataFolder);
    const damage = await findDamage(call, written);
    // The check itself: what nobody wrote must be missed.
    const invented = await findDamage(call, { events: new Set(["never-made"]), imported: new Map() });
    await server.stop();
    assert.deepEqual(damage, []);
    assert.deepEqual(invented, ["never-made was answered and is lost"]);
    assert.ok(written.events.size > 0 && written.imported.size > 0);
  });

  it("makes every entrant a runner, once", async (t) => {
    const dataFolder = await temporaryFolder(t);
    let server = await startServer({ dataFolder, LOG_LEVEL: "warn" });
    const call = callerOf(server, dataFolder);
    await call("POST", "/admin/organizations", `{"orgId":"${ORG}","name":"Killed"}`);
    const entry = { eventType: "FIRST_COME", capacityTotal: MESSAGES * PLACES, opensAt: "2090-01-01T00:00:00Z" };
    const event = { eventId: EVENT, name: "Entered", date: "2090-01-01", timeZone: "Asia/Seoul", entry };
    const made = await call("POST", `/admin/organizations/${ORG}/events`, JSON.stringify(event));
    assert.equal(made.status, 201);
    await server.stop();

    const messages = entryMessages();
    const bodies = messages.map((message) => JSON.stringify(message));
    await sendAll(dataFolder, bodies);
    for (let round = 0; round < KILLS; round += 1) {
      server = await startServer({ dataFolder, LOG_LEVEL: "warn" });
      await delay(100 * round);
      await server.stop("SIGKILL");
    }
    const program = await openProgram(parseConfig({ SNAPRACE_DATA: dataFolder }), createLog({ level: "silent" }));
    try {
      const halves = (await findHalves(program, messages)).slice(0, 10);
      program.startWorkers();
      await drain(program, bodies);
      const { db } = program.registry;
      const runners = await db.selectFrom("event_runners").select(["bib_number", "user_id"]).execute();
      const expected = messages.flatMap((message) => (message.type === "places.given" ? message.places : []));
      const staying = expected.filter(({ place }) => place % 100 !== 0);
      assert.deepEqual(halves, []);
      assert.deepEqual(
        runners.map((row) => `${row.bib_number} ${row.user_id}`).sort(),
        staying.map(({ place, userId }) => `${String(place).padStart(4, "0")} ${userId}`).sort(),
      );
    } finally {
      await program.close();
    }
  });
});
