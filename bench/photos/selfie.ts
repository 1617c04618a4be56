/** How long a runner waits for the photos of their selfie, by the API and with a hundred thousand faces in the event: on a quiet machine, and while photos come in. */

import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Hono } from "hono";
import sharp from "sharp";
import { composePhoto } from "../../src/photos/compose-photo.ts";
import { selfieRoutes } from "../../src/photos/http-selfie.ts";
import { type OpenedPhotos, openPhotos } from "../../src/photos/index.ts";
import type { PhotoItem } from "../../src/photos/items.ts";
import { faceCollection, rawKey } from "../../src/photos/object-keys.ts";
import { photoIdOf } from "../../src/photos/photo-id.ts";
import { PHOTO_BUCKET, photoTable } from "../../src/photos/photos.ts";
import { findUpload } from "../../src/photos/uploads.ts";
import { createAccessTokens } from "../../src/platform/access-tokens.ts";
import { selfieOf, THREE } from "../../src/platform/contracts/recognition-samples.ts";
import { type EmbeddedEngines, openEmbeddedEngines } from "../../src/platform/embedded/engines.ts";
import { type IndexedFace, openFaceIndex } from "../../src/platform/embedded/vision/face-index.ts";
import { openLookers } from "../../src/platform/embedded/vision/lookers.ts";
import { readModels } from "../../src/platform/embedded/vision/models.ts";
import { createApi } from "../../src/platform/http/api.ts";
import { apiOnHono } from "../../src/platform/http/on-hono.ts";
import { createRateLimit } from "../../src/platform/http/rate-limit.ts";
import { startWork } from "../../src/platform/queue-work.ts";
import { analyzedOf, EVENT, PHOTO_EVENT } from "../../tests/harness/photo-samples.ts";
import { Random } from "../../tests/simulation/random.ts";
import { percentile } from "../entry/figures.ts";
import { below, count, figure, progress } from "../entry/report.ts";
import type { Row } from "../run.ts";
import { type PhotoFile, readPhoto, withComment } from "./make-files.ts";

const FACES = 100_000;
const FACES_AT_ONCE = 2000;
/** As many as a runner may be in who was everywhere. */
const OWN_PHOTOS = 50;
const SEARCHES = 60;
const MOST_MS = 1500;
const STAGE = "bench";
/** As phones take it: twelve megapixels. */
const SELFIE_WIDTH = 3450;
/** More than there are workers, so that some wait whenever a selfie comes. */
const PHOTOS_AT_ONCE = 8;
const LOOK_EVERY_MS = 200;

/** `files` are the photos that come in; they must be more than the engine remembers looks of. */
export async function measureSelfies(files: PhotoFile[]): Promise<Row[]> {
  const dataFolder = await mkdtemp(join(tmpdir(), "snaprace-bench-selfie-"));
  try {
    const small = await selfieOf(THREE);
    await fillIndex(join(dataFolder, "faces"), await embeddingOf(small));
    const engines = await openEmbeddedEngines({ dataFolder, publicUrl: "http://127.0.0.1:8080" });
    try {
      const selfie = await sharp(small).resize(SELFIE_WIDTH).jpeg({ quality: 92 }).toBuffer();
      return await measureOn(engines, selfie, files);
    } finally {
      await engines.close();
    }
  } finally {
    await rm(dataFolder, { recursive: true, force: true });
  }
}

async function measureOn(engines: EmbeddedEngines, selfie: Buffer, files: PhotoFile[]): Promise<Row[]> {
  const items = ownPhotos();
  for (let from = 0; from < items.length; from += 25) {
    await engines.table(photoTable(STAGE)).write(items.slice(from, from + 25).map((put) => ({ put })));
  }
  progress(`selfies: ${count(FACES)} faces are remembered`);
  const { app, opened } = appOn(engines);
  await engines.recognition.load();
  const firstMs = await searchMs(app, selfie);
  const look = await timesOf(20, () => timed(() => engines.recognition.look(selfie, "largest-face")));
  const quiet = await timesOf(SEARCHES, () => searchMs(app, selfie));
  progress(`selfies: ${SEARCHES} while no photos come in; the machine's load ${loadavg()[0]?.toFixed(2)}`);
  const coming = keepComing(engines, opened, files);
  await coming.first;
  const busy = await timesOf(SEARCHES, () => searchMs(app, selfie));
  const photos = await coming.stop();
  progress(`selfies: ${SEARCHES} while ${photos} photos came in; the machine's load ${loadavg()[0]?.toFixed(2)}`);
  const name = `selfie search among ${count(FACES)} faces`;
  return [
    below(`${name}, p95`, percentile(quiet, 0.95), "ms", MOST_MS),
    figure(`${name}, median`, percentile(quiet, 0.5), "ms"),
    below(`${name} while photos come in, p95`, percentile(busy, 0.95), "ms", MOST_MS),
    figure(`${name} while photos come in, median`, percentile(busy, 0.5), "ms"),
    figure(`${name}: finding the face in it, median`, percentile(look, 0.5), "ms"),
    figure(`${name}: the first, which loads the faces`, firstMs, "ms"),
  ];
}

