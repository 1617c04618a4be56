/** A photographer's new handle or name reaches all their photos, whatever happens at the same time. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { analyzedOf, EVENT } from "../../tests/harness/photo-samples.ts";
import { openPhotoScene, type PhotoScene } from "../../tests/harness/photo-scene.ts";
import { checkItems, mortal, workOff } from "../../tests/harness/photo-work.ts";
import type { Table } from "../platform/ports.ts";
import { deletePhoto } from "./delete-photo.ts";
import { fanOut } from "./fan-out.ts";
import { followRegistry } from "./follow-registry.ts";
import { type JobItem, jobKey, photographerPartition } from "./items.ts";
import type { Photos } from "./photos.ts";

const open = (t: Parameters<typeof openPhotoScene>[0]) => openPhotoScene(t, { workers: false });
const LATER = "2090-01-01T00:00:00.000Z";
const LATEST = "2090-01-02T00:00:00.000Z";

async function tell(
  { photos }: PhotoScene,
  change: { handle: string | null; displayName: string; occurredAt: string },
) {
  const body = JSON.stringify({ type: "photographer.changed", photographerId: "minji-kim", ...change });
  assert.deepEqual(await followRegistry(photos)([{ id: "1", body, receives: 1, sentAt: 0 }]), []);
}

async function credits({ photos }: PhotoScene): Promise<string[]> {
  const found = new Map<string, number>();
  let cursor: string | undefined;
  do {
    const ask = { index: "GSI2" as const, partition: photographerPartition("minji-kim"), limit: 100 };
    const page = await photos.table.query({ ...ask, ...(cursor !== undefined && { cursor }) });
    for (const { photographerHandle = "none", photographerDisplayName: name } of page.items) {
      const credit = `${photographerHandle} ${name}`;
      found.set(credit, (found.get(credit) ?? 0) + 1);
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
  return [...found].map(([credit, count]) => `${count} ${credit}`).sort();
}

const jobOf = async ({ photos }: PhotoScene) => {
  const work = { kind: "SYNC_PHOTOGRAPHER", photographerId: "minji-kim", handle: null, displayName: "", asOf: "" };
  return (await photos.table.get(jobKey(work as never))) as JobItem<"SYNC_PHOTOGRAPHER">;
};

async function addMany({ add }: PhotoScene, count: number): Promise<void> {
  for (let added = 0; added < count; added += 1) {
    await add({ photographerId: "minji-kim", createdAt: 1_700_000_000_000 + added, bibs: [String(added)] });
  }
}

test("all photos of theirs follow, those of others do not", async (t) => {
  const scene = await open(t);
  await addMany(scene, 250);
  const others = await scene.add({ photographerId: "jun-park" });
  const nobodys = await scene.add();
  await tell(scene, { handle: "minji.photo", displayName: "Minji", occurredAt: LATER });
  await workOff(scene.photos);
  assert.deepEqual(await credits(scene), ["250 minji.photo Minji"]);
  assert.deepEqual(await scene.photo(others.ulid), others);
  assert.deepEqual(await scene.photo(nobodys.ulid), nobodys);
  const { finishedAt, seen, changed } = await jobOf(scene);
  assert.ok(finishedAt);
  assert.deepEqual([seen, changed], [250, 250]);
  await checkItems(scene);
});

test("a handle that was taken away goes from the photos", async (t) => {
  const scene = await open(t);
  await addMany(scene, 2);
  await tell(scene, { handle: null, displayName: "Minji", occurredAt: LATER });
  await workOff(scene.photos);
  assert.deepEqual(await credits(scene), ["2 none Minji"]);
});

test("what is right already is not written again", async (t) => {
  const scene = await open(t);
  const photo = await scene.add({ photographerId: "minji-kim" });
  await tell(scene, { handle: "minji.runs", displayName: "Minji Kim Photo", occurredAt: LATER });
  await workOff(scene.photos);
  assert.deepEqual(await scene.photo(photo.ulid), photo);
});

test("the latest change holds, in whatever order and however often they are told", async (t) => {
  const scene = await open(t);
  await addMany(scene, 150);
  const first = { handle: "first", displayName: "First", occurredAt: LATER };
  const second = { handle: "second", displayName: "Second", occurredAt: LATEST };
  await tell(scene, second);
  await tell(scene, first);
  await workOff(scene.photos);
  await tell(scene, first);
  await tell(scene, second);
  await workOff(scene.photos);
  assert.deepEqual(await credits(scene), ["150 second Second"]);
});

test("a newer change takes over from one that is under way", async (t) => {
  const scene = await open(t);
  await addMany(scene, 150);
  await tell(scene, { handle: "first", displayName: "First", occurredAt: LATER });
  await workOff(mortal(scene.photos, 6).photos).catch(() => {});
  assert.equal((await credits(scene)).length, 2);
  await tell(scene, { handle: "second", displayName: "Second", occurredAt: LATEST });
  await workOff(scene.photos);
  assert.deepEqual(await credits(scene), ["150 second Second"]);
});

test("it goes on where a process died", async (t) => {
  const scene = await open(t);
  await addMany(scene, 350);
  await tell(scene, { handle: "minji.photo", displayName: "Minji", occurredAt: LATER });
  let deaths = 0;
  for (let lifetime = 0; !(await jobOf(scene)).finishedAt; lifetime = (lifetime + 1) % 9) {
    const { photos, isDead, quiet } = mortal(scene.photos, lifetime);
    await workOff(photos).catch((error) => assert.equal(error.message, "killed"));
    await quiet();
    if (isDead()) deaths += 1;
  }
  assert.ok(deaths > 5, `only ${deaths} deaths`);
  assert.deepEqual(await credits(scene), ["350 minji.photo Minji"]);
  assert.ok((await jobOf(scene)).seen >= 350);
});

/** The photos where something happens between reading a page and writing it. */
function interrupted({ photos }: PhotoScene, meanwhile: () => Promise<unknown>): Photos {
  let isOver = false;
  const write: Table["write"] = async (actions) => {
    if (!isOver && actions.length > 1) {
      isOver = true;
      await meanwhile();
    }
    return photos.table.write(actions);
  };
  const table = new Proxy(photos.table, {
    get: (target, name) => (name === "write" ? write : Reflect.get(target, name).bind(target)),
  });
  return { ...photos, table };
}

