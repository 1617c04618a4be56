/** The power fails between any two steps: of what was not synced, each sector may be there or not. */

import assert from "node:assert/strict";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";
import { mock, test } from "node:test";
import fc from "fast-check";
import { temporaryFolder } from "../../../../tests/harness/temporary-folder.ts";
import { FaceCollections } from "./face-collections.ts";
import { bytesOf, embeddingOf } from "./face-index.samples.ts";

const SECTOR_BYTES = 512;
const DIMENSIONS = 512;
/** More than a group has room for, and few enough to be replaced often. */
const LAST_FACE = 139;
const CUTS_PER_RUN = 4;
/** More than these actions can fill. */
const DISK_BYTES = 4_000_000;
const ALL = { minCosine: -1, limit: 10_000 };

type Write = { file: string; position: number; bytes: Buffer };
type Step = { write: Write } | { sync: string } | { truncate: string; size: number } | { acknowledged: number };

/** Notes what the collections do to the disk, in order, while they do it. */
function recordSteps(steps: Step[]): () => void {
  const names = new Map<number, string>();
  const { openSync, writeSync, fsyncSync, ftruncateSync } = fs;
  mock.method(fs, "openSync", (...parts: Parameters<typeof openSync>) => {
    const handle = openSync(...parts);
    names.set(handle, path.basename(String(parts[0])));
    return handle;
  });
  mock.method(fs, "writeSync", (handle: number, bytes: Uint8Array, from: number, count: number, position: number) => {
    const copy = Buffer.from(bytes.subarray(from, from + count));
    steps.push({ write: { file: names.get(handle) ?? "", position, bytes: copy } });
    return writeSync(handle, bytes, from, count, position);
  });
  mock.method(fs, "fsyncSync", (handle: number) => {
    steps.push({ sync: names.get(handle) ?? "" });
    fsyncSync(handle);
  });
  mock.method(fs, "ftruncateSync", (handle: number, size: number) => {
    steps.push({ truncate: names.get(handle) ?? "", size });
    ftruncateSync(handle, size);
  });
  syncBuiltinESMExports();
  return () => {
    mock.restoreAll();
    syncBuiltinESMExports();
  };
}

/** The one file as the disk has it if the power fails before `end`; undefined if its name is not there yet. */
function diskAfter(steps: Step[], end: number, folderName: string, chance: () => boolean): Buffer | undefined {
  const done = steps.slice(0, end);
  const isFile = (name: string) => name.endsWith(".faces");
  const lastSync = done.findLastIndex((step) => "sync" in step && isFile(step.sync));
  const named = done.some((step) => "sync" in step && step.sync === folderName && isFile(fileBefore(done, step)));
  const disk = Buffer.alloc(DISK_BYTES);
  let size = 0;
  for (const [number, step] of done.entries()) {
    if ("truncate" in step && (number < lastSync || chance())) size = step.size;
    if (!("write" in step)) continue;
    const { bytes, position } = step.write;
    for (let at = 0; at < bytes.length; at += SECTOR_BYTES) {
      if (number > lastSync && !chance()) continue;
      bytes.copy(disk, position + at, at, at + SECTOR_BYTES);
      size = Math.max(size, position + Math.min(at + SECTOR_BYTES, bytes.length));
    }
  }
  return named || chance() ? disk.subarray(0, size) : undefined;
}

/** The file that was written when the folder was synced, if any. */
function fileBefore(steps: Step[], sync: Step): string {
  const write = steps.slice(0, steps.indexOf(sync)).findLast((step) => "write" in step);
  return write && "write" in write ? write.write.file : "";
}

type Action = { add: number[]; looks: number } | { remove: number[] };

const faceNumbers = fc.uniqueArray(fc.nat(LAST_FACE), { minLength: 1, maxLength: 70, size: "max" });
const adding: fc.Arbitrary<Action> = fc.record({ add: faceNumbers, looks: fc.nat(1) });
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 3, arbitrary: adding },
  { weight: 1, arbitrary: fc.record({ remove: faceNumbers }) },
);

const embeddings = new Map<string, Float32Array>();
function looksOf(faceId: string, looks: number): Float32Array {
  const text = `${faceId} ${looks}`;
  const embedding = embeddings.get(text) ?? embeddingOf(text, DIMENSIONS);
  embeddings.set(text, embedding);
  return embedding;
}

/** Whose embedding a sector of the disk is a part of, by how it starts. */
const startOf = (bytes: Buffer, at: number) => bytes.toString("latin1", at, at + 16);
const ownerOf = new Map<string, { faceId: string; looks: number }>();
for (let number = 0; number <= LAST_FACE; number += 1) {
  for (const looks of [0, 1]) {
    const bytes = bytesOf(looksOf(`${number}`, looks));
    for (let at = 0; at < bytes.length; at += SECTOR_BYTES)
      ownerOf.set(startOf(bytes, at), { faceId: `${number}`, looks });
  }
}