/** Strangers point anywhere; the runner's own faces point nearly as the selfie does. */
async function fillIndex(folder: string, selfie: Float32Array): Promise<void> {
  const { name, sha256 } = readModels().faceEmbedder;
  const index = await openFaceIndex({ folder, model: { name: `${name} ${sha256}`, dimensions: selfie.length } });
  const random = new Random(11);
  const own = ownPhotos().map(({ ulid }, n) => {
    const embedding = unitVector(random, selfie.length, (value, i) => (selfie[i] as number) + value);
    return { faceId: `own-${n}`, externalImageId: ulid, embedding };
  });
  await index.add(faceCollection(EVENT), own);
  for (let first = own.length; first < FACES; first += FACES_AT_ONCE) {
    const length = Math.min(FACES_AT_ONCE, FACES - first);
    const faces: IndexedFace[] = Array.from({ length }, (_, n) => ({
      faceId: `face-${first + n}`,
      externalImageId: `photo-${(first + n) >> 1}`,
      embedding: unitVector(random, selfie.length, (value) => value),
    }));
    await index.add(faceCollection(EVENT), faces);
  }
  await index.close();
}

function unitVector(random: Random, length: number, at: (value: number, i: number) => number): Float32Array {
  const raw = Float32Array.from({ length }, (_, i) => at((random.fraction() - 0.5) / 10, i));
  const size = Math.hypot(...raw);
  return raw.map((value) => value / size);
}

async function embeddingOf(image: Buffer): Promise<Float32Array> {
  const lookers = openLookers({ workers: 1 });
  try {
    const [face] = (await lookers.look(image, "largest-face")).faces;
    if (!face) throw new Error("the selfie has no face");
    return face.embedding;
  } finally {
    await lookers.close();
  }
}

function ownPhotos(): PhotoItem[] {
  return Array.from({ length: OWN_PHOTOS }, (_, n) => {
    const analyzed = analyzedOf(PHOTO_BUCKET, { fileName: `IMG_${n}.jpg`, createdAt: 1_800_000_000_000 + n });
    const findings = { reading: { bibs: [], partial: [], refused: [] }, credit: undefined, also: [] };
    return { ...composePhoto(analyzed, findings), updatedAt: analyzed.createdAt } as PhotoItem;
  });
}

function appOn(engines: EmbeddedEngines): { app: Hono; opened: OpenedPhotos } {
  const facts = {
    eventForPhotos: async () => PHOTO_EVENT,
    rosterOf: async () => new Set<string>(),
    creditForPhotos: async () => undefined,
    isAssigned: async () => false,
  };
  const tell = () => {};
  const opened = openPhotos({ engines, facts, stage: STAGE, onSkip: tell, onError: tell });
  const unlimited = createRateLimit({ requests: 1e9, windowMs: 1000, now: Date.now });
  const tokens = createAccessTokens(engines.secret, { now: Date.now, revokedBefore: () => 0 });
  let address = 0;
  const api = createApi({
    routes: selfieRoutes(opened.photos),
    caller: { tokens, renew: async () => undefined, publicUrl: "http://127.0.0.1:8080" },
    facts: { ...facts, organizationOf: async () => undefined, eventOfRequest: async () => undefined },
    userLimit: unlimited,
    addressLimit: unlimited,
    // Nobody may ask as often as this does.
    addressOf: () => String(++address),
    refuse: (error) => {
      throw error;
    },
  });
  return { app: apiOnHono(api, { document: {} as never, corsOrigins: [] }), opened };
}

function searchMs(app: Hono, selfie: Buffer): Promise<number> {
  return timed(async () => {
    const url = `http://127.0.0.1:8080/api/events/${EVENT.eventId}/selfie-search`;
    const headers = { "content-type": "image/jpeg" };
    const answer = await app.request(url, { method: "POST", body: new Uint8Array(selfie), headers });
    const { items } = (await answer.json()) as { items?: unknown[] };
    // Somebody in the photos that come in may be as alike.
    if (!items || items.length < OWN_PHOTOS)
      throw new Error(`only ${items?.length} of ${OWN_PHOTOS} photos were found`);
  });
}

/** Photos go their whole way, one after the other in each of several lines. */
function keepComing(engines: EmbeddedEngines, { photos, work }: OpenedPhotos, files: PhotoFile[]) {
  const first = Promise.withResolvers<void>();
  const working = startWork(engines, work);
  let isStopped = false;
  let sent = 0;
  let done = 0;
  const lines = Array.from({ length: PHOTOS_AT_ONCE }, async () => {
    while (!isStopped) {
      const turn = sent++;
      const bytes = withComment(await readPhoto(files[turn % files.length] as PhotoFile), `${turn}`);
      const key = rawKey(EVENT, `COMING_${turn}.jpg`);
      const ulid = photoIdOf(photos.bucket, await photos.blobs.put(key, bytes, { contentType: "image/jpeg" }));
      while ((await findUpload(photos.table, { ...EVENT, ulid }))?.status !== "DONE") await delay(LOOK_EVERY_MS);
      done += 1;
      first.resolve();
    }
  });
  return {
    first: first.promise,
    stop: async () => {
      isStopped = true;
      const before = done;
      await Promise.all(lines);
      await working.stop();
      return before;
    },
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function timesOf(times: number, measure: () => Promise<number>): Promise<Float64Array> {
  const taken: number[] = [];
  for (let n = 0; n < times; n += 1) taken.push(await measure());
  return Float64Array.from(taken).sort();
}
