/** SIGKILL while parts are sent, replaced and completed: what was acknowledged holds, and nothing is left over. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, utimes } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { temporaryFolder } from "../../../tests/harness/temporary-folder.ts";
import { textOf } from "../contracts/blob-samples.ts";
import type { Blobs } from "../ports.ts";
import { openEmbeddedEngines } from "./engines.ts";

const KILLS = 4;
const TARGET = new URL("./blob-parts.kill-target.ts", import.meta.url).pathname;

/** Of each upload what its parts and object may look like now: one after an acknowledgement, either before it. */
type Known = { uploadId: string; looks: { [what: string]: Set<string> } };
type Uploads = Map<string, Known>;

function note(uploads: Uploads, [stage, key = "", uploadId = "", what = "", looks = ""]: string[]): void {
  const known = uploads.get(key) ?? { uploadId, looks: {} };
  uploads.set(key, known);
  const before = stage === "asked" ? (known.looks[what] ?? ["none"]) : [];
  known.looks[what] = new Set([...before, looks]);
}

async function runAndKill(folder: string, round: number, mode: string, uploads: Uploads): Promise<void> {
  const target = spawn(process.execPath, [TARGET, folder, `${round}`, mode], { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(target, "close");
  const lines = createInterface({ input: target.stdout });
  const ready = once(lines, "line");
  lines.on("line", (line) => {
    if (line !== "ready") note(uploads, line.split(" "));
  });
  await Promise.race([ready, closed.then(() => assert.fail("the target ended by itself"))]);
  await delay(150 + 90 * round);
  target.kill("SIGKILL");
  await closed;
}

/** What the object is made of; it is completed if it was not yet. */
async function looksOf(blobs: Blobs, key: string, uploadId: string): Promise<string> {
  await blobs.completeParts({ key, uploadId, parts: 1 });
  const words = (await textOf((await blobs.get(key))?.body)).trim().split(" ");
  const [, looks = ""] = words;
  return words.join(" ") === `${key} ${looks} `.repeat(1000).trim() ? looks : "torn";
}

async function damageOf(blobs: Blobs, key: string, { uploadId, looks }: Known): Promise<string[]> {
  const damage: string[] = [];
  const check = (what: string, now: string) => {
    const allowed = looks[what] ?? new Set(["none"]);
    if (!allowed.has(now)) damage.push(`${what} of ${key} is ${now} instead of ${[...allowed].join(" or ")}`);
  };
  const sent = await blobs.listParts({ key, uploadId });
  check("object", sent ? "none" : "whole");
  if (sent) check("part-2", sent.some(({ part }) => part === 2) ? "first" : "none");
  const isThere = !sent || sent.some(({ part }) => part === 1);
  check("part-1", isThere ? await looksOf(blobs, key, uploadId).catch(String) : "none");
  return damage;
}

async function findDamage(dataFolder: string, uploads: Uploads): Promise<string[]> {
  const folder = path.join(dataFolder, "blobs");
  const files = async () => (await readdir(folder, { recursive: true })).filter((name) => name.includes("/"));
  // The sweep lets alone what could be of this process.
  for (const file of await files()) await utimes(path.join(folder, file), 1, 1);
  const engines = await openEmbeddedEngines({ dataFolder, publicUrl: "http://127.0.0.1" });
  await engines.removeOrphans();
  const blobs = engines.blobs("large");
  const damage: string[] = [];
  for (const [key, known] of uploads) {
    damage.push(...(await damageOf(blobs, key, known)));
    await blobs.abandonParts({ key, uploadId: known.uploadId });
  }
  const { items } = await blobs.list({ prefix: "", limit: 1_000_000 });
  const left = (await files()).length;
  if (left !== items.length) damage.push(`${left} files are left for ${items.length} objects`);
  await engines.close();
  return damage;
}

test("no acknowledged part is lost, and no file is left over", async (t) => {
  const folder = await temporaryFolder(t);
  const uploads: Uploads = new Map();
  for (let round = 0; round < KILLS; round += 1) await runAndKill(folder, round, "", uploads);
  t.diagnostic(`${uploads.size} uploads`);
  assert.ok(uploads.size > 0);
  assert.deepEqual((await findDamage(folder, uploads)).slice(0, 20), []);
});

test("an engine that acknowledges too early is found out", async (t) => {
  const folder = await temporaryFolder(t);
  const uploads: Uploads = new Map();
  for (let round = 0; round < KILLS; round += 1) await runAndKill(folder, round, "early", uploads);
  assert.notDeepEqual(await findDamage(folder, uploads), []);
});