function perform(collections: FaceCollections, each: Action): void {
  if ("remove" in each) {
    collections.delete("event", each.remove.map(String));
    return;
  }
  const faces = each.add.map((number) => ({
    faceId: `${number}`,
    externalImageId: `photo-${number}-${each.looks}`,
    embedding: looksOf(`${number}`, each.looks),
  }));
  collections.add("event", faces);
}

function applyTo(truth: Map<string, number>, each: Action): Map<string, number> {
  const next = new Map(truth);
  if ("remove" in each) for (const number of each.remove) next.delete(`${number}`);
  else for (const number of each.add) next.set(`${number}`, each.looks);
  return next;
}

/** Every face is as it was acknowledged, or as the action under way would have it. */
function checkFaces(
  collections: FaceCollections,
  before: Map<string, number>,
  after: Map<string, number>,
): Map<string, number> {
  const found = new Map<string, number>();
  for (const { faceId, externalImageId } of collections.search("event", looksOf("any", 0), ALL)) {
    const looks = Number(externalImageId.split("-")[2]);
    const [self] = collections.search("event", looksOf(faceId, looks), { minCosine: 0.999, limit: 1 });
    assert.equal(self?.faceId, faceId, "its embedding belongs to it");
    found.set(faceId, looks);
  }
  for (const faceId of new Set([...before.keys(), ...after.keys(), ...found.keys()])) {
    const looks = found.get(faceId);
    assert.ok(looks === before.get(faceId) || looks === after.get(faceId), `face ${faceId} looks ${looks}`);
  }
  return found;
}

/** Runs the actions, then cuts the power at some moments and looks what a start on that disk finds. */
function cutPower(folder: string, todo: Action[], moments: number[], chance: () => boolean, forgets: boolean): void {
  const settings = { model: { name: "test", dimensions: DIMENSIONS }, memoryLimitBytes: 1_000_000 };
  const [first, second] = [path.join(folder, "first"), path.join(folder, "second")];
  const collections = new FaceCollections({ ...settings, folder: first });
  const steps: Step[] = [];
  const stop = recordSteps(steps);
  try {
    for (const [number, each] of todo.entries()) {
      perform(collections, each);
      steps.push({ acknowledged: number });
    }
  } finally {
    stop();
  }
  const [name = ""] = fs.readdirSync(first);
  const seen = forgets ? steps.filter((step) => !("sync" in step)) : steps;
  // What is written between two syncs may arrive in any order, so the cuts around a sync stand for those before it.
  const ends = seen.flatMap((step, number) => ("write" in step ? [] : [number, number + 1]));
  for (const moment of moments) {
    const end = ends[Math.floor(moment * ends.length)] ?? 0;
    const disk = diskAfter(seen, end, path.basename(first), chance);
    const acknowledged = seen.slice(0, end).filter((step) => "acknowledged" in step).length;
    const before = todo.slice(0, acknowledged).reduce(applyTo, new Map<string, number>());
    const after = todo.slice(0, acknowledged + 1).reduce(applyTo, new Map<string, number>());
    fs.mkdirSync(second);
    if (disk) checkNothingElse(disk, [before, after]);
    if (disk) fs.writeFileSync(path.join(second, name), disk);
    const found = checkFaces(new FaceCollections({ ...settings, folder: second }), before, after);
    if (disk) checkNothingElse(fs.readFileSync(path.join(second, name)), [found]);
    fs.rmSync(second, { recursive: true });
  }
}

function checkPowerCuts(folder: string, forgets: boolean): void {
  const actions = fc
    .tuple(adding, fc.array(action, { maxLength: 5, size: "max" }))
    .map(([start, others]) => [start, ...others]);
  const moment = fc.noBias(fc.nat(999)).map((thousandths) => thousandths / 1_000);
  const moments = fc.array(moment, { minLength: CUTS_PER_RUN, maxLength: CUTS_PER_RUN });
  const property = fc.property(actions, moments, fc.infiniteStream(fc.boolean()), (todo, whens, coins) => {
    const own = fs.mkdtempSync(path.join(folder, "cut-"));
    cutPower(own, todo, whens, () => coins.next().value as boolean, forgets);
  });
  fc.assert(property, { numRuns: 30, endOnFailure: true });
}

test("nothing acknowledged is lost, nothing is torn, and nothing deleted comes back", async (t) => {
  checkPowerCuts(await temporaryFolder(t), false);
});

test("a disk that does not sync is found out", async (t) => {
  const folder = await temporaryFolder(t);
  assert.throws(() => checkPowerCuts(folder, true), /Property failed/);
});

/** No sector of an embedding is in the file but of a face that may be there. */
function checkNothingElse(contents: Buffer, allowed: Map<string, number>[]): void {
  for (let at = 0; at < contents.length; at += SECTOR_BYTES) {
    const owner = ownerOf.get(startOf(contents, at));
    const mayBeThere = !owner || allowed.some((faces) => faces.get(owner.faceId) === owner.looks);
    assert.ok(mayBeThere, `bytes of face ${owner?.faceId} are left`);
  }
}
