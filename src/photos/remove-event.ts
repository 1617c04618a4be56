/** Removes all that is kept of an event that is gone from the registry: photos one by one, then objects, then the rest. */

import { decodeTime } from "ulid";
import { hasHeld } from "../platform/condition-failed.ts";
import { absent, any, below, is } from "../platform/conditions.ts";
import type { Action, BlobEntry, Item } from "../platform/ports.ts";
import type { RegistryMessage } from "../registry/events.ts";
import { writeWhatHolds } from "./change-photos.ts";
import { countsWithout, findItems, itemRemovals } from "./delete-photo.ts";
import { deleteCollection } from "./forget-faces.ts";
import {
  BIB_COUNT_PREFIX,
  CONTENT_PREFIX,
  COUNTS_PREFIX,
  eventPartition,
  JOB_PREFIX,
  type JobItem,
  jobKey,
  UPLOAD_PREFIX,
  type UploadItem,
} from "./items.ts";
import { beginJob, type Progress } from "./jobs.ts";
import { faceCollection, isProcessedKey } from "./object-keys.ts";
import { PhotoId } from "./photo-id.ts";
import type { Photos } from "./photos.ts";
import { afterUlidsOf } from "./reprocess.ts";
import { dropUpload } from "./uploads.ts";

const UPLOADS_AT_ONCE = 50;
const OBJECTS_AT_ONCE = 1000;
const ITEMS_AT_ONCE = 100;
/** Signed uploads and executions that were under way have ended by then. */
const LOOK_AGAIN_MS = 90 * 60_000;
const ROUNDS = 2;

type EventRemoved = Extract<RegistryMessage, { type: "event.removed" }>;
type Removal = JobItem<"REMOVE_EVENT">;

export async function beginRemoval(photos: Photos, { orgId, eventId, occurredAt }: EventRemoved): Promise<void> {
  const work = {
    kind: "REMOVE_EVENT" as const,
    orgId,
    eventId,
    removedAt: occurredAt,
    phase: "ITEMS" as const,
    rounds: 0,
  };
  await beginJob(photos, work, any(absent("PK"), below("removedAt", occurredAt)));
  photos.events.forget(eventId);
}

/** An event made anew under the same id keeps what came after the old one was removed. */
export async function removeEventPage(photos: Photos, job: Removal): Promise<Progress> {
  const now = photos.clock.now();
  const event = await photos.facts.eventForPhotos(job.eventId);
  const isGone = event?.orgId !== job.orgId;
  const until = isGone ? now : Date.parse(job.removedAt);
  switch (job.phase) {
    case "ITEMS":
      return removeUploads(photos, job, { isGone, until });
    case "OBJECTS":
      return removeObjects(photos, job, until);
    case "REST":
      return removeRest(photos, job, { isGone, until });
  }
}

type Bounds = { isGone: boolean; until: number };

async function removeUploads(photos: Photos, job: Removal, { isGone, until }: Bounds): Promise<Progress> {
  const { items } = await photos.table.query({
    partition: eventPartition(job),
    sort: { from: UPLOAD_PREFIX, to: `${UPLOAD_PREFIX}${afterUlidsOf(until)}` },
    limit: UPLOADS_AT_ONCE,
  });
  if (items.length === 0) return { set: { phase: "OBJECTS" } };
  const removed = await Promise.all((items as UploadItem[]).map((upload) => removeUpload(photos, upload, isGone)));
  return { seen: items.length, changed: removed.filter((is) => is).length };
}

/** With the counts, which an event made anew goes on with. */
async function removeUpload(photos: Photos, upload: UploadItem, isGone: boolean): Promise<boolean> {
  const found = await findItems(photos, upload);
  const faceIds = [...(found.photo?.faceIds ?? []), ...(upload.toRemove?.faceIds ?? [])];
  // Before the items go that name them; those of an event that is gone go with their collection.
  if (!isGone && faceIds.length > 0) await photos.recognition.deleteFaces(faceCollection(upload), faceIds);
  const actions = [...dropUpload(upload, countsWithout(found.photo)), ...itemRemovals(upload, found)];
  return hasHeld(photos.table.write(actions));
}

async function removeObjects({ blobs }: Photos, job: Removal, until: number): Promise<Progress> {
  const prefix = `${job.orgId}/${job.eventId}/`;
  const ask = { prefix, limit: OBJECTS_AT_ONCE, ...(job.cursor !== undefined && { cursor: job.cursor }) };
  const { items, cursor } = await blobs.list(ask);
  await blobs.delete(items.filter((entry) => madeAt(entry) <= until).map(({ key }) => key));
  return cursor === undefined ? { set: { phase: "REST" } } : { cursor };
}

/** Work on an old original may have gone on for a while: what it made is as old as the original. */
function madeAt({ key, createdAt }: BlobEntry): number {
  const [name = ""] = key.split("/").at(-1)?.split(".") ?? [];
  const ulid = isProcessedKey(key) ? PhotoId.safeParse(name).data : undefined;
  return ulid === undefined ? createdAt : decodeTime(ulid);
}

async function removeRest(photos: Photos, job: Removal, { isGone, until }: Bounds): Promise<Progress> {
  await removeItems(photos, job, BIB_COUNT_PREFIX, ({ photos }) => photos === 0 && is("photos", 0));
  await removeItems(photos, job, COUNTS_PREFIX, ({ uploaded }) => uploaded === 0 && is("uploaded", 0));
  await removeItems(photos, job, CONTENT_PREFIX, ({ ulid }) => decodeTime(`${ulid}`) <= until && is("ulid", `${ulid}`));
  const own = jobKey(job).SK;
  await removeItems(photos, job, JOB_PREFIX, ({ SK, jobId, startedAt }) => {
    return SK !== own && Date.parse(`${startedAt}`) <= until && is("jobId", `${jobId}`);
  });
  if (isGone) await deleteCollection(photos, job);
  const rounds = job.rounds + 1;
  return rounds < ROUNDS ? { set: { phase: "ITEMS", rounds }, waitMs: LOOK_AGAIN_MS } : { ended: "gone" };
}

/** Each under the condition that is given for it; those without one stay. */
async function removeItems(
  { table }: Photos,
  job: Removal,
  prefix: string,
  conditionOf: (item: Item) => ReturnType<typeof is> | false,
): Promise<void> {
  let cursor: string | undefined;
  do {
    const page = await table.query({
      partition: eventPartition(job),
      sort: { beginsWith: prefix },
      limit: ITEMS_AT_ONCE,
      ...(cursor !== undefined && { cursor }),
    });
    const deletes = page.items.flatMap((item): Action[] => {
      const condition = conditionOf(item);
      return condition ? [{ delete: { PK: item.PK, SK: item.SK }, if: condition }] : [];
    });
    await writeWhatHolds(table, deletes);
    cursor = page.cursor;
  } while (cursor !== undefined);
}
