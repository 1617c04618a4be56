/** A deleted photo is gone, whole and for good, whatever comes late and wherever a process dies. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { analyzedOf, EVENT } from "../../tests/harness/photo-samples.ts";
import { openPhotoScene, type PhotoScene } from "../../tests/harness/photo-scene.ts";
import {
  checkItems,
  killAnywhere,
  mortal,
  objectsOf,
  putObjects,
  rememberStarts,
  workOff,
} from "../../tests/harness/photo-work.ts";
import { drawBib } from "../../tests/pictures/scene.ts";
import { refusedWith } from "../platform/contracts/refused.ts";
import { deletePhoto, removeLeft } from "./delete-photo.ts";
import { fanOut } from "./fan-out.ts";
import { ingestUploads } from "./ingest.ts";
import { contentKey, REMOVALS_PARTITION } from "./items.ts";
import { rawKey } from "./object-keys.ts";
import { photoIdOf } from "./photo-id.ts";
import { preprocessImage } from "./preprocess-image.ts";
import { beginReprocessing, reprocessOne } from "./reprocess.ts";
import { beginUpload } from "./uploads.ts";

const open = (t: Parameters<typeof openPhotoScene>[0]) => openPhotoScene(t, { workers: false, ownFaces: true });
const picture = (await drawBib({ seed: 3, kind: "plain" })).jpeg;
const otherPicture = (await drawBib({ seed: 4, kind: "plain" })).jpeg;
const face = { faceId: "f1", box: { left: 0.1, top: 0.1, width: 0.1, height: 0.1 }, quality: 0.8 };
const JPEG = { contentType: "image/jpeg" };

/** An object, taken up and worked on as far as its fan-out, which the test does when it likes. */
async function beforeFanOut(scene: PhotoScene, fileName: string, bytes = picture) {
  const { photos } = scene;
  const head = await photos.blobs.put(rawKey(EVENT, fileName), bytes, JPEG);
  const ulid = photoIdOf(photos.bucket, head);
  const about = { ...EVENT, ulid, rawKey: head.key };
  const at = new Date(head.createdAt).toISOString();
  await photos.table.write(beginUpload({ ...about, uploadedAt: at }, at));
  const input = { ...EVENT, bucketName: photos.bucket, rawKey: head.key };
  const preprocessed = await preprocessImage(photos, input);
  const { detectTextResult, indexFacesResult } = analyzedOf(photos.bucket, { bibs: ["7"], faces: [face] });
  const analyzed = {
    ...preprocessed,
    detectTextResult,
    indexFacesResult,
    detectTextError: undefined,
    indexFacesError: undefined,
  };
  return { ulid, ref: { ...EVENT, ulid }, analyzed };
}

/** Nothing but the gravestone, and nothing left to remove. */
async function checkGone(scene: PhotoScene, ulid: string): Promise<void> {
  await checkItems(scene);
  const upload = await scene.upload(ulid);
  assert.equal(upload?.status, "DELETED");
  assert.equal(upload?.toRemove, undefined);
  assert.equal(await scene.photo(ulid), undefined);
  const { items } = await scene.photos.table.query({ index: "GSI1", partition: REMOVALS_PARTITION, limit: 10 });
  assert.deepEqual(items, []);
  const keys = await objectsOf(scene);
  assert.deepEqual(
    keys.filter((key) => key.includes(ulid)),
    [],
  );
}

function created(key: string) {
  const detail = { bucket: { name: "snaprace-photos" }, object: { key, size: 1, etag: "e" } };
  const body = { source: "aws.s3", "detail-type": "Object Created", time: "2027-04-18T01:02:03Z", detail };
  return { id: "1", body: JSON.stringify(body), receives: 1, sentAt: 0 };
}

test("items, index entries, counts, objects and faces of a photo go, and no others", async (t) => {
  const scene = await open(t);
  rememberStarts(scene.photos);
  const forgotten: unknown[] = [];
  const deleteFaces = async (...asked: unknown[]) => void forgotten.push(asked);
  const photos = { ...scene.photos, recognition: { ...scene.photos.recognition, deleteFaces } };
  const kept = await beforeFanOut(scene, "kept.jpg", otherPicture);
  await fanOut(scene.photos, kept.analyzed);
  const { ulid, ref, analyzed } = await beforeFanOut(scene, "IMG_1.jpg");
  await fanOut(scene.photos, analyzed);
  const before = await objectsOf(scene);
  await deletePhoto(photos, ref);
  await checkGone(scene, ulid);
  assert.equal(before.length, 6);
  assert.equal((await objectsOf(scene)).length, 3);
  assert.ok((await objectsOf(scene)).every((key) => key.includes(kept.ulid) || key.endsWith("kept.jpg")));
  assert.deepEqual((await scene.photo(kept.ulid))?.bibs, ["7"]);
  assert.deepEqual(
    forgotten.map((asked) => (asked as unknown[])[1]),
    [["f1"]],
  );
  await deletePhoto(photos, ref);
  assert.equal(forgotten.length, 1);
  await refusedWith("photo.not-found", deletePhoto(photos, { ...EVENT, ulid: "01KXDJ6T3V9QN4W8Y2ZB5C7D1E" }));
});

