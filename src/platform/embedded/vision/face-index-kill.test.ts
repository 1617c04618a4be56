/** SIGKILL while faces are added, replaced and deleted: what was acknowledged holds, and nothing is torn. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { temporaryFolder } from "../../../../tests/harness/temporary-folder.ts";
import { bytesOf, contentsOf, embeddingOf } from "./face-index.samples.ts";
import { openFaceIndex } from "./face-index.ts";

const KILLS = 4;
const DIMENSIONS = 512;
const TARGET = new URL("./face-index.kill-target.ts", import.meta.url).pathname;

/** What each face may look like now: one thing after an acknowledgement, either while a change is under way. */
type Allowed = Map<string, Set<string>>;

function note(allowed: Allowed, [stage = "", , faceId = "", looks = ""]: string[]): void {
  const before = stage === "asked" ? (allowed.get(faceId) ?? ["none"]) : [];
  allowed.set(faceId, new Set([...before, looks]));
}

async function runAndKill(folder: string, round: number, mode: string, allowed: Allowed): Promise<void> {
  const target = spawn(process.execPath, [TARGET, folder, `${round}`, mode], { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(target, "close");
  const lines = createInterface({ input: target.stdout });
  const ready = once(lines, "line");
  lines.on("line", (line) => {
    if (line !== "ready") note(allowed, line.split(" "));
  });
  await Promise.race([ready, closed.then(() => assert.fail("the target ended by itself"))]);
  await delay(150 + 90 * round);
  target.kill("SIGKILL");
  await closed;
}

async function findDamage(folder: string, allowed: Allowed): Promise<string[]> {
  const index = await openFaceIndex({ folder, model: { name: "test", dimensions: DIMENSIONS } });
  const damage: string[] = [];
  const looksOf = (faceId: string, looks: string) => embeddingOf(`${faceId} ${looks}`, DIMENSIONS);
  const all = await index.search("event", looksOf("any", "any"), { minCosine: -1, limit: 1_000_000 });
  const found = new Map(all.map(({ faceId, externalImageId }) => [faceId, externalImageId.replace("photo:", "")]));
  const contents = await contentsOf(folder);
  for (const [faceId, looks] of found) {
    const [self] = await index.search("event", looksOf(faceId, looks), { minCosine: 0.999, limit: 1 });
    if (self?.faceId !== faceId) damage.push(`${faceId} has not its own embedding`);
  }
  for (const [faceId, looks] of allowed) {
    const now = found.get(faceId) ?? "none";
    if (!looks.has(now)) damage.push(`${faceId} is ${now} instead of ${[...looks].join(" or ")}`);
    for (const other of ["first", "second"]) {
      if (other !== now && contents.includes(bytesOf(looksOf(faceId, other))))
        damage.push(`${faceId} ${other} is left`);
    }
  }
  await index.close();
  return damage;
}

test("nothing acknowledged is lost, nothing torn is kept", async (t) => {
  const folder = await temporaryFolder(t);
  const allowed: Allowed = new Map();
  for (let round = 0; round < KILLS; round += 1) await runAndKill(folder, round, "", allowed);
  t.diagnostic(`${allowed.size} faces`);
  assert.ok(allowed.size > 0);
  assert.deepEqual((await findDamage(folder, allowed)).slice(0, 20), []);
});

test("an index that acknowledges too early is found out", async (t) => {
  const folder = await temporaryFolder(t);
  const allowed: Allowed = new Map();
  for (let round = 0; round < KILLS; round += 1) await runAndKill(folder, round, "early", allowed);
  assert.notDeepEqual(await findDamage(folder, allowed), []);
});
