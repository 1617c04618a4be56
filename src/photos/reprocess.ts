/** Runs the work on uploads again: on one, or on all of an event that failed or are done. */

import { encodeTime } from "ulid";
import { hasHeld } from "../platform/condition-failed.ts";
import { absent, any, exists, is } from "../platform/conditions.ts";
import type { Page, Query, Update } from "../platform/ports.ts";
import { Problem } from "../platform/problem.ts";
import { executionName, startWork } from "./ingest.ts";
import {
  eventPartition,
  type JobItem,
  STARTS_PARTITION,
  UPLOAD_PREFIX,
  type UploadItem,
  uploadKey,
  uploadsPartition,
} from "./items.ts";
import { beginJob, findJob, type Progress } from "./jobs.ts";
import type { EventPlace } from "./object-keys.ts";
import type { Photos } from "./photos.ts";
import { findUpload, moveUpload, readCounts, type UploadRef } from "./uploads.ts";

const UPLOADS_AT_ONCE = 50;
/** What is uploaded meanwhile waits behind no more than these. */
const MOST_UNDER_WAY = 200;
const ROOM_AGAIN_MS = 1000;
const TRIES = 3;

/** Sorts behind every ULID of that time. */
export const afterUlidsOf = (ms: number) => `${encodeTime(ms, 10)}~`;

/** The note that it is to be started comes with the new attempt and goes after the start: a death in between loses nothing. */
export async function reprocessOne(photos: Photos, ref: UploadRef): Promise<UploadItem> {
  for (let left = TRIES; left > 0; left -= 1) {
    const upload = await findUpload(photos.table, ref);
    if (!upload) throw noPhoto(ref.ulid);
    await checkCanRun(photos, upload);
    const again = await nextAttempt(photos, upload, { GSI2PK: STARTS_PARTITION, GSI2SK: upload.ulid });
    if (!again) continue;
    await startNoted(photos, again);
    return again;
  }
  throw underWay(ref.ulid);
}

async function checkCanRun({ workflow }: Photos, upload: UploadItem): Promise<void> {
  const { ulid, status, duplicateOf } = upload;
  if (status === "DELETED") throw noPhoto(ulid);
  if (status === "DUPLICATE") throw isDuplicate(ulid, duplicateOf);
  if (status !== "PROCESSING") return;
  // One whose end nobody heard of would stay so for ever.
  const execution = await workflow.status(executionName(upload));
  if (!execution || execution.status === "RUNNING") throw underWay(ulid);
}

export function noPhoto(ulid: string): Problem {
  return new Problem("missing", "photo.not-found", `The event has no photo ${ulid}. It may have been deleted.`);
}

export function isDuplicate(ulid: string, original: string | undefined): Problem {
  const sentence = `${ulid} is the same file as the photo ${original}. Use that one's id.`;
  return new Problem("conflict", "photo.is-duplicate", sentence);
}

function underWay(ulid: string): Problem {
  return new Problem("conflict", "photo.under-way", `${ulid} is being worked on. Wait until that has ended.`);
}

/** Answers nothing when something else happened to it meanwhile. */
async function nextAttempt(
  { table, clock }: Photos,
  upload: UploadItem,
  note: NonNullable<Update["set"]>,
): Promise<UploadItem | undefined> {
  const attempt = upload.attempt + 1;
  const now = new Date(clock.now()).toISOString();
  const actions = moveUpload(upload, "PROCESSING", { now, set: { attempt, ...note }, remove: ["failure"] });
  if (!(await hasHeld(table.write(actions)))) return undefined;
  return { ...upload, status: "PROCESSING", attempt, changedAt: now };
}

async function startNoted(photos: Photos, upload: UploadItem): Promise<void> {
  if (upload.status === "PROCESSING") await startWork(photos, upload);
  const key = uploadKey(upload, upload.ulid);
  const started = { update: key, remove: ["GSI2PK", "GSI2SK"], if: is("attempt", upload.attempt) };
  await hasHeld(photos.table.write([started]));
}

/** For the tick: uploads with a new attempt whose start nobody lived to see. */
export async function startLeft(photos: Photos): Promise<void> {
  const { items } = await photos.table.query({ index: "GSI2", partition: STARTS_PARTITION, limit: UPLOADS_AT_ONCE });
  for (const item of items as UploadItem[]) {
    const upload = await findUpload(photos.table, item);
    if (upload) await startNoted(photos, upload);
  }
}

/** The same asked again is the same job. */
export async function beginReprocessing(
  photos: Photos,
  { orgId, eventId }: EventPlace,
  which: "failed" | "all",
): Promise<JobItem<"REPROCESS">> {
  const work = { kind: "REPROCESS" as const, orgId, eventId, which };
  const begun = await beginJob(photos, work, any(absent("PK"), exists("finishedAt")));
  const job = (begun as JobItem<"REPROCESS"> | undefined) ?? (await findJob(photos, work));
  if (job?.which === which) return job;
  const sentence = "Photos of the event are being run again already. Wait until that has ended.";
  throw new Problem("conflict", "reprocess.under-way", sentence);
}

/** The cursor goes on only when all of a page are started, and whoever does a page again starts what was not. */
export async function reprocessPage(photos: Photos, job: JobItem<"REPROCESS">): Promise<Progress> {
  const { cursor: from } = job;
  const here = from === undefined ? {} : { cursor: from };
  const { processing } = await readCounts(photos.table, job);
  const room = Math.min(UPLOADS_AT_ONCE, MOST_UNDER_WAY - processing);
  if (room <= 0) return { ...here, waitMs: ROOM_AGAIN_MS };
  const { items, cursor } = (await photos.table.query({ ...wanted(job), limit: room, ...here })) as Page<UploadItem>;
  const restarted = await Promise.all(items.map((upload) => restart(photos, upload, job)));
  const counts = { seen: items.length, changed: restarted.filter((is) => is).length };
  return cursor === undefined ? { ...counts, ended: "finished" } : { ...counts, cursor };
}

/** Those that were there when it began: what comes later is looked at with the same eyes anyway. */
function wanted(job: JobItem<"REPROCESS">): Omit<Query, "limit"> {
  const last = afterUlidsOf(Date.parse(job.startedAt));
  if (job.which === "failed") {
    return { index: "GSI1", partition: uploadsPartition(job.eventId, "FAILED"), sort: { to: last } };
  }
  return { partition: eventPartition(job), sort: { from: UPLOAD_PREFIX, to: `${UPLOAD_PREFIX}${last}` } };
}

async function restart(photos: Photos, upload: UploadItem, { jobId, orgId }: JobItem<"REPROCESS">): Promise<boolean> {
  if (upload.orgId !== orgId) return false;
  if (upload.reprocessedBy === jobId) {
    if (upload.status === "PROCESSING") await startWork(photos, upload);
    return false;
  }
  if (upload.status !== "DONE" && upload.status !== "FAILED") return false;
  const again = await nextAttempt(photos, upload, { reprocessedBy: jobId });
  if (again) await startWork(photos, again);
  return again !== undefined;
}
