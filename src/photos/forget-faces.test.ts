/** An event's faces go when they should, all of them, and no others. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { analyzedOf, EVENT, PHOTO_EVENT } from "../../tests/harness/photo-samples.ts";
import { openPhotoScene, type PhotoScene } from "../../tests/harness/photo-scene.ts";
import { checkItems, mortal, stillClock, workOff } from "../../tests/harness/photo-work.ts";
import { fanOut } from "./fan-out.ts";
import { beginForgetting } from "./forget-faces.ts";
import { FACES_PARTITION, facesKey, type JobItem } from "./items.ts";
import { findJob } from "./jobs.ts";
import { faceCollection } from "./object-keys.ts";
import { createTick } from "./tick.ts";
import { beginUpload } from "./uploads.ts";

const DAY_MS = 86_400_000;
const box = { left: 0.1, top: 0.1, width: 0.1, height: 0.1 };
const facesOf = (count: number) => [{ faceId: `f${count}`, box, quality: 0.8 }];

/** Which collections were deleted is heard, and then it is done. */
async function open(t: Parameters<typeof openPhotoScene>[0]) {
  const clock = stillClock();
  const scene = await openPhotoScene(t, { workers: false, clock, ownFaces: true });
  const deleted: string[] = [];
  const { recognition } = scene.photos;
  scene.photos.recognition = {
    ...recognition,
    deleteCollection: async (collection) => {
      deleted.push(collection);
      await recognition.deleteCollection(collection);
    },
  };
  return { ...scene, clock, deleted, tick: createTick(scene.photos) };
}

async function noteFaces({ photos }: Pick<PhotoScene, "photos">, event = EVENT): Promise<void> {
  const index = { GSI2PK: FACES_PARTITION, GSI2SK: `EVT#${event.eventId}` };
  await photos.table.write([{ put: { ...facesKey(event), ...index, EntityType: "FACES", ...event } }]);
}

const jobOf = async ({ photos }: Pick<PhotoScene, "photos">) =>
  (await findJob(photos, { kind: "FORGET_FACES", ...EVENT })) as JobItem<"FORGET_FACES"> | undefined;

test("when the organizer asks, the collection goes and photos lose the ids, not the boxes", async (t) => {
  const scene = await open(t);
  await noteFaces(scene);
  const ulids: string[] = [];
  for (let count = 0; count < 230; count += 1) {
    ulids.push((await scene.add({ createdAt: 1_700_000_000_000 + count, faces: facesOf(count), bibs: ["7"] })).ulid);
  }
  const without = await scene.add();
  await beginForgetting(scene.photos, EVENT);
  await workOff(scene.photos);
  assert.deepEqual(scene.errors, []);
  assert.deepEqual(scene.deleted, [faceCollection(EVENT)]);
  assert.equal(await scene.photos.table.get(facesKey(EVENT)), undefined);
  for (const ulid of ulids) {
    const { faceIds, faceCount, faces, bibs } = (await scene.photo(ulid)) ?? {};
    assert.deepEqual(
      { faceIds, faceCount, faces, bibs },
      { faceIds: [], faceCount: 1, faces: [{ box, quality: 0.8 }], bibs: ["7"] },
    );
  }
  assert.deepEqual(await scene.photo(without.ulid), without);
  const job = await jobOf(scene);
  assert.ok(job?.finishedAt);
  assert.equal(job.changed, 230);
  await checkItems(scene);
});

test("it goes on where a process died", async (t) => {
  const scene = await open(t);
  await noteFaces(scene);
  for (let count = 0; count < 230; count += 1) {
    await scene.add({ createdAt: 1_700_000_000_000 + count, faces: facesOf(count) });
  }
  await beginForgetting(scene.photos, EVENT);
  let deaths = 0;
  for (let lifetime = 0; !(await jobOf(scene))?.finishedAt; lifetime = (lifetime + 1) % 9) {
    const { photos, isDead, quiet } = mortal(scene.photos, lifetime);
    await workOff(photos).catch((error) => assert.equal(error.message, "killed"));
    await quiet();
    if (isDead()) deaths += 1;
  }
  assert.ok(deaths > 5, `only ${deaths} deaths`);
  const { items } = await scene.photos.table.query({
    partition: "ORG#han-river#EVT#han-river-10k",
    sort: { beginsWith: "PHOTO#" },
    limit: 1000,
  });
  assert.equal(items.length, 230);
  assert.ok(items.every(({ faceIds }) => (faceIds as string[]).length === 0));
});

test("a photo that comes later keeps its faces until they are to be forgotten again", async (t) => {
  const scene = await open(t);
  await noteFaces(scene);
  await scene.add({ faces: facesOf(1) });
  await beginForgetting(scene.photos, EVENT);
  await workOff(mortal(scene.photos, 6).photos).catch(() => {});
  assert.ok((await jobOf(scene))?.collectionGoneAt);
  scene.clock.move(1000);
  const { ulid } = await scene.add({ faces: facesOf(2) });
  await workOff(scene.photos);
  assert.deepEqual((await scene.photo(ulid))?.faceIds, ["f2"]);
  await beginForgetting(scene.photos, EVENT);
  await workOff(scene.photos);
  assert.deepEqual((await scene.photo(ulid))?.faceIds, []);
});

