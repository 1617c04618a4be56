/** SIGKILL of the real server while organizers write: what was answered is there afterwards, and no file is half imported. */

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { createAccessTokens } from "../../src/platform/access-tokens.ts";
import { readSecret } from "../../src/platform/embedded/data-folder.ts";
import { type RunningServer, startServer } from "../harness/server.ts";
import { temporaryFolder } from "../harness/temporary-folder.ts";

const KILLS = 4;
const ROWS = 3000;
const ORG = "killed";

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
});
