/** Work over many photos, kept as an item: begun, carried on page by page, and found again when its worker died. */

import { randomUUID } from "node:crypto";
import { hasHeld } from "../platform/condition-failed.ts";
import { all, is } from "../platform/conditions.ts";
import type { Action, Condition, Key, Update } from "../platform/ports.ts";
import { JOBS_PARTITION, type JobItem, type JobKind, type JobWork, jobKey } from "./items.ts";
import type { Photos } from "./photos.ts";

/** A page takes seconds at most: who has not got on for so long is dead. */
const PRESUMED_DEAD_MS = 30_000;

/** How far a page took the job. */
export type Progress = {
  /** Photos looked at, and how many of these were changed. */
  seen?: number;
  changed?: number;
  /** Where the next page begins; none means at the beginning. */
  cursor?: string;
  set?: Update["set"];
  /** There is nothing to do before so long. */
  waitMs?: number;
  /** It is finished; `gone` leaves nothing of the job either. */
  ended?: "finished" | "gone";
};

export async function findJob<Kind extends JobKind>(
  { table }: Pick<Photos, "table">,
  work: Extract<JobWork, { kind: Kind }>,
): Promise<JobItem<Kind> | undefined> {
  return (await table.get(jobKey(work))) as JobItem<Kind> | undefined;
}

/** Answers nothing when the job that is there does not fit the condition; without one it gives way to the new one. */
export async function beginJob(photos: Photos, work: JobWork, condition?: Condition): Promise<JobItem | undefined> {
  const now = photos.clock.now();
  const jobId = randomUUID();
  const job = {
    ...jobKey(work),
    GSI2PK: JOBS_PARTITION,
    GSI2SK: `${iso(now)}#${jobId}`,
    EntityType: "JOB",
    jobId,
    startedAt: iso(now),
    changedAt: iso(now),
    dueAt: iso(now + PRESUMED_DEAD_MS),
    step: 0,
    seen: 0,
    changed: 0,
    ...work,
  } as JobItem;
  if (!(await hasHeld(photos.table.write([{ put: job, ...(condition && { if: condition }) }])))) return undefined;
  await hint(photos, job);
  return job;
}

/** Only a hint, and lost without harm: `hintDue` finds what nobody works on. */
export async function hint({ jobs, onError }: Photos, { PK, SK }: Key): Promise<void> {
  await jobs.send([JSON.stringify({ PK, SK })]).catch(onError);
}

/** Answers false when somebody else has carried the job on, or it gave way to another. */
export async function saveProgress(photos: Photos, job: JobItem, progress: Progress): Promise<boolean> {
  const { PK, SK, jobId, step } = job;
  const condition = all(is("jobId", jobId), is("step", step));
  const action: Action =
    progress.ended === "gone"
      ? { delete: { PK, SK }, if: condition }
      : { ...progressOf(photos, job, progress), if: condition };
  return hasHeld(photos.table.write([action]));
}

function progressOf(photos: Photos, job: JobItem, progress: Progress): Update {
  const { PK, SK, step, seen, changed } = job;
  const { cursor, set, waitMs = PRESUMED_DEAD_MS, ended } = progress;
  const now = photos.clock.now();
  const remove = [...(cursor === undefined ? ["cursor"] : []), ...(ended ? ["GSI2PK", "GSI2SK"] : [])];
  const left = remove.filter((name) => name in job);
  return {
    update: { PK, SK },
    set: {
      ...set,
      step: step + 1,
      seen: seen + (progress.seen ?? 0),
      changed: changed + (progress.changed ?? 0),
      changedAt: iso(now),
      dueAt: iso(now + waitMs),
      ...(cursor !== undefined && { cursor }),
      ...(ended && { finishedAt: iso(now) }),
    },
    ...(left.length > 0 && { remove: left }),
  };
}

/** For the tick: jobs that nobody has worked on for too long, or that waited long enough. */
export async function hintDue(photos: Photos): Promise<void> {
  const { table, clock } = photos;
  let cursor: string | undefined;
  do {
    const page = await table.query({
      index: "GSI2",
      partition: JOBS_PARTITION,
      limit: 100,
      ...(cursor !== undefined && { cursor }),
    });
    const now = clock.now();
    for (const { PK, SK, jobId, dueAt } of page.items as JobItem[]) {
      if (Date.parse(dueAt) > now) continue;
      const set = { dueAt: iso(now + PRESUMED_DEAD_MS) };
      const isFirst = { update: { PK, SK }, set, if: all(is("jobId", jobId), is("dueAt", dueAt)) };
      if (await hasHeld(table.write([isFirst]))) await hint(photos, { PK, SK });
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
}

const iso = (ms: number) => new Date(ms).toISOString();
