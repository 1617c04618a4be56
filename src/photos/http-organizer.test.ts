/** What organizers see and do about photos, over HTTP. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { photoApi } from "../../tests/harness/photo-api.ts";
import { EVENT, PHOTO_EVENT } from "../../tests/harness/photo-samples.ts";
import { openPhotoScene, type PhotoScene } from "../../tests/harness/photo-scene.ts";
import { checkItems, rememberStarts, stillClock, workOff } from "../../tests/harness/photo-work.ts";
import { badPictures } from "../../tests/pictures/bad-pictures.ts";
import { openPhotoDeadLetters } from "./dead-letters.ts";
import { organizerRoutes } from "./http-organizer.ts";
import { FACES_PARTITION, facesKey } from "./items.ts";
import { findUpload, moveUpload } from "./uploads.ts";

const PATH = `/admin/events/${EVENT.eventId}`;
const ORGANIZER = { organizations: [EVENT.orgId] };
const face = { faceId: "f1", box: { left: 0.1, top: 0.1, width: 0.1, height: 0.1 }, quality: 0.8 };

async function open(t: Parameters<typeof openPhotoScene>[0], settings: Parameters<typeof openPhotoScene>[1] = {}) {
  const scene = await openPhotoScene(t, { workers: false, ownFaces: true, ...settings });
  const api = photoApi(scene, organizerRoutes(scene.photos, openPhotoDeadLetters(scene.photos, scene.engines)));
  const call = (method: string, path: string, body?: unknown) => api.call(method, path, ORGANIZER, body);
  return { ...scene, call };
}

async function failWith({ photos }: Pick<PhotoScene, "photos">, ulid: string, code: string): Promise<void> {
  const upload = await findUpload(photos.table, { ...EVENT, ulid });
  assert.ok(upload);
  const now = new Date(photos.clock.now()).toISOString();
  const failure = { code, message: "Something is wrong with it." };
  await photos.table.write(moveUpload(upload, "FAILED", { now, set: { failure } }));
}

test("the summary counts photos by how they stand, and runners with a photo", async (t) => {
  const clock = stillClock();
  const scene = await open(t, { clock });
  rememberStarts(scene.photos);
  scene.facts.rosters.set(EVENT.eventId, new Set(["7", "8", "9"]));
  const began = new Date(clock.now()).toISOString();
  const first = await scene.add({ bibs: ["7"], faces: [face] });
  const second = await scene.add({ bibs: ["7", "8"] });
  const third = await scene.add({ bibs: ["9"] });
  await scene.add();
  await failWith(scene, second.ulid, "photo.truncated");
  await scene.call("DELETE", `${PATH}/photos/${third.ulid}`);
  await scene.call("POST", `${PATH}/photos/${first.ulid}/reprocess`);
  const index = { GSI2PK: FACES_PARTITION, GSI2SK: "EVT#x" };
  await scene.photos.table.write([{ put: { ...facesKey(EVENT), ...index, EntityType: "FACES", ...EVENT } }]);
  await scene.photos.uploads.send(["one", "two"]);
  clock.move(5000);
  const { body } = await scene.call("GET", `${PATH}/photos/summary`);
  const { facesUntil } = scene.facts.events.get(EVENT.eventId) ?? PHOTO_EVENT;
  assert.deepEqual(body, {
    eventId: EVENT.eventId,
    uploaded: 4,
    processing: 1,
    done: 1,
    failed: 1,
    duplicate: 0,
    deleted: 1,
    withoutBib: 1,
    withFaces: 1,
    oldestWaitingAt: began,
    oldestWaitingMs: 5000,
    queueOfAllEvents: { waiting: 2, inFlight: 0, dead: 0 },
    roster: { runners: 3, withPhoto: 2 },
    faces: { indexing: true, until: new Date(facesUntil).toISOString(), state: "kept" },
    jobs: { reprocess: null, forgetFaces: null },
  });
  await checkItems(scene);
});

test("failed photos are listed with their reason, newest first, page by page", async (t) => {
  const scene = await open(t);
  const ulids: string[] = [];
  for (let count = 0; count < 5; count += 1) {
    const about = { createdAt: 1_700_000_000_000 + count, fileName: `0123456789abcdef-IMG_${count}.jpg` };
    const { ulid } = await scene.add(about);
    await failWith(scene, ulid, "photo.truncated");
    ulids.unshift(ulid);
  }
  await scene.add();
  const seen: string[] = [];
  let cursor = "";
  do {
    const { body } = await scene.call("GET", `${PATH}/photos/failed?limit=2${cursor && `&cursor=${cursor}`}`);
    for (const { ulid, fileName, failure, attempt } of body.items) {
      seen.push(ulid);
      assert.match(fileName, /^IMG_\d\.jpg$/);
      assert.deepEqual([failure.code, attempt], ["photo.truncated", 1]);
    }
    cursor = body.cursor ?? "";
  } while (cursor);
  assert.deepEqual(seen, ulids);
});

test("a file that is no picture fails with its reason, and its history tells where", async (t) => {
  const scene = await open(t, { workers: true });
  const bytes =
    (await badPictures()).find(({ name }) => /truncated|cut/.test(name))?.bytes ?? Buffer.from("no picture");
  const ulid = await scene.put("IMG_1.jpg", bytes, { "photographer-id": "minji-kim" });
  assert.equal((await scene.settled(ulid)).status, "FAILED");
  const { body } = await scene.call("GET", `${PATH}/uploads/${ulid}`);
  assert.match(body.failure.code, /^photo\./);
  assert.deepEqual([body.status, body.fileName, body.photographerId], ["FAILED", "IMG_1.jpg", "minji-kim"]);
  const failures = body.history.filter(({ error }: { error: unknown }) => error !== null);
  const steps = failures.map(({ type, state, error }: { [name: string]: unknown }) => [type, state, error]);
  assert.deepEqual(steps, [
    ["StateFailed", "PreprocessImage", "UnusablePhoto"],
    ["ExecutionFailed", null, "ImageProcessingError"],
  ]);
  assert.deepEqual(failures.at(-1).reason, body.failure);
  const listed = (await scene.call("GET", `${PATH}/photos/failed`)).body.items;
  assert.deepEqual(
    listed.map((upload: { ulid: string }) => upload.ulid),
    [ulid],
  );
  const again = await scene.call("POST", `${PATH}/photos/${ulid}/reprocess`);
  assert.deepEqual([again.status, again.body.status, again.body.attempt], [202, "PROCESSING", 2]);
  assert.equal((await scene.settled(ulid)).attempt, 2);
});

describe("many at once", () => {
  test("are run again by a job, which the summary shows", async (t) => {
    const scene = await open(t);
    const started = rememberStarts(scene.photos);
    for (let count = 0; count < 3; count += 1) await scene.add({ createdAt: 1_700_000_000_000 + count });
    const begun = await scene.call("POST", `${PATH}/photos/reprocess`, { which: "all" });
    assert.deepEqual([begun.status, begun.body.which, begun.body.finishedAt], [202, "all", null]);
    const other = await scene.call("POST", `${PATH}/photos/reprocess`, { which: "failed" });
    assert.deepEqual([other.status, other.body.code], [409, "reprocess.under-way"]);
    await workOff(scene.photos);
    const { jobs } = (await scene.call("GET", `${PATH}/photos/summary`)).body;
    const { jobId, seen, changed, finishedAt, which } = jobs.reprocess;
    assert.deepEqual([jobId, seen, changed, which], [begun.body.jobId, 3, 3, "all"]);
    assert.ok(finishedAt);
    assert.equal(started.length, 3);
    assert.equal((await scene.call("POST", `${PATH}/photos/reprocess`, { which: "some" })).status, 400);
  });

  test("lose their faces", async (t) => {
    const scene = await open(t);
    const { ulid } = await scene.add({ faces: [face] });
    const state = async () => (await scene.call("GET", `${PATH}/photos/summary`)).body.faces.state;
    assert.equal(await state(), "none");
    assert.equal((await scene.call("DELETE", `${PATH}/faces`)).status, 202);
    assert.equal(await state(), "being-forgotten");
    await workOff(scene.photos);
    assert.equal(await state(), "forgotten");
    assert.deepEqual((await scene.photo(ulid))?.faceIds, []);
  });
});

test("what is not there, and what is another event's, is not found", async (t) => {
  const scene = await open(t);
  const other = { orgId: "seoul", eventId: "seoul-run" };
  scene.facts.events.set(other.eventId, { ...PHOTO_EVENT, ...other });
  const { ulid } = await scene.add({ event: other });
  for (const [method, path] of [
    ["GET", `${PATH}/uploads/${ulid}`],
    ["POST", `${PATH}/photos/${ulid}/reprocess`],
    ["DELETE", `${PATH}/photos/${ulid}`],
  ] as const) {
    const { status, body } = await scene.call(method, path);
    assert.deepEqual([status, body.code], [404, "photo.not-found"], path);
    const foreign = await scene.call(method, path.replace(EVENT.eventId, other.eventId));
    assert.deepEqual([foreign.status, foreign.body.code], [404, "event.not-found"], path);
  }
  assert.equal((await scene.call("DELETE", `${PATH}/photos/not-an-id`)).status, 400);
  assert.equal((await scene.call("GET", "/admin/photos/dead-letters")).status, 403);
});
