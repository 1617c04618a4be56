/** How an event's photos stand, at a glance: from counters, however many photos there are. */

import { z } from "zod";
import { keepFresh } from "../platform/fresh.ts";
import { EventId } from "../platform/ids.ts";
import type { EventForPhotos } from "../registry/events.ts";
import {
  BIB_COUNT_PREFIX,
  type BibCountItem,
  eventPartition,
  facesKey,
  type JobItem,
  type UploadItem,
  uploadsPartition,
} from "./items.ts";
import { findJob } from "./jobs.ts";
import type { Photos } from "./photos.ts";
import { type Counts, readCounts } from "./uploads.ts";
import { noEvent } from "./visible-event.ts";

const Count = z.int().min(0);

/** Work over many photos, as its organizer sees it. */
export const PhotoJob = z
  .object({
    jobId: z.string(),
    startedAt: z.string().meta({ description: "ISO 8601." }),
    changedAt: z.string().meta({ description: "When it last got on, ISO 8601." }),
    finishedAt: z.string().nullable().meta({ description: "ISO 8601." }),
    seen: Count.meta({ description: "Photos it has looked at." }),
    changed: Count.meta({ description: "Those of them with which it did something." }),
    which: z.enum(["failed", "all"]).optional().meta({ description: "What is run again." }),
  })
  .meta({ id: "PhotoJob" });
export type PhotoJob = z.infer<typeof PhotoJob>;

export const photoCounts = {
  uploaded: Count.meta({ description: "All that ever came: the sum of the five below." }),
  processing: Count,
  done: Count,
  failed: Count,
  duplicate: Count.meta({ description: "The same file under another name." }),
  deleted: Count,
  withoutBib: Count.meta({ description: "Photos in which no bib was read." }),
  withFaces: Count.meta({ description: "Photos in which a face was found." }),
};

export const PhotoSummary = z
  .object({
    eventId: EventId,
    ...photoCounts,
    oldestWaitingAt: z.string().nullable().meta({ description: "Since when the oldest is being processed, ISO 8601." }),
    oldestWaitingMs: Count.nullable(),
    queueOfAllEvents: z
      .object({ waiting: Count, inFlight: Count, dead: Count })
      .meta({ description: "Messages that an object was uploaded, to any event." }),
    roster: z
      .object({ runners: Count, withPhoto: Count })
      .meta({ description: "How many runners there are, and how many of them have a photo; some seconds old." }),
    faces: z.object({
      indexing: z.boolean(),
      until: z.string().meta({ description: "From then on no face is kept, ISO 8601." }),
      state: z.enum(["none", "kept", "being-forgotten", "forgotten"]),
    }),
    jobs: z.object({ reprocess: PhotoJob.nullable(), forgetFaces: PhotoJob.nullable() }),
  })
  .meta({ id: "PhotoSummary" });
export type PhotoSummary = z.infer<typeof PhotoSummary>;

const COVERAGE_FRESH_MS = 10_000;
const BIBS_AT_ONCE = 1000;
const WAITING_LOOKED_AT = 100;

export type Summaries = { read(eventId: string): Promise<PhotoSummary> };

export function createSummaries(photos: Photos): Summaries {
  const settings = { clock: photos.clock, freshMs: COVERAGE_FRESH_MS };
  const coverages = keepFresh(settings, (eventId) => readCoverage(photos, eventId));
  return {
    read: async (eventId) => {
      const event = await photos.facts.eventForPhotos(eventId);
      if (!event) throw noEvent(eventId);
      const [counts, waiting, queue, roster, rest] = await Promise.all([
        readCounts(photos.table, event),
        readOldestWaiting(photos, event),
        photos.uploads.depth(),
        coverages.read(eventId),
        readFacesAndJobs(photos, event),
      ]);
      return { eventId, ...shownCounts(counts), ...waiting, queueOfAllEvents: queue, roster, ...rest };
    },
  };
}

/** Every upload is in one of them; the items they are summed from are not read in one instant. */
export function shownCounts(counts: Counts) {
  const { uploaded, processing, done, failed, duplicate, withoutBib, withFaces } = counts;
  const deleted = Math.max(0, uploaded - processing - done - failed - duplicate);
  return { uploaded, processing, done, failed, duplicate, deleted, withoutBib, withFaces };
}

/** The index has them by when they were uploaded; those that are run again wait since less long. */
async function readOldestWaiting({ table, clock }: Photos, { orgId, eventId }: EventForPhotos) {
  const partition = uploadsPartition(eventId, "PROCESSING");
  const { items } = await table.query({ index: "GSI1", partition, limit: WAITING_LOOKED_AT });
  const own = (items as UploadItem[]).filter((upload) => upload.orgId === orgId);
  const since = own.map(({ attempt, uploadedAt, changedAt }) => (attempt === 1 ? uploadedAt : changedAt)).sort();
  const [oldest] = since;
  if (oldest === undefined) return { oldestWaitingAt: null, oldestWaitingMs: null };
  return { oldestWaitingAt: oldest, oldestWaitingMs: Math.max(0, clock.now() - Date.parse(oldest)) };
}

async function readCoverage({ table, facts, rosters }: Photos, eventId: string) {
  const event = await facts.eventForPhotos(eventId);
  const roster = await rosters.read(eventId);
  if (!event || roster.size === 0) return { runners: 0, withPhoto: 0 };
  let withPhoto = 0;
  let cursor: string | undefined;
  do {
    const page = await table.query({
      partition: eventPartition(event),
      sort: { beginsWith: BIB_COUNT_PREFIX },
      limit: BIBS_AT_ONCE,
      ...(cursor !== undefined && { cursor }),
    });
    for (const { bib, photos } of page.items as BibCountItem[]) if (photos > 0 && roster.has(bib)) withPhoto += 1;
    cursor = page.cursor;
  } while (cursor !== undefined);
  return { runners: roster.size, withPhoto };
}

async function readFacesAndJobs(photos: Photos, event: EventForPhotos) {
  const { orgId, eventId, faceIndexing, facesUntil } = event;
  const [faces, forgetting, reprocessing] = await Promise.all([
    photos.table.get(facesKey(event)),
    findJob<"FORGET_FACES">(photos, { kind: "FORGET_FACES", orgId, eventId }),
    findJob<"REPROCESS">(photos, { kind: "REPROCESS", orgId, eventId, which: "all" }),
  ]);
  const state = facesState(faces !== undefined, forgetting);
  return {
    faces: { indexing: faceIndexing, until: new Date(facesUntil).toISOString(), state },
    jobs: {
      reprocess: reprocessing ? { ...showJob(reprocessing), which: reprocessing.which } : null,
      forgetFaces: forgetting ? showJob(forgetting) : null,
    },
  };
}

function facesState(hasFaces: boolean, job: JobItem | undefined): PhotoSummary["faces"]["state"] {
  if (job && job.finishedAt === undefined) return "being-forgotten";
  if (hasFaces) return "kept";
  return job ? "forgotten" : "none";
}

export function showJob({ jobId, startedAt, changedAt, finishedAt, seen, changed }: JobItem): PhotoJob {
  return { jobId, startedAt, changedAt, finishedAt: finishedAt ?? null, seen, changed };
}
