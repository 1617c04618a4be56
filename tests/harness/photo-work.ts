/** Photos under hardship: processes that die after any call of an engine, jobs worked off, and items that must agree. */

import assert from "node:assert/strict";
import {
  type BibCountItem,
  type ContentItem,
  eventPartition,
  JOBS_PARTITION,
  type PhotoItem,
  type UploadItem,
} from "../../src/photos/items.ts";
import { type EventPlace, parseRawKey } from "../../src/photos/object-keys.ts";
import type { Photos } from "../../src/photos/photos.ts";
import { readCounts } from "../../src/photos/uploads.ts";
import { workOnJobs } from "../../src/photos/work-on-jobs.ts";
import { systemClock } from "../../src/platform/clock.ts";
import type { Clock, Execution, Item, Workflow } from "../../src/platform/ports.ts";
import { EVENT } from "./photo-samples.ts";
import type { PhotoScene } from "./photo-scene.ts";

/** Stands still until moved; who sleeps does so in real time. */
export function stillClock(): Clock & { move(ms: number): void } {
  let now = Date.now();
  return {
    now: () => now,
    move: (ms) => {
      now += ms;
    },
    sleep: systemClock.sleep,
  };
}

/**
 * The same photos in a process that dies before the call of an engine after so many. Calls it made before still arrive:
 * `quiet` waits for them, so that one sees what is left.
 */
export function mortal(photos: Photos, calls: number) {
  let left = calls;
  const underWay = new Set<Promise<unknown>>();
  const dying = <Engine extends object>(engine: Engine): Engine =>
    new Proxy(engine, {
      get: (target, name) => {
        const method = Reflect.get(target, name) as unknown;
        if (typeof method !== "function") return method;
        return async (...args: unknown[]) => {
          left -= 1;
          if (left < 0) throw new Error("killed");
          const call = Promise.resolve(method.apply(target, args) as unknown);
          underWay.add(call);
          return call.finally(() => underWay.delete(call));
        };
      },
    });
  const { table, blobs, recognition, workflow, jobs, uploads } = photos;
  const parts = { table: dying(table), blobs: dying(blobs), recognition: dying(recognition), onError: () => {} };
  const rest = { workflow: dying(workflow), jobs: dying(jobs), uploads: dying(uploads) };
  const quiet = async () => {
    while (underWay.size > 0) await Promise.allSettled(underWay);
  };
  return { photos: { ...photos, ...parts, ...rest } as Photos, isDead: () => left < 0, quiet };
}

/** Kills the work before its first call, before its second, and so on, until one lives to its end. */
export async function killAnywhere(work: (lifetime: number) => Promise<boolean>): Promise<number> {
  for (let lifetime = 0; ; lifetime += 1) {
    assert.ok(lifetime < 1000, "it never comes to an end");
    if (!(await work(lifetime))) return lifetime;
  }
}

/** Works on the jobs there are, as a worker that got a hint for each. One that has to wait is left. */
export async function workOff(photos: Photos): Promise<void> {
  const { items } = await photos.table.query({ index: "GSI2", partition: JOBS_PARTITION, limit: 100 });
  const messages = items.map(({ PK, SK }, index) => ({
    id: String(index),
    body: JSON.stringify({ PK, SK }),
    receives: 1,
    sentAt: 0,
  }));
  await workOnJobs(photos)(messages);
}

/** A workflow that only remembers what was started; `running` are executions that have not ended. */
export function rememberStarts(photos: Photos, running: Set<string> = new Set()): string[] {
  const started: string[] = [];
  const workflow: Partial<Workflow> = {
    start: async (name) => void (started.includes(name) || started.push(name)),
    status: async (name) => (running.has(name) ? ({ name, status: "RUNNING" } as Execution) : undefined),
  };
  photos.workflow = workflow as Workflow;
  return started;
}

export async function allItems({ photos }: Pick<PhotoScene, "photos">, event: EventPlace = EVENT): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const ask = { partition: eventPartition(event), limit: 1000, ...(cursor !== undefined && { cursor }) };
    const page = await photos.table.query(ask);
    items.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return items;
}

/** What must agree whatever happened: photos with their index items and uploads, counts with what they count. */
export async function checkItems(scene: Pick<PhotoScene, "photos">, event: EventPlace = EVENT): Promise<void> {
  const items = await allItems(scene, event);
  const of = <T extends Item>(type: string) => items.filter(({ EntityType }) => EntityType === type) as T[];
  const photos = of<PhotoItem>("PHOTO");
  const uploads = of<UploadItem>("UPLOAD");
  const byId = new Map(uploads.map((upload) => [upload.ulid, upload]));
  const indexed = photos.flatMap(({ ulid, bibs }) => bibs.map((bib) => `BIB#${bib}#PHOTO#${ulid}`));
  const index = of("BIB_INDEX").map(({ SK }) => SK);
  assert.deepEqual(index.sort(), indexed.sort(), "index items are not those of the photos");
  for (const { ulid } of photos) assert.notEqual(byId.get(ulid)?.status ?? "DELETED", "DELETED", `${ulid} lives on`);
  for (const { bib, photos: count } of of<BibCountItem>("BIB_COUNT")) {
    assert.equal(count, photos.filter(({ bibs }) => bibs.includes(bib)).length, `the count of ${bib}`);
  }
  for (const { ulid } of of<ContentItem>("CONTENT")) {
    assert.notEqual(byId.get(ulid)?.status ?? "DELETED", "DELETED", `${ulid} still claims its bytes`);
  }
  const standing = (status: string) => uploads.filter((upload) => upload.status === status).length;
  assert.deepEqual(await readCounts(scene.photos.table, event), {
    uploaded: uploads.length,
    processing: standing("PROCESSING"),
    done: standing("DONE"),
    failed: standing("FAILED"),
    duplicate: standing("DUPLICATE"),
    withoutBib: photos.filter(({ bibCount }) => bibCount === 0).length,
    withFaces: photos.filter(({ faceCount }) => faceCount > 0).length,
  });
}

/** The keys of all objects of the event, originals and others. */
export async function objectsOf({ photos }: Pick<PhotoScene, "photos">, { orgId, eventId }: EventPlace = EVENT) {
  const { items } = await photos.blobs.list({ prefix: `${orgId}/${eventId}/`, limit: 1000 });
  return items.map(({ key }) => key);
}

/** Objects as the work on a photo leaves them. */
export async function putObjects({ photos }: Pick<PhotoScene, "photos">, keys: string[]): Promise<void> {
  for (const key of keys) await photos.blobs.put(key, Buffer.from(key), { contentType: "image/jpeg" });
  assert.ok(keys.every((key) => parseRawKey(key) || key.includes("/processed/")));
}
