/** Running the work again: on one photo or on all, once each, and nothing is lost where a process dies. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { EVENT } from "../../tests/harness/photo-samples.ts";
import { openPhotoScene, type PhotoScene } from "../../tests/harness/photo-scene.ts";
import {
  checkItems,
  killAnywhere,
  mortal,
  rememberStarts,
  stillClock,
  workOff,
} from "../../tests/harness/photo-work.ts";
import { drawBib } from "../../tests/pictures/scene.ts";
import { refusedWith } from "../platform/contracts/refused.ts";
import { type JobItem, STARTS_PARTITION } from "./items.ts";
import { findJob } from "./jobs.ts";
import { beginReprocessing, reprocessOne, startLeft } from "./reprocess.ts";
import { createTick } from "./tick.ts";
import { findUpload, moveUpload } from "./uploads.ts";

const open = (t: Parameters<typeof openPhotoScene>[0]) => openPhotoScene(t, { workers: false });

async function fail({ photos }: PhotoScene, ulid: string): Promise<void> {
  const upload = await findUpload(photos.table, { ...EVENT, ulid });
  assert.ok(upload);
  const failure = { code: "photo.truncated", message: "The file is cut off." };
  await photos.table.write(moveUpload(upload, "FAILED", { now: new Date().toISOString(), set: { failure } }));
}

const jobOf = async ({ photos }: PhotoScene) =>
  (await findJob(photos, { kind: "REPROCESS", ...EVENT, which: "all" })) as JobItem<"REPROCESS">;

test("a photo is worked on again from its original, and finds what it did not find before", async (t) => {
  const scene = await openPhotoScene(t);
  const { jpeg, texts } = await drawBib({ seed: 3, kind: "plain" }).then(({ jpeg, ...rest }) => ({
    jpeg,
    texts: JSON.stringify(rest),
  }));
  scene.facts.rosters.set(EVENT.eventId, new Set(["no-such-bib"]));
  const ulid = await scene.put("IMG_1.jpg", jpeg);
  const first = await scene.settled(ulid);
  assert.equal(first.status, "DONE", JSON.stringify(first.failure));
  assert.deepEqual((await scene.photo(ulid))?.bibs, []);
  scene.facts.rosters.delete(EVENT.eventId);
  scene.photos.rosters.forget(EVENT.eventId);
  const again = await reprocessOne(scene.photos, { ...EVENT, ulid });
  assert.deepEqual([again.status, again.attempt], ["PROCESSING", 2]);
  assert.equal((await scene.settled(ulid)).status, "DONE");
  const [bib = "nothing"] = (await scene.photo(ulid))?.bibs ?? [];
  assert.ok(texts.includes(bib), `${bib} in ${texts}`);
  assert.equal((await scene.photos.workflow.status(`${ulid}-2`))?.status, "SUCCEEDED");
  await checkItems(scene);
  assert.deepEqual(scene.errors, []);
});

describe("one photo", () => {
  test("that failed or is done gets one more attempt, others none", async (t) => {
    const scene = await open(t);
    const running = new Set<string>();
    const started = rememberStarts(scene.photos, running);
    const { ulid } = await scene.add({ bibs: ["7"] });
    const ref = { ...EVENT, ulid };
    await reprocessOne(scene.photos, ref);
    await checkItems(scene);
    running.add(`${ulid}-2`);
    await refusedWith("photo.under-way", reprocessOne(scene.photos, ref));
    await fail(scene, ulid);
    await reprocessOne(scene.photos, ref);
    assert.deepEqual(started, [`${ulid}-2`, `${ulid}-3`]);
    assert.equal((await scene.upload(ulid))?.failure, undefined);
    assert.deepEqual((await scene.photo(ulid))?.bibs, ["7"]);
    await checkItems(scene);
    const nobodys = { ...EVENT, ulid: "01KXDJ6T3V9QN4W8Y2ZB5C7D1E" };
    await refusedWith("photo.not-found", reprocessOne(scene.photos, nobodys));
  });

  test("asked for by several at once gets one attempt more", async (t) => {
    const scene = await open(t);
    const started = rememberStarts(scene.photos, new Set());
    const { ulid } = await scene.add();
    const asked = await Promise.allSettled([1, 2, 3].map(() => reprocessOne(scene.photos, { ...EVENT, ulid })));
    assert.equal(asked.filter(({ status }) => status === "fulfilled").length, 1);
    assert.deepEqual(started, [`${ulid}-2`]);
    await checkItems(scene);
  });

  test("whose execution ended without anybody hearing of it can be run again", async (t) => {
    const scene = await open(t);
    rememberStarts(scene.photos);
    const { ulid } = await scene.add();
    await reprocessOne(scene.photos, { ...EVENT, ulid });
    const status = async () => ({ name: "", status: "ABORTED" as const, startedAt: 0, input: {} });
    const photos = { ...scene.photos, workflow: { ...scene.photos.workflow, status } };
    assert.equal((await reprocessOne(photos, { ...EVENT, ulid })).attempt, 3);
    await checkItems(scene);
  });

  test("is started by another process where one died", async (t) => {
    const scene = await open(t);
    const started = rememberStarts(scene.photos);
    const deaths = await killAnywhere(async (lifetime) => {
      const { ulid } = await scene.add();
      const { photos, isDead, quiet } = mortal(scene.photos, lifetime);
      await reprocessOne(photos, { ...EVENT, ulid }).catch((error) => assert.equal(error.message, "killed"));
      await quiet();
      await startLeft(scene.photos);
      const { status, attempt } = (await scene.upload(ulid)) ?? {};
      assert.equal(started.includes(`${ulid}-2`), status === "PROCESSING");
      assert.equal(attempt, status === "PROCESSING" ? 2 : 1);
      await checkItems(scene);
      return isDead();
    });
    assert.ok(deaths >= 4, `only ${deaths} places to die`);
    const left = await scene.photos.table.query({ index: "GSI2", partition: STARTS_PARTITION, limit: 10 });
    assert.deepEqual(left.items, []);
  });
});

describe("all photos", () => {
  test("that failed are run again, and only they", async (t) => {
    const scene = await open(t);
    const started = rememberStarts(scene.photos);
    const ulids: string[] = [];
    for (let count = 0; count < 120; count += 1) {
      const { ulid } = await scene.add({ createdAt: 1_700_000_000_000 + count });
      if (count % 2 === 0) continue;
      await fail(scene, ulid);
      ulids.push(`${ulid}-2`);
    }
    const job = await beginReprocessing(scene.photos, EVENT, "failed");
    assert.equal((await beginReprocessing(scene.photos, EVENT, "failed")).jobId, job.jobId);
    await refusedWith("reprocess.under-way", beginReprocessing(scene.photos, EVENT, "all"));
    await workOff(scene.photos);
    assert.deepEqual(started.sort(), ulids.sort());
    const { finishedAt, changed } = await jobOf(scene);
    assert.ok(finishedAt);
    assert.equal(changed, 60);
    await checkItems(scene);
    assert.notEqual((await beginReprocessing(scene.photos, EVENT, "all")).jobId, job.jobId);
  });

  test("go in such numbers that new ones need not wait long", async (t) => {
    const clock = stillClock();
    const scene = await openPhotoScene(t, { workers: false, clock });
    const started = rememberStarts(scene.photos);
    const tick = createTick(scene.photos);
    for (let count = 0; count < 320; count += 1) await scene.add({ createdAt: 1_700_000_000_000 + count });
    await beginReprocessing(scene.photos, EVENT, "all");
    await workOff(scene.photos);
    assert.equal(started.length, 200);
    await workOff(scene.photos);
    assert.equal(started.length, 200);
    for (const name of started.slice(0, 150)) await fail(scene, name.slice(0, 26));
    const { jobs } = scene.photos;
    const { waiting } = await jobs.depth();
    clock.move(1000);
    await tick();
    assert.equal((await jobs.depth()).waiting, waiting + 1);
    await tick();
    assert.equal((await jobs.depth()).waiting, waiting + 1);
    await workOff(scene.photos);
    assert.equal(started.length, 320);
    const { finishedAt, seen, changed } = await jobOf(scene);
    assert.ok(finishedAt);
    assert.deepEqual([seen, changed], [320, 320]);
    await checkItems(scene);
  });

  test("are all run again, once each, however often a process dies on the way", async (t) => {
    const scene = await open(t);
    const started = rememberStarts(scene.photos);
    const ulids: string[] = [];
    for (let count = 0; count < 120; count += 1) {
      ulids.push((await scene.add({ createdAt: 1_700_000_000_000 + count })).ulid);
    }
    await beginReprocessing(scene.photos, EVENT, "all");
    let deaths = 0;
    for (let lifetime = 0; !(await jobOf(scene)).finishedAt; lifetime = (lifetime + 3) % 100) {
      const { photos, isDead, quiet } = mortal(scene.photos, lifetime);
      await workOff(photos).catch((error) => assert.equal(error.message, "killed"));
      await quiet();
      if (isDead()) deaths += 1;
      // What was started is done in between: that is no reason to do it again.
      for (const name of started.slice(0, 30)) {
        const upload = await scene.upload(name.slice(0, 26));
        if (upload?.status === "PROCESSING") await fail(scene, upload.ulid);
      }
    }
    assert.ok(deaths > 10, `only ${deaths} deaths`);
    assert.deepEqual(started.sort(), ulids.map((ulid) => `${ulid}-2`).sort());
    await checkItems(scene);
  });

  test("that come after it began are left to themselves", async (t) => {
    const clock = stillClock();
    const scene = await openPhotoScene(t, { workers: false, clock });
    const started = rememberStarts(scene.photos);
    const { ulid } = await scene.add();
    await beginReprocessing(scene.photos, EVENT, "all");
    clock.move(1000);
    await scene.add();
    await workOff(scene.photos);
    assert.deepEqual(started, [`${ulid}-2`]);
  });
});
