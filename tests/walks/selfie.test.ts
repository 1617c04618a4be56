/** A runner searches with a selfie on a real server that logs all it can; afterwards nothing of the selfie is anywhere. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { composePhoto } from "../../src/photos/compose-photo.ts";
import type { PhotoItem } from "../../src/photos/items.ts";
import { type EventPlace, faceCollection } from "../../src/photos/object-keys.ts";
import { PHOTO_BUCKET, photoTable } from "../../src/photos/photos.ts";
import { createAccessTokens } from "../../src/platform/access-tokens.ts";
import { selfieOf, THREE } from "../../src/platform/contracts/recognition-samples.ts";
import { openEmbeddedEngines } from "../../src/platform/embedded/engines.ts";
import { analyzedOf } from "../harness/photo-samples.ts";
import { type RunningServer, startServer } from "../harness/server.ts";
import { temporaryFolder } from "../harness/temporary-folder.ts";

const EVENT: EventPlace = { orgId: "han-river", eventId: "han-river-10k" };
const STAGE = "walk";
const SLICE_BYTES = 48;

let dataFolder: string;
let server: RunningServer;
let selfie: Buffer;
let embedding: Float32Array;
let ulid: string;
let token: string;
const cleanups: (() => Promise<void>)[] = [];

before(async () => {
  dataFolder = await temporaryFolder({ after: (clean) => cleanups.push(clean) });
  selfie = await selfieOf(THREE);
  const secret = await fillFolder();
  const tokens = createAccessTokens(secret, { now: Date.now, revokedBefore: () => 0 });
  const operator = { userId: "operator", operator: true, organizations: [], photographers: [] };
  token = tokens.issue({ ...operator, session: false, tokenId: "t_walk" }, 3_600_000);
  server = await startServer({ dataFolder, LOG_LEVEL: "trace", SNAPRACE_STAGE: STAGE });
  await call("/admin/organizations", { orgId: EVENT.orgId, name: "Han River Runners" });
  const event = { name: "Han River 10K", date: "2099-05-01", timeZone: "Asia/Seoul", published: true };
  await call(`/admin/organizations/${EVENT.orgId}/events`, { ...event, eventId: EVENT.eventId });
});
after(async () => {
  await server?.stop();
  for (const clean of cleanups) await clean();
});

/** One photo of the person, whose face is remembered. */
async function fillFolder(): Promise<Uint8Array> {
  const engines = await openEmbeddedEngines({ dataFolder, publicUrl: "http://127.0.0.1" });
  try {
    const analyzed = analyzedOf(PHOTO_BUCKET, { event: EVENT, createdAt: Date.now() });
    const findings = { reading: { bibs: [], partial: [], refused: [] }, credit: undefined, also: [] };
    const photo = { ...composePhoto(analyzed, findings), updatedAt: analyzed.createdAt } as PhotoItem;
    await engines.table(photoTable(STAGE)).write([{ put: photo }]);
    await engines.recognition.indexFaces(faceCollection(EVENT), THREE.photo(), analyzed.ulid);
    const [face] = (await engines.recognition.look(selfie, "largest-face")).faces;
    assert.ok(face);
    embedding = face.embedding;
    ulid = analyzed.ulid;
    return engines.secret;
  } finally {
    await engines.close();
  }
}