test("the same file under other names goes with it, and they say whose they were", async (t) => {
  const scene = await open(t);
  rememberStarts(scene.photos);
  const first = await beforeFanOut(scene, "IMG_1.jpg");
  await fanOut(scene.photos, first.analyzed);
  const second = await beforeFanOut(scene, "IMG_2.jpg");
  await fanOut(scene.photos, second.analyzed);
  assert.equal((await scene.upload(second.ulid))?.status, "DUPLICATE");
  await refusedWith("photo.is-duplicate", deletePhoto(scene.photos, second.ref));
  await deletePhoto(scene.photos, first.ref);
  await checkGone(scene, first.ulid);
  assert.deepEqual(await objectsOf(scene), []);
  const again = await beforeFanOut(scene, "IMG_3.jpg");
  await fanOut(scene.photos, again.analyzed);
  assert.equal((await scene.upload(again.ulid))?.status, "DONE");
});

test("another file that came under the same name since is left alone", async (t) => {
  const scene = await open(t);
  rememberStarts(scene.photos);
  const first = await beforeFanOut(scene, "IMG_1.jpg");
  await fanOut(scene.photos, first.analyzed);
  await scene.photos.blobs.put(rawKey(EVENT, "IMG_1.jpg"), otherPicture, JPEG);
  await deletePhoto(scene.photos, first.ref);
  await checkGone(scene, first.ulid);
  assert.deepEqual(await objectsOf(scene), [rawKey(EVENT, "IMG_1.jpg")]);
});

describe("nothing brings it back", () => {
  test("not a late message, before its objects are gone or after", async (t) => {
    const scene = await open(t);
    const started = rememberStarts(scene.photos);
    const { ref, ulid, analyzed } = await beforeFanOut(scene, "IMG_1.jpg");
    await fanOut(scene.photos, analyzed);
    const blobs = new Proxy(scene.photos.blobs, {
      get: (target, name) =>
        name === "delete" ? () => Promise.reject(new Error("S3 is down")) : Reflect.get(target, name).bind(target),
    });
    await deletePhoto({ ...scene.photos, blobs }, ref);
    assert.equal(scene.errors.length, 1);
    assert.deepEqual(await ingestUploads(scene.photos)([created(rawKey(EVENT, "IMG_1.jpg"))]), []);
    assert.equal((await scene.upload(ulid))?.status, "DELETED");
    await removeLeft(scene.photos);
    await checkGone(scene, ulid);
    assert.deepEqual(await ingestUploads(scene.photos)([created(rawKey(EVENT, "IMG_1.jpg"))]), []);
    await checkGone(scene, ulid);
    assert.deepEqual(started, []);
  });

  test("not an execution that was under way, whatever it still puts down", async (t) => {
    const scene = await open(t);
    const running = new Set<string>();
    rememberStarts(scene.photos, running);
    const { ref, ulid, analyzed } = await beforeFanOut(scene, "IMG_1.jpg");
    running.add(`${ulid}-1`);
    await deletePhoto(scene.photos, ref);
    assert.notEqual((await scene.upload(ulid))?.toRemove, undefined);
    await putObjects(scene, [analyzed.processedKey, analyzed.thumbnailKey]);
    await assert.rejects(fanOut(scene.photos, analyzed), { name: "UnusablePhoto", message: /^photo\.deleted/ });
    assert.equal(await scene.photos.table.get(contentKey(EVENT, analyzed.sha256)), undefined);
    // It died after all, and wrote once more before.
    await putObjects(scene, [analyzed.processedKey]);
    await removeLeft(scene.photos);
    assert.notEqual((await scene.upload(ulid))?.toRemove, undefined);
    running.clear();
    await removeLeft(scene.photos);
    await checkGone(scene, ulid);
  });

  test("not being run again, before or after", async (t) => {
    const scene = await open(t);
    const started = rememberStarts(scene.photos);
    const { ref, ulid, analyzed } = await beforeFanOut(scene, "IMG_1.jpg");
    await fanOut(scene.photos, analyzed);
    await reprocessOne(scene.photos, ref);
    assert.deepEqual(started, [`${ulid}-2`]);
    await deletePhoto(scene.photos, ref);
    await assert.rejects(fanOut(scene.photos, analyzed), { message: /^photo\.deleted/ });
    await removeLeft(scene.photos);
    await checkGone(scene, ulid);
    await refusedWith("photo.not-found", reprocessOne(scene.photos, ref));
    await beginReprocessing(scene.photos, EVENT, "all");
    await workOff(scene.photos);
    await checkGone(scene, ulid);
    assert.deepEqual(started, [`${ulid}-2`]);
  });

  test("and a fan-out at the same moment either came before or finds it gone", async (t) => {
    const scene = await open(t);
    rememberStarts(scene.photos);
    const { ref, ulid, analyzed } = await beforeFanOut(scene, "IMG_1.jpg");
    await Promise.allSettled([fanOut(scene.photos, analyzed), deletePhoto(scene.photos, ref)]);
    await removeLeft(scene.photos);
    await checkGone(scene, ulid);
  });
});

test("a process that dies anywhere leaves what another finishes", async (t) => {
  const scene = await open(t);
  rememberStarts(scene.photos);
  const deaths = await killAnywhere(async (lifetime) => {
    const { ref, ulid, analyzed } = await beforeFanOut(scene, `IMG_${lifetime}.jpg`);
    await fanOut(scene.photos, analyzed);
    const { photos, isDead, quiet } = mortal(scene.photos, lifetime);
    await deletePhoto(photos, ref).catch((error) => assert.equal(error.message, "killed"));
    await quiet();
    await checkItems(scene);
    await removeLeft(scene.photos);
    if ((await scene.upload(ulid))?.status !== "DELETED") await deletePhoto(scene.photos, ref);
    await checkGone(scene, ulid);
    return isDead();
  });
  assert.ok(deaths > 5, `only ${deaths} places to die`);
});
