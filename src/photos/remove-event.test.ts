/** When an event is gone, all that photos keep of it goes, and nothing of an event that has its id now. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { analyzedOf, EVENT, PHOTO_EVENT } from "../../tests/harness/photo-samples.ts";
import { openPhotoScene, type PhotoScene } from "../../tests/harness/photo-scene.ts";
import {
  allItems,
  checkItems,
  mortal,
  objectsOf,
  putObjects,
  rememberStarts,
  stillClock,
  workOff,
} from "../../tests/harness/photo-work.ts";
import { deletePhoto } from "./delete-photo.ts";
import { fanOut } from "./fan-out.ts";
import { followRegistry } from "./follow-registry.ts";
import { FACES_PARTITION, facesKey, JOBS_PARTITION } from "./items.ts";
import { type EventPlace, faceCollection, processedKey, rawKey } from "./object-keys.ts";
import { beginReprocessing } from "./reprocess.ts";
import { createTick } from "./tick.ts";
import { beginUpload, readCounts } from "./uploads.ts";

const HOURS_MS = 2 * 3_600_000;
const face = { faceId: "f1", box: { left: 0.1, top: 0.1, width: 0.1, height: 0.1 }, quality: 0.8 };
const OTHER: EventPlace = { orgId: "han-river", eventId: "han-river-10k-2" };

async function open(t: Parameters<typeof openPhotoScene>[0]) {
  const clock = stillClock();
  const scene = await openPhotoScene(t, { workers: false, clock });
  rememberStarts(scene.photos);
  const deletedFaces: string[] = [];
  const deletedCollections: string[] = [];
  scene.photos.recognition = {
    ...scene.photos.recognition,
    deleteFaces: async (_, faceIds) => void deletedFaces.push(...faceIds),
    deleteCollection: async (collection) => void deletedCollections.push(collection),
  };
  scene.facts.events.set(OTHER.eventId, { ...PHOTO_EVENT, ...OTHER });
  return { ...scene, clock, deletedFaces, deletedCollections, tick: createTick(scene.photos) };
}

/** Photos of all kinds, with what belongs to them. */
async function fill(scene: PhotoScene, count: number, event = EVENT, firstName = 0): Promise<string[]> {
  const ulids: string[] = [];
  for (let added = 0; added < count; added += 1) {
    const about = {
      bibs: [String(added % 7)],
      fileName: `IMG_${firstName + added}.jpg`,
      faces: added % 2 ? [face] : [],
    };
    const photo = await scene.add({ ...about, event, photographerId: "minji-kim" });
    await putObjects(scene, [photo.rawKey, photo.processedKey, photo.thumbnailKey]);
    ulids.push(photo.ulid);
  }
  const index = { GSI2PK: FACES_PARTITION, GSI2SK: `EVT#${event.eventId}` };
  await scene.photos.table.write([{ put: { ...facesKey(event), ...index, EntityType: "FACES", ...event } }]);
  return ulids;
}

async function tellRemoved({ photos }: PhotoScene, { orgId, eventId }: EventPlace = EVENT): Promise<void> {
  const occurredAt = new Date(photos.clock.now()).toISOString();
  const body = JSON.stringify({ type: "event.removed", eventId, orgId, revision: 1, occurredAt });
  assert.deepEqual(await followRegistry(photos)([{ id: "1", body, receives: 1, sentAt: 0 }]), []);
}

async function jobsLeft({ photos }: PhotoScene): Promise<number> {
  return (await photos.table.query({ index: "GSI2", partition: JOBS_PARTITION, limit: 10 })).items.length;
}

test("items, objects and faces go, in the end without a trace, and other events keep theirs", async (t) => {
  const scene = await open(t);
  const [first = ""] = await fill(scene, 120);
  await fill(scene, 3, OTHER);
  await deletePhoto(scene.photos, { ...EVENT, ulid: first });
  await beginReprocessing(scene.photos, EVENT, "failed");
  const others = await allItems(scene, OTHER);
  scene.facts.events.delete(EVENT.eventId);
  await tellRemoved(scene);
  await workOff(scene.photos);
  const left = await allItems(scene);
  assert.deepEqual(
    left.map(({ SK }) => SK),
    ["JOB#REMOVE_EVENT"],
  );
  assert.deepEqual(await objectsOf(scene), []);
  assert.deepEqual(scene.deletedCollections, [faceCollection(EVENT)]);
  assert.deepEqual(await allItems(scene, OTHER), others);
  assert.equal((await objectsOf(scene, OTHER)).length, 9);
  // With a URL that was signed before; and what work that was under way left.
  await putObjects(scene, [rawKey(EVENT, "late.jpg"), processedKey(EVENT, first)]);
  scene.clock.move(HOURS_MS);
  await scene.tick();
  await workOff(scene.photos);
  assert.deepEqual(await allItems(scene), []);
  assert.deepEqual(await objectsOf(scene), []);
  assert.equal(await jobsLeft(scene), 0);
});