async function call(path: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const answer = await fetch(`${server.url}/api${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  assert.equal(answer.status, 201, await answer.text());
}

function search(body: NonNullable<RequestInit["body"]>, headers: { [name: string]: string } = {}): Promise<Response> {
  return fetch(`${server.url}/api/events/${EVENT.eventId}/selfie-search`, { method: "POST", body, headers });
}

/** Pieces of the picture and of its embedding, in the forms in which programs write bytes and numbers down. */
function piecesOfSelfie(): { [what: string]: Buffer[] } {
  const numbers = Buffer.from(embedding.buffer, embedding.byteOffset, embedding.byteLength);
  return { ...piecesOf("picture", selfie), ...piecesOf("embedding", numbers), ...writtenOut(embedding) };
}

function piecesOf(what: string, bytes: Buffer): { [what: string]: Buffer[] } {
  // From a multiple of three bytes on, the base64 of a part is a part of the whole's.
  const slices = [0, 0.2, 0.4, 0.6, 0.8].map((share) => {
    const from = Math.floor((bytes.length * share) / 12) * 12;
    return bytes.subarray(from, from + SLICE_BYTES);
  });
  return {
    [`${what}, as it is`]: slices,
    [`${what}, in base64`]: slices.map((slice) => Buffer.from(slice.toString("base64"))),
    [`${what}, in base64url`]: slices.map((slice) => Buffer.from(slice.toString("base64url"))),
    [`${what}, in hex`]: slices.map((slice) => Buffer.from(slice.toString("hex"))),
  };
}

function writtenOut(numbers: Float32Array): { [what: string]: Buffer[] } {
  const some = [0, 100, 200, 300].map((from) => [...numbers.subarray(from, from + 4)]);
  return { "embedding, as JSON": some.map((part) => Buffer.from(part.join(","))) };
}

/** What of the selfie is where. */
function tracesIn(log: string): string[] {
  const files = readdirSync(dataFolder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const places = files.map(({ parentPath, name }) => ({ name, bytes: readFileSync(join(parentPath, name)) }));
  assert.ok(places.length > 3, "the data folder has files");
  const pieces = Object.entries(piecesOfSelfie());
  return [...places, { name: "the log", bytes: Buffer.from(log) }].flatMap(({ name, bytes }) =>
    pieces.filter(([, some]) => some.some((piece) => bytes.includes(piece))).map(([what]) => `${what}, in ${name}`),
  );
}

test("a selfie finds the runner's photo, and nothing of it is kept or logged, whatever the answer was", async () => {
  const form = new FormData();
  form.append("selfie", new File([new Uint8Array(selfie)], "selfie.jpg", { type: "image/jpeg" }));
  for (const body of [new Uint8Array(selfie), form]) {
    const answer = await search(body, body instanceof FormData ? {} : { "content-type": "image/jpeg" });
    const { items } = (await answer.json()) as { items: { ulid: string }[] };
    assert.deepEqual([answer.status, items.map((item) => item.ulid)], [200, [ulid]]);
  }
  const half = await search(new Uint8Array(selfie.subarray(0, selfie.length / 2)), { "content-type": "image/jpeg" });
  assert.equal(half.status, 400);
  const garbled = await search(new Uint8Array(selfie), { "content-type": "multipart/form-data; boundary=x" });
  assert.equal(garbled.status, 400);
  const { stdout, stderr, exitCode } = await server.stop();
  assert.equal(exitCode, 0);
  assert.match(stderr, /selfie-search/, "the log tells of the searches");
  assert.deepEqual(tracesIn(stdout + stderr), []);
});

test("were it there, it would be found", async () => {
  const log = (what: string) => `{"level":"debug","body":"${what}"}\n`;
  assert.deepEqual(tracesIn(log(selfie.toString("base64"))), ["picture, in base64, in the log"]);
  assert.deepEqual(tracesIn(log(JSON.stringify([...embedding]))), ["embedding, as JSON, in the log"]);
  await writeFile(join(dataFolder, "upload.tmp"), selfie);
  const engines = await openEmbeddedEngines({ dataFolder, publicUrl: "http://127.0.0.1" });
  await engines.recognition.indexFaces(faceCollection(EVENT), selfie, "selfie");
  await engines.close();
  const traces = tracesIn("");
  assert.ok(traces.includes("picture, as it is, in upload.tmp"), traces.join("\n"));
  assert.ok(
    traces.some((trace) => trace.startsWith("embedding, as it is")),
    traces.join("\n"),
  );
});
