/** How the work on an uploaded object goes from one status to the next, and is counted. */

import { absent, all, is } from "../platform/conditions.ts";
import type { Action, Table, Update } from "../platform/ports.ts";
import {
  COUNTS,
  COUNTS_PREFIX,
  type Count,
  type CountsItem,
  countsKey,
  countsPrefix,
  eventPartition,
  type UploadItem,
  type UploadStatus,
  uploadKey,
  uploadsPartition,
} from "./items.ts";
import type { EventPlace } from "./object-keys.ts";

export type UploadRef = EventPlace & { ulid: string };
type CountedUpload = UploadRef & { photographerId?: string | undefined };
export type Counts = { [count in Count]: number };

/** As many as thirty photographers have. */
const COUNTS_AT_ONCE = 1000;

const COUNTED_AS: { [status in UploadStatus]: Count | undefined } = {
  PROCESSING: "processing",
  DONE: "done",
  FAILED: "failed",
  DUPLICATE: "duplicate",
  DELETED: undefined,
};

export async function findUpload(table: Table, ref: UploadRef): Promise<UploadItem | undefined> {
  return (await table.get(uploadKey(ref, ref.ulid))) as UploadItem | undefined;
}

/** The first that is known of an object. */
export function beginUpload(
  about: UploadRef & { rawKey: string; photographerId?: string; uploadedAt: string },
  now: string,
): Action[] {
  const status = "PROCESSING";
  const item: UploadItem = {
    ...uploadKey(about, about.ulid),
    ...indexed(about, status),
    EntityType: "UPLOAD",
    ...about,
    status,
    attempt: 1,
    changedAt: now,
  };
  return [{ put: item, if: absent("PK") }, count(about, { uploaded: 1, processing: 1 })];
}

/** From the status it was seen in, or not at all. Other counts may change with it. */
export function moveUpload(
  upload: UploadItem,
  to: UploadStatus,
  change: { now: string; set?: Update["set"]; remove?: string[]; counts?: Partial<Counts> },
): Action[] {
  const index = indexed(upload, to);
  const gone = index ? [] : ["GSI1PK", "GSI1SK"];
  const remove = [...gone, ...(change.remove ?? [])].filter((name) => name in upload && !(name in (change.set ?? {})));
  const update: Update = {
    update: uploadKey(upload, upload.ulid),
    set: { status: to, changedAt: change.now, ...index, ...change.set },
    ...(remove.length > 0 && { remove }),
    if: all(is("status", upload.status), is("attempt", upload.attempt)),
  };
  const from = COUNTED_AS[upload.status];
  const into = COUNTED_AS[to];
  const counts: Partial<Counts> = { ...change.counts };
  if (from) counts[from] = (counts[from] ?? 0) - 1;
  if (into) counts[into] = (counts[into] ?? 0) + 1;
  return [update, ...counted(upload, counts)];
}

/** Nothing is left of it, not even in the counts. */
export function dropUpload(upload: UploadItem, counts: Partial<Counts>): Action[] {
  const as = COUNTED_AS[upload.status];
  return [
    { delete: uploadKey(upload, upload.ulid), if: all(is("status", upload.status), is("attempt", upload.attempt)) },
    ...counted(upload, { ...counts, uploaded: -1, ...(as && { [as]: -1 }) }),
  ];
}

/** None when nothing is to be counted. */
export function counted(upload: CountedUpload, counts: Partial<Counts>): Action[] {
  const some = Object.fromEntries(Object.entries(counts).filter(([, by]) => by !== 0));
  return Object.keys(some).length === 0 ? [] : [count(upload, some)];
}

function count(upload: CountedUpload, add: Partial<Counts>): Update {
  return { update: countsKey(upload, upload), set: { EntityType: "COUNTS" }, add };
}

/** What organizers look for: what is under way, and what failed. */
function indexed({ eventId, ulid }: UploadRef, status: UploadStatus) {
  if (status !== "PROCESSING" && status !== "FAILED") return undefined;
  return { GSI1PK: uploadsPartition(eventId, status), GSI1SK: ulid };
}

/** Of all, or of one photographer; `""` is nobody. */
export async function readCounts(table: Table, event: EventPlace, photographerId?: string): Promise<Counts> {
  const sums = Object.fromEntries(COUNTS.map((name) => [name, 0])) as Counts;
  const beginsWith = photographerId === undefined ? COUNTS_PREFIX : countsPrefix(photographerId);
  let cursor: string | undefined;
  do {
    const ask = { partition: eventPartition(event), sort: { beginsWith }, limit: COUNTS_AT_ONCE };
    const page = await table.query({ ...ask, ...(cursor !== undefined && { cursor }) });
    for (const item of page.items as CountsItem[]) for (const name of COUNTS) sums[name] += item[name] ?? 0;
    cursor = page.cursor;
  } while (cursor !== undefined);
  return sums;
}
