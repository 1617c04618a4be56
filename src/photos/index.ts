/** Photos as the apps see them: opened on engines, with their routes and their workers. */

import { readFileSync } from "node:fs";
import { keepFresh } from "../platform/fresh.ts";
import type { Route } from "../platform/http/route.ts";
import type { Engines, Tasks, Value } from "../platform/ports.ts";
import type { QueueWork } from "../platform/queue-work.ts";
import { registryQueues } from "../registry/events.ts";
import { detectText, indexFaces } from "./analyze-image.ts";
import { openPhotoDeadLetters } from "./dead-letters.ts";
import { fanOut } from "./fan-out.ts";
import { followFailures } from "./follow-failures.ts";
import { followRegistry } from "./follow-registry.ts";
import { galleryRoutes } from "./http.ts";
import { organizerRoutes } from "./http-organizer.ts";
import { ownUploadRoutes } from "./http-own-uploads.ts";
import { selfieRoutes } from "./http-selfie.ts";
import { uploadRoutes } from "./http-uploads.ts";
import { ingestUploads } from "./ingest.ts";
import {
  failureQueue,
  jobQueue,
  PHOTO_BUCKET,
  type PhotoFacts,
  type Photos,
  type PhotosParts,
  photoTable,
  uploadQueue,
} from "./photos.ts";
import { preprocessImage } from "./preprocess-image.ts";
import { createTick } from "./tick.ts";
import { workOnJobs } from "./work-on-jobs.ts";
import { AnalyzedPhoto, asValue, PreprocessedPhoto, WorkflowInput } from "./workflow-data.ts";

export {
  type BibReading,
  type BibRules,
  DEFAULT_MIN_CONFIDENCE,
  DEFAULT_WATERMARK_ZONES,
  readBibs,
} from "./bibs.ts";

export const WORKFLOW_NAME = "ImageProcessingWorkflow";

/** Settings may change while photos come in; within this time they hold. */
const SETTINGS_FRESH_MS = 2_000;
const ROSTER_FRESH_MS = 10_000;
const MESSAGES_AT_ONCE = 20;

export type OpenedPhotos = {
  photos: Photos;
  routes: Route[];
  /** One function per Task state, by its name. */
  tasks: Tasks;
  work: QueueWork[];
  /** What is due by time. To be called every now and then. */
  tick(): Promise<void>;
  /** Objects that were no photos of ours, since this process began. */
  skipped(): number;
};

export function openPhotos(parts: {
  engines: Engines;
  facts: PhotoFacts;
  stage: string;
  onSkip: PhotosParts["onSkip"];
  onError(error: unknown): void;
}): OpenedPhotos {
  const { engines, facts, stage, onSkip, onError } = parts;
  const { clock, recognition } = engines;
  let skipped = 0;
  const photos = createPhotos(engines, {
    table: engines.table(photoTable(stage)),
    bucket: PHOTO_BUCKET,
    blobs: engines.blobs(PHOTO_BUCKET, { notify: uploadQueue.name }),
    uploads: engines.queue(uploadQueue.name, uploadQueue.settings),
    jobs: engines.queue(jobQueue.name, jobQueue.settings),
    recognition,
    clock,
    facts,
    onSkip: (skip) => {
      skipped += 1;
      onSkip(skip);
    },
    onError,
  });
  return {
    photos,
    routes: [
      ...galleryRoutes(photos),
      ...selfieRoutes(photos),
      ...uploadRoutes(photos),
      ...ownUploadRoutes(photos),
      ...organizerRoutes(photos, openPhotoDeadLetters(photos, engines)),
    ],
    tasks: tasksOf(photos),
    work: [
      { queue: uploadQueue, handler: ingestUploads(photos), batchSize: MESSAGES_AT_ONCE, concurrency: 2 },
      { queue: failureQueue, handler: followFailures(photos) },
      { queue: registryQueues.photos, handler: followRegistry(photos) },
      { queue: jobQueue, handler: workOnJobs(photos), batchSize: 1, concurrency: 2 },
    ],
    tick: createTick(photos),
    skipped: () => skipped,
  };
}

/** With the functions of its Task states in their places; on one machine nobody looks at where they are. */
export function workflowFile(arnOf: (task: string) => string = localArn): { [field: string]: Value } {
  const text = readFileSync(new URL("workflow.asl.json", import.meta.url), "utf8");
  return JSON.parse(text.replaceAll(/\$\{(\w+)\}/g, (_, task: string) => arnOf(task)));
}

const localArn = (task: string) => `arn:aws:lambda:us-east-1:000000000000:function:${task}`;

function createPhotos(engines: Pick<Engines, "workflow">, parts: PhotosParts): Photos {
  const { clock, facts } = parts;
  const own = {
    events: keepFresh({ clock, freshMs: SETTINGS_FRESH_MS }, facts.eventForPhotos),
    rosters: keepFresh({ clock, freshMs: ROSTER_FRESH_MS }, facts.rosterOf),
  };
  // Its tasks need the photos, and photos start executions of it.
  const photos = { ...parts, ...own } as Photos;
  photos.workflow = engines.workflow({
    name: WORKFLOW_NAME,
    asl: workflowFile(),
    tasks: tasksOf(photos),
    notify: failureQueue.name,
  });
  return photos;
}

function tasksOf(photos: Photos): Tasks {
  return {
    PreprocessImage: async (input) => asValue(await preprocessImage(photos, WorkflowInput.parse(input))),
    DetectText: async (input) => asValue(await detectText(photos, PreprocessedPhoto.parse(input))),
    IndexFaces: async (input) => asValue(await indexFaces(photos, PreprocessedPhoto.parse(input))),
    FanoutToDynamoDB: async (input) => asValue(await fanOut(photos, AnalyzedPhoto.parse(input))),
  };
}
