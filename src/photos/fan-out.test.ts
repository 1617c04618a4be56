/** Fan-out: a photo and its index items appear together, once, and follow what was last found. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { analyzedOf, EVENT } from "../../tests/harness/photo-samples.ts";
import { openPhotoScene, type PhotoScene } from "../../tests/harness/photo-scene.ts";
import { fanOut } from "./fan-out.ts";
import { type BibCountItem, bibCountKey, bibPartition, eventPartition, photoKey } from "./items.ts";
import { beginUpload, readCounts } from "./uploads.ts";
import type { AnalyzedPhoto } from "./workflow-data.ts";

const open = (t: Parameters<typeof openPhotoScene>[0]) => openPhotoScene(t, { workers: false });
const face = { faceId: "f1", box: { left: 0.1, top: 0.1, width: 0.1, height: 0.1 }, quality: 0.8 };

async function bibItems({ photos }: PhotoScene, bib: string): Promise<string[]> {
  const { items } = await photos.table.query({
    index: "GSI1",
    partition: bibPartition(EVENT.eventId, bib),
    limit: 10,
  });
  return items.map(({ ulid }) => ulid as string);
}

async function countOf({ photos }: PhotoScene, bib: string): Promise<number> {
  return ((await photos.table.get(bibCountKey(EVENT, bib))) as BibCountItem | undefined)?.photos ?? 0;
}

async function begin({ photos }: PhotoScene, analyzed: AnalyzedPhoto): Promise<void> {
  const { orgId, eventId, ulid, rawKey, createdAt: uploadedAt } = analyzed;
  await photos.table.write(beginUpload({ orgId, eventId, ulid, rawKey, uploadedAt }, uploadedAt));
}

test("a photo has the keys and attributes that other tools read", async (t) => {
  const scene = await open(t);
  const createdAt = Date.parse("2027-04-18T01:02:03.000Z");
  const photo = await scene.add({ bibs: ["1024"], photographerId: "minji-kim", createdAt, faces: [face] });
  assert.equal(photo.PK, "ORG#han-river#EVT#han-river-10k");
  assert.equal(photo.SK, `PHOTO#${photo.ulid}`);
  assert.equal(photo.GSI2PK, "PHOTOGRAPHER#minji-kim");
  assert.equal(photo.GSI2SK, "EVT#han-river-10k#TIME#2027-04-18T01:02:03.000Z");
  assert.equal(photo.s3Uri, `s3://snaprace-photos/han-river/han-river-10k/processed/${photo.ulid}.jpg`);
  const { bibs, bibCount, faceIds, faceCount, photographerHandle, photographerDisplayName } = photo;
  assert.deepEqual(
    { bibs, bibCount, faceIds, faceCount, photographerHandle, photographerDisplayName },
    {
      bibs: ["1024"],
      bibCount: 1,
      faceIds: ["f1"],
      faceCount: 1,
      photographerHandle: "minji.runs",
      photographerDisplayName: "Minji Kim Photo",
    },
  );
  const index = await scene.photos.table.get({ PK: photo.PK, SK: `BIB#1024#PHOTO#${photo.ulid}` });
  assert.equal(index?.GSI1PK, "EVT#han-river-10k#BIB#1024");
  assert.equal(index?.GSI1SK, `PHOTO#${photo.ulid}`);
});

test("writing again changes nothing, not even the time", async (t) => {
  const scene = await open(t);
  const analyzed = analyzedOf("snaprace-photos", { bibs: ["7", "8"], createdAt: 1000, photographerId: "minji-kim" });
  await begin(scene, analyzed);
  await fanOut(scene.photos, analyzed);
  const { partition, limit } = { partition: eventPartition(EVENT), limit: 100 };
  const before = await scene.photos.table.query({ partition, limit });
  await fanOut(scene.photos, analyzed);
  assert.deepEqual(await scene.photos.table.query({ partition, limit }), before);
  assert.ok(before.items.length >= 7);
});

test("a bib taken away takes its index item with it, and a new one brings its own", async (t) => {
  const scene = await open(t);
  const analyzed = analyzedOf("snaprace-photos", { bibs: ["7", "8"], createdAt: 1000 });
  await begin(scene, analyzed);
  await fanOut(scene.photos, analyzed);
  const { rawText } = analyzedOf("snaprace-photos", { bibs: ["8", "9"] }).detectTextResult;
  const again = { ...analyzed, detectTextResult: { ...analyzed.detectTextResult, rawText } };
  await fanOut(scene.photos, again);
  assert.deepEqual((await scene.photo(analyzed.ulid))?.bibs.sort(), ["8", "9"]);
  assert.deepEqual(await bibItems(scene, "7"), []);
  assert.deepEqual(await bibItems(scene, "8"), [analyzed.ulid]);
  assert.deepEqual(await bibItems(scene, "9"), [analyzed.ulid]);
  assert.deepEqual([await countOf(scene, "7"), await countOf(scene, "8"), await countOf(scene, "9")], [0, 1, 1]);
});

test("counts follow: a photo without a bib is counted until it has one", async (t) => {
  const scene = await open(t);
  const analyzed = analyzedOf("snaprace-photos", { createdAt: 1000, faces: [face] });
  await begin(scene, analyzed);
  const under = await readCounts(scene.photos.table, EVENT);
  assert.deepEqual([under.uploaded, under.processing, under.done], [1, 1, 0]);
  await fanOut(scene.photos, analyzed);
  const { rawText } = analyzedOf("snaprace-photos", { bibs: ["8"] }).detectTextResult;
  const counts = await readCounts(scene.photos.table, EVENT);
  assert.deepEqual(counts, {
    uploaded: 1,
    processing: 0,
    done: 1,
    failed: 0,
    duplicate: 0,
    withoutBib: 1,
    withFaces: 1,
  });
  await fanOut(scene.photos, { ...analyzed, detectTextResult: { bibs: ["8"], rawText, confidence: 0.9 } });
  assert.equal((await readCounts(scene.photos.table, EVENT)).withoutBib, 0);
});

test("a number that is not on the roster is nobody's", async (t) => {
  const scene = await open(t);
  scene.facts.rosters.set(EVENT.eventId, new Set(["7"]));
  assert.deepEqual((await scene.add({ bibs: ["7", "8"] })).bibs, ["7"]);
});

test("a photo has as many bibs as fit into one transaction", async (t) => {
  const scene = await open(t);
  const bibs = Array.from({ length: 60 }, (_, index) => String(1000 + index));
  const photo = await scene.add({ bibs });
  assert.equal(photo.bibCount, 40);
  assert.deepEqual(await bibItems(scene, photo.bibs[39] ?? ""), [photo.ulid]);
});

describe("a name that changes meanwhile", () => {
  test("reaches the photo that was just being written", async (t) => {
    const scene = await open(t);
    const { creditForPhotos } = scene.photos.facts;
    let asked = 0;
    scene.photos.facts.creditForPhotos = async (photographerId) => {
      asked += 1;
      const credit = await creditForPhotos(photographerId);
      if (asked === 1 && credit) {
        const renamed = { ...credit, displayName: "Minji", asOf: new Date(Date.now() + 1000).toISOString() };
        scene.facts.credits.set(photographerId, renamed);
      }
      return credit;
    };
    assert.equal((await scene.add({ photographerId: "minji-kim" })).photographerDisplayName, "Minji");
  });
});

describe("a photo that was deleted meanwhile", () => {
  test("does not come back, and leaves no object", async (t) => {
    const scene = await open(t);
    const analyzed = analyzedOf("snaprace-photos", { bibs: ["7"], createdAt: 1000 });
    await begin(scene, analyzed);
    const { table, blobs } = scene.photos;
    await blobs.put(analyzed.processedKey, new Uint8Array(3), { contentType: "image/jpeg" });
    const upload = await scene.upload(analyzed.ulid);
    assert.ok(upload);
    await table.write([{ put: { ...upload, status: "DELETED" } }]);
    await assert.rejects(fanOut(scene.photos, analyzed), { name: "UnusablePhoto", message: /^photo\.deleted: / });
    assert.equal(await table.get(photoKey(EVENT, analyzed.ulid)), undefined);
    assert.equal(await blobs.head(analyzed.processedKey), undefined);
  });
});