test("a photo that was on its way when they were forgotten has no ids of them", async (t) => {
  const scene = await open(t);
  await noteFaces(scene);
  const removed: string[] = [];
  const { recognition } = scene.photos;
  scene.photos.recognition = {
    ...recognition,
    deleteFaces: async (_, faceIds) => void removed.push(...faceIds),
  };
  const about = { createdAt: scene.clock.now(), faces: facesOf(3), bibs: ["7"] };
  const indexed = (fileName: string) => {
    const analyzed = analyzedOf(scene.photos.bucket, { ...about, fileName });
    const indexedAt = new Date(scene.clock.now()).toISOString();
    return { ...analyzed, indexFacesResult: { ...analyzed.indexFacesResult, indexedAt } };
  };
  const before = indexed("before.jpg");
  scene.clock.move(1000);
  await beginForgetting(scene.photos, EVENT);
  await workOff(scene.photos);
  scene.clock.move(1000);
  const after = indexed("after.jpg");
  for (const analyzed of [before, after]) {
    const { orgId, eventId, ulid, rawKey, createdAt: uploadedAt } = analyzed;
    await scene.photos.table.write(beginUpload({ orgId, eventId, ulid, rawKey, uploadedAt }, uploadedAt));
    await fanOut(scene.photos, analyzed);
  }
  const { faceIds, faces, faceCount } = (await scene.photo(before.ulid)) ?? {};
  assert.deepEqual({ faceIds, faces, faceCount }, { faceIds: [], faces: [{ box, quality: 0.8 }], faceCount: 1 });
  assert.deepEqual(removed, ["f3"]);
  assert.deepEqual((await scene.photo(after.ulid))?.faceIds, ["f3"]);
});

test("a photo that is written while they are being forgotten is looked at once more", async (t) => {
  const scene = await open(t);
  await noteFaces(scene);
  const analyzed = analyzedOf(scene.photos.bucket, { createdAt: scene.clock.now(), faces: facesOf(3) });
  const indexedAt = new Date(scene.clock.now()).toISOString();
  const { orgId, eventId, ulid, rawKey, createdAt: uploadedAt } = analyzed;
  await scene.photos.table.write(beginUpload({ orgId, eventId, ulid, rawKey, uploadedAt }, uploadedAt));
  scene.clock.move(1000);
  const { table } = scene.photos;
  let isFirst = true;
  const write: typeof table.write = async (actions) => {
    const forgets = isFirst;
    isFirst = false;
    if (forgets) {
      await beginForgetting(scene.photos, EVENT);
      await workOff(scene.photos);
    }
    return table.write(actions);
  };
  const slow = new Proxy(table, { get: (on, name) => (name === "write" ? write : Reflect.get(on, name).bind(on)) });
  await fanOut(
    { ...scene.photos, table: slow },
    { ...analyzed, indexFacesResult: { ...analyzed.indexFacesResult, indexedAt } },
  );
  assert.deepEqual((await scene.photo(ulid))?.faceIds, []);
});

test("they go by themselves at the retention date, not before, and not because no more are indexed", async (t) => {
  const scene = await open(t);
  await noteFaces(scene);
  const { ulid } = await scene.add({ faces: facesOf(1) });
  const facesUntil = scene.clock.now() + DAY_MS;
  scene.facts.events.set(EVENT.eventId, { ...PHOTO_EVENT, faceIndexing: false, facesUntil });
  scene.clock.move(DAY_MS - 1);
  await scene.tick();
  await workOff(scene.photos);
  assert.deepEqual(scene.deleted, []);
  scene.clock.move(60_001);
  await scene.tick();
  await workOff(scene.photos);
  assert.deepEqual(scene.errors, []);
  assert.deepEqual(scene.deleted, [faceCollection(EVENT)]);
  assert.deepEqual((await scene.photo(ulid))?.faceIds, []);
  scene.clock.move(60_001);
  await scene.tick();
  await workOff(scene.photos);
  assert.equal(scene.deleted.length, 1);
});

test("they go when the event is gone, or is another organization's by now, and other events keep theirs", async (t) => {
  const scene = await open(t);
  const other = { orgId: "seoul", eventId: "seoul-run" };
  const kept = { orgId: "han-river", eventId: "kept" };
  for (const event of [EVENT, other, kept]) await noteFaces(scene, event);
  scene.facts.events.delete(EVENT.eventId);
  scene.facts.events.set(other.eventId, { ...PHOTO_EVENT, orgId: "busan", eventId: other.eventId });
  scene.facts.events.set(kept.eventId, { ...PHOTO_EVENT, ...kept });
  await scene.tick();
  await workOff(scene.photos);
  assert.deepEqual(scene.deleted.sort(), [faceCollection(EVENT), faceCollection(other)].sort());
  const { items } = await scene.photos.table.query({ index: "GSI2", partition: FACES_PARTITION, limit: 10 });
  assert.deepEqual(
    items.map(({ eventId }) => eventId),
    ["kept"],
  );
});
