/** What photographers see of their own uploads: counts of theirs only, and what failed of theirs. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { photoApi } from "../../tests/harness/photo-api.ts";
import { analyzedOf, EVENT } from "../../tests/harness/photo-samples.ts";
import { openPhotoScene, type PhotoScene } from "../../tests/harness/photo-scene.ts";
import { checkItems } from "../../tests/harness/photo-work.ts";
import { deletePhoto } from "./delete-photo.ts";
import { fanOut } from "./fan-out.ts";
import { ownUploadRoutes } from "./http-own-uploads.ts";
import { beginUpload, findUpload, moveUpload, readCounts } from "./uploads.ts";

const SUMMARY = `/events/${EVENT.eventId}/uploads/summary`;
const FAILED = `/events/${EVENT.eventId}/uploads/failed`;
const minji = { photographers: ["minji-kim"] };
const tom = { photographers: ["tom"] };
const organizer = { organizations: [EVENT.orgId] };
const NONE = { uploaded: 0, processing: 0, done: 0, failed: 0, duplicate: 0, deleted: 0, withoutBib: 0, withFaces: 0 };

async function open(t: Parameters<typeof openPhotoScene>[0]) {
  const scene = await openPhotoScene(t, { workers: false });
  scene.facts.assignments.set(EVENT.eventId, new Set(["minji-kim", "tom"]));
  return { ...scene, get: photoApi(scene, ownUploadRoutes(scene.photos)).get };
}

let made = 0;

async function upload({ photos }: Pick<PhotoScene, "photos">, photographerId: string | undefined) {
  made += 1;
  const about = { fileName: `0123456789abcdef-IMG_${made}.jpg`, createdAt: 1_700_000_000_000 + made };
  const photo = analyzedOf(photos.bucket, { ...about, ...(photographerId !== undefined && { photographerId }) });
  const { orgId, eventId, ulid, rawKey, createdAt: uploadedAt } = photo;
  const whose = photographerId === undefined ? {} : { photographerId };
  await photos.table.write(beginUpload({ orgId, eventId, ulid, rawKey, uploadedAt, ...whose }, uploadedAt));
  return photo;
}

async function fail({ photos }: Pick<PhotoScene, "photos">, ulid: string): Promise<void> {
  const found = await findUpload(photos.table, { ...EVENT, ulid });
  assert.ok(found);
  const failure = { code: "photo.truncated", message: "It is cut off." };
  await photos.table.write(moveUpload(found, "FAILED", { now: "2027-04-19T00:00:00Z", set: { failure } }));
}

test("each photographer's uploads are counted apart, and together they are the event's", async (t) => {
  const scene = await open(t);
  await fanOut(scene.photos, await upload(scene, "minji-kim"));
  const deleted = await upload(scene, "minji-kim");
  await fanOut(scene.photos, deleted);
  await deletePhoto(scene.photos, { ...EVENT, ulid: deleted.ulid });
  await fail(scene, (await upload(scene, "minji-kim")).ulid);
  await upload(scene, "minji-kim");
  await fanOut(scene.photos, await upload(scene, "tom"));
  await upload(scene, undefined);

  const ofMinji = { uploaded: 4, processing: 1, done: 1, failed: 1, deleted: 1, withoutBib: 1 };
  const shown = { eventId: EVENT.eventId, photographerId: "minji-kim", ...NONE, ...ofMinji };
  assert.deepEqual((await scene.get(SUMMARY, minji)).body, shown);
  assert.deepEqual((await scene.get(`${SUMMARY}?photographer=minji-kim`, organizer)).body, shown);
  assert.equal((await scene.get(SUMMARY, tom)).body.done, 1);
  const nobodys = { eventId: EVENT.eventId, photographerId: null, ...NONE, uploaded: 1, processing: 1 };
  assert.deepEqual((await scene.get(SUMMARY, organizer)).body, nobodys);
  assert.equal((await readCounts(scene.photos.table, EVENT)).uploaded, 6);
  await checkItems(scene);
});

test("only one's own failed uploads are listed, with their names and reasons", async (t) => {
  const scene = await open(t);
  const own = await upload(scene, "minji-kim");
  for (const { ulid } of [own, await upload(scene, "tom"), await upload(scene, undefined)]) await fail(scene, ulid);
  const { body } = await scene.get(FAILED, minji);
  assert.deepEqual(
    // biome-ignore lint/suspicious/noExplicitAny: the answer's form is what is tested.
    body.items.map(({ ulid, failure }: any) => ({ ulid, code: failure.code })),
    [{ ulid: own.ulid, code: "photo.truncated" }],
  );
  assert.match(body.items[0].fileName, /^IMG_\d+\.jpg$/);
  assert.equal((await scene.get(`${FAILED}?photographer=tom`, organizer)).body.items.length, 1);
  assert.equal((await scene.get(FAILED, organizer)).body.items[0].photographerId, null);
});

test("another's uploads are refused, and who is several says as whom", async (t) => {
  const scene = await open(t);
  const other = await scene.get(`${SUMMARY}?photographer=tom`, minji);
  assert.deepEqual([other.status, other.body.code], [403, "upload.other-photographer"]);
  const both = { photographers: ["minji-kim", "tom", "elsewhere"] };
  assert.equal((await scene.get(SUMMARY, both)).body.code, "upload.which-photographer");
  assert.equal((await scene.get(`${SUMMARY}?photographer=tom`, both)).status, 200);
  const away = await scene.get(`${SUMMARY}?photographer=elsewhere`, both);
  assert.deepEqual([away.status, away.body.code], [400, "upload.photographer-not-assigned"]);
  // Their assignment may have ended; what they sent is still there.
  assert.equal((await scene.get(`${SUMMARY}?photographer=elsewhere`, organizer)).status, 200);
});
