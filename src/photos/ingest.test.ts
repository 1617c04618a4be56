/** From an object in the bucket to a photo: once however often the message comes, and nothing for what is no photo. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { until } from "../../tests/harness/entry-event.ts";
import { EVENT } from "../../tests/harness/photo-samples.ts";
import { openPhotoScene } from "../../tests/harness/photo-scene.ts";
import { drawBib } from "../../tests/pictures/scene.ts";
import type { Message } from "../platform/ports.ts";
import { ingestUploads } from "./ingest.ts";
import { rawKey } from "./object-keys.ts";
import { readCounts } from "./uploads.ts";

const picture = (await drawBib({ seed: 3, kind: "plain" })).jpeg;
const JPEG = { contentType: "image/jpeg" };

function created(key: string): Message {
  const detail = { bucket: { name: "snaprace-photos" }, object: { key, size: 1, etag: "e" } };
  const body = { source: "aws.s3", "detail-type": "Object Created", time: "2027-04-18T01:02:03Z", detail };
  return { id: "1", body: JSON.stringify(body), receives: 1, sentAt: 0 };
}

test("an object put by any client becomes a photo", async (t) => {
  const scene = await openPhotoScene(t);
  const ulid = await scene.put("IMG_1.jpg", picture, { "photographer-id": "minji-kim" });
  assert.equal((await scene.settled(ulid)).status, "DONE");
  const photo = await scene.photo(ulid);
  assert.equal(photo?.originalFilename, "IMG_1.jpg");
  assert.equal(photo?.photographerDisplayName, "Minji Kim Photo");
  const thumbnail = await scene.photos.blobs.head(photo?.thumbnailKey ?? "");
  assert.ok((thumbnail?.sizeBytes ?? 0) > 1000);
  assert.deepEqual(scene.errors, []);
});

test("the same message again and again is one execution and one photo", async (t) => {
  const scene = await openPhotoScene(t);
  const ulid = await scene.put("IMG_1.jpg", picture);
  const again = () => ingestUploads(scene.photos)([created(rawKey(EVENT, "IMG_1.jpg"))]);
  assert.deepEqual(await Promise.all([again(), again(), again()]), [[], [], []]);
  await scene.settled(ulid);
  assert.deepEqual(await again(), []);
  const history = await scene.photos.workflow.history(`${ulid}-1`);
  assert.equal(history.filter(({ type }) => type === "ExecutionStarted").length, 1);
  assert.equal(await scene.photos.workflow.status(`${ulid}-2`), undefined);
  const { uploaded, done } = await readCounts(scene.photos.table, EVENT);
  assert.deepEqual({ uploaded, done }, { uploaded: 1, done: 1 });
});

test("a process that dies between writing the upload down and starting the work loses nothing", async (t) => {
  const scene = await openPhotoScene(t, { workers: false });
  const ulid = await scene.put("IMG_1.jpg", picture);
  const dying = {
    ...scene.photos,
    workflow: { ...scene.photos.workflow, start: () => Promise.reject(new Error("dead")) },
  };
  const message = created(rawKey(EVENT, "IMG_1.jpg"));
  assert.equal((await ingestUploads(dying)([message])).length, 1);
  assert.equal((await scene.upload(ulid))?.status, "PROCESSING");
  assert.deepEqual(await ingestUploads(scene.photos)([message]), []);
  assert.equal((await scene.settled(ulid)).status, "DONE");
});

describe("what is no photo of an event", () => {
  const odd = [
    "readme.txt",
    "han-river/han-river-10k/IMG_1.jpg",
    "han-river/han-river-10k/raw/day1/IMG_1.jpg",
    "raw_photos/han-river/han-river-10k/IMG_1.jpg",
    "han-river/no-such-event/raw/IMG_1.jpg",
    "another-club/han-river-10k/raw/IMG_1.jpg",
    "../han-river-10k/raw/IMG_1.jpg",
  ];
  for (const key of odd) {
    test(`${key} is logged, counted and skipped`, async (t) => {
      const scene = await openPhotoScene(t, { workers: false });
      assert.deepEqual(await ingestUploads(scene.photos)([created(key)]), []);
      assert.deepEqual(
        scene.skips.map((skip) => skip.key),
        [key],
      );
      assert.equal(scene.skipped(), 1);
    });
  }

  test("what we put there ourselves is no news", async (t) => {
    const scene = await openPhotoScene(t, { workers: false });
    assert.deepEqual(await ingestUploads(scene.photos)([created("han-river/han-river-10k/processed/01.jpg")]), []);
    assert.deepEqual(scene.skips, []);
  });

  test("a message that is none fails, and is not lost", async (t) => {
    const scene = await openPhotoScene(t, { workers: false });
    const failures = await ingestUploads(scene.photos)([{ ...created("x"), body: "{}" }]);
    assert.equal(failures[0]?.id, "1");
  });
});

describe("the same file under two names", () => {
  test("is one photo that has both names", async (t) => {
    const scene = await openPhotoScene(t);
    const first = await scene.put("IMG_1.jpg", picture);
    await scene.settled(first);
    const second = await scene.put("copy of IMG_1.jpg", picture);
    const upload = await scene.settled(second);
    assert.deepEqual([upload.status, upload.duplicateOf], ["DUPLICATE", first]);
    assert.equal(await scene.photo(second), undefined);
    assert.deepEqual((await scene.photo(first))?.alsoUploadedAs, ["copy of IMG_1.jpg"]);
    const { uploaded, done, duplicate } = await readCounts(scene.photos.table, EVENT);
    assert.deepEqual({ uploaded, done, duplicate }, { uploaded: 2, done: 1, duplicate: 1 });
  });

  test("at the same time too", async (t) => {
    const scene = await openPhotoScene(t);
    const names = ["a.jpg", "b.jpg", "c.jpg"];
    const ulids = await Promise.all(names.map((name) => scene.put(name, picture)));
    const uploads = await Promise.all(ulids.map((ulid) => scene.settled(ulid)));
    assert.deepEqual(uploads.map(({ status }) => status).sort(), ["DONE", "DUPLICATE", "DUPLICATE"]);
    const photo = await scene.photo(uploads.find(({ status }) => status === "DONE")?.ulid ?? "");
    assert.deepEqual([photo?.originalFilename, ...(photo?.alsoUploadedAs ?? [])].sort(), names);
  });

  test("is a photo of its own in another event", async (t) => {
    const scene = await openPhotoScene(t);
    const other = { orgId: "han-river", eventId: "han-river-half" };
    const event = scene.facts.events.get(EVENT.eventId);
    if (event) scene.facts.events.set(other.eventId, { ...event, ...other });
    await scene.settled(await scene.put("IMG_1.jpg", picture));
    await scene.photos.blobs.put(rawKey(other, "IMG_1.jpg"), picture, JPEG);
    while ((await readCounts(scene.photos.table, other)).done === 0) await new Promise((done) => setTimeout(done, 20));
    assert.equal((await readCounts(scene.photos.table, other)).duplicate, 0);
  });
});

test("another file under the same name is another photo, and the first does not wait for ever", async (t) => {
  const scene = await openPhotoScene(t);
  const first = await scene.put("IMG_1.jpg", picture);
  await until(async () => (await scene.upload(first)) !== undefined);
  const second = await scene.put("IMG_1.jpg", (await drawBib({ seed: 4, kind: "plain" })).jpeg);
  assert.notEqual(first, second);
  assert.equal((await scene.settled(second)).status, "DONE");
  const { status, failure } = await scene.settled(first);
  assert.ok(status === "DONE" || failure?.code === "photo.replaced", `${status} ${failure?.code}`);
});