test("a photo that changes at the same time loses neither its change nor the new name", async (t) => {
  const scene = await open(t);
  const about = { photographerId: "minji-kim", fileName: "IMG_1.jpg", createdAt: 1000 };
  const { ulid } = await scene.add({ ...about, bibs: ["7"] });
  await scene.add({ photographerId: "minji-kim" });
  await tell(scene, { handle: "minji.photo", displayName: "Minji", occurredAt: LATER });
  const { photos } = scene;
  const work = interrupted(scene, () => fanOut(photos, analyzedOf(photos.bucket, { ...about, bibs: ["8"] })));
  await workOff(work);
  const photo = await scene.photo(ulid);
  assert.deepEqual([photo?.bibs, photo?.photographerHandle], [["8"], "minji.photo"]);
  assert.deepEqual(await credits(scene), ["2 minji.photo Minji"]);
  await checkItems(scene);
});

test("a photo that gets a newer name, or is deleted, at the same time stays so", async (t) => {
  const scene = await open(t);
  const { photos, facts } = scene;
  const about = { photographerId: "minji-kim", fileName: "IMG_1.jpg", createdAt: 1000 };
  const newer = await scene.add(about);
  const deleted = await scene.add({ photographerId: "minji-kim" });
  await tell(scene, { handle: "first", displayName: "First", occurredAt: LATER });
  const meanwhile = async () => {
    facts.credits.set("minji-kim", {
      photographerId: "minji-kim",
      handle: "second",
      displayName: "Second",
      asOf: LATEST,
    });
    await fanOut(photos, analyzedOf(photos.bucket, about));
    await deletePhoto(photos, { ...EVENT, ulid: deleted.ulid });
  };
  await workOff(interrupted(scene, meanwhile));
  assert.equal((await scene.photo(newer.ulid))?.photographerHandle, "second");
  assert.deepEqual(await credits(scene), ["1 second Second"]);
  await checkItems(scene);
});