test("it goes on where a process died, and counts stay true all the way", async (t) => {
  const scene = await open(t);
  await fill(scene, 110);
  scene.facts.events.delete(EVENT.eventId);
  await tellRemoved(scene);
  let deaths = 0;
  const isOver = async () =>
    (await allItems(scene)).every(({ SK, rounds }) => SK === "JOB#REMOVE_EVENT" && rounds === 1);
  for (let lifetime = 0; !(await isOver()); lifetime = (lifetime + 11) % 230) {
    const { photos, isDead, quiet } = mortal(scene.photos, lifetime);
    await workOff(photos).catch((error) => assert.equal(error.message, "killed"));
    await quiet();
    await checkItems(scene);
    if (isDead()) deaths += 1;
  }
  assert.ok(deaths > 5, `only ${deaths} deaths`);
  assert.deepEqual(await objectsOf(scene), []);
});

test("an event made anew under its id keeps what is its own, and its counts are right", async (t) => {
  const scene = await open(t);
  await fill(scene, 70);
  await tellRemoved(scene);
  const oldFaces = (await allItems(scene)).flatMap(({ faceIds }) => (faceIds as string[] | undefined) ?? []);
  scene.clock.move(10);
  const fresh = await fill(scene, 5, EVENT, 1000);
  await workOff(scene.photos);
  await checkItems(scene);
  const { uploaded, done } = await readCounts(scene.photos.table, EVENT);
  assert.deepEqual({ uploaded, done }, { uploaded: 5, done: 5 });
  for (const ulid of fresh) assert.ok(await scene.photo(ulid));
  const keys = await objectsOf(scene);
  assert.equal(keys.filter((key) => key.includes("/processed/")).length, 10);
  assert.deepEqual(scene.deletedCollections, []);
  assert.equal(scene.deletedFaces.length, oldFaces.length);
  assert.ok(await scene.photos.table.get(facesKey(EVENT)));
  scene.clock.move(HOURS_MS);
  await scene.tick();
  await workOff(scene.photos);
  await checkItems(scene);
  assert.equal((await readCounts(scene.photos.table, EVENT)).done, 5);
  assert.equal(await jobsLeft(scene), 0);
});

test("under another organization the old one's goes all the same", async (t) => {
  const scene = await open(t);
  await fill(scene, 5);
  const now = { orgId: "seoul", eventId: EVENT.eventId };
  scene.facts.events.set(EVENT.eventId, { ...PHOTO_EVENT, ...now });
  scene.photos.events.forget(EVENT.eventId);
  await fill(scene, 2, now);
  await tellRemoved(scene);
  await workOff(scene.photos);
  assert.deepEqual(
    (await allItems(scene)).map(({ SK }) => SK),
    ["JOB#REMOVE_EVENT"],
  );
  assert.deepEqual(await objectsOf(scene), []);
  await checkItems(scene, now);
  assert.equal((await readCounts(scene.photos.table, now)).done, 2);
  assert.equal((await objectsOf(scene, now)).length, 6);
});

test("work that was under way brings nothing back", async (t) => {
  const scene = await open(t);
  await fill(scene, 2);
  const analyzed = analyzedOf(scene.photos.bucket, { bibs: ["7"], createdAt: scene.clock.now(), fileName: "slow.jpg" });
  const { orgId, eventId, ulid, rawKey: key, createdAt: uploadedAt } = analyzed;
  await scene.photos.table.write(beginUpload({ orgId, eventId, ulid, rawKey: key, uploadedAt }, uploadedAt));
  scene.facts.events.delete(EVENT.eventId);
  await tellRemoved(scene);
  await workOff(scene.photos);
  await putObjects(scene, [analyzed.processedKey, analyzed.thumbnailKey]);
  await assert.rejects(fanOut(scene.photos, analyzed));
  assert.deepEqual(
    (await allItems(scene)).map(({ SK }) => SK),
    ["JOB#REMOVE_EVENT"],
  );
  assert.deepEqual(await objectsOf(scene), []);
});

test("messages that can't be read are not lost, and do not keep others back", async (t) => {
  const scene = await open(t);
  await fill(scene, 1);
  scene.facts.events.delete(EVENT.eventId);
  const occurredAt = new Date(scene.clock.now()).toISOString();
  const right = JSON.stringify({ type: "event.removed", ...EVENT, revision: 1, occurredAt });
  const messages = ["no JSON", "{}", right].map((body, index) => ({ id: String(index), body, receives: 1, sentAt: 0 }));
  const failures = await followRegistry(scene.photos)(messages);
  assert.deepEqual(
    failures.map(({ id }) => id),
    ["0", "1"],
  );
  await workOff(scene.photos);
  assert.deepEqual(
    (await allItems(scene)).map(({ SK }) => SK),
    ["JOB#REMOVE_EVENT"],
  );
});
