/**
 * A process that works on the jobs of an event full of photos, to be killed in the middle. What looks at pictures is played:
 * the rest, from the job over the workflow to the fan-out, is real. Started with the
 * data folder, the number of photos, and what the registry calls their photographer since when.
 */

import { setTimeout as delay } from "node:timers/promises";
import { fanOut } from "../../src/photos/fan-out.ts";
import { followRegistry } from "../../src/photos/follow-registry.ts";
import { openPhotos } from "../../src/photos/index.ts";
import {
  eventPartition,
  type JobItem,
  type JobWork,
  PHOTO_PREFIX,
  type PhotoItem,
  UPLOAD_PREFIX,
} from "../../src/photos/items.ts";
import { findJob } from "../../src/photos/jobs.ts";
import { PHOTO_BUCKET } from "../../src/photos/photos.ts";
import { beginReprocessing } from "../../src/photos/reprocess.ts";
import { beginUpload, readCounts } from "../../src/photos/uploads.ts";
import { asValue, type WorkflowInput } from "../../src/photos/workflow-data.ts";
import { openEmbeddedEngines } from "../../src/platform/embedded/engines.ts";
import type { Engines, Item, Tasks } from "../../src/platform/ports.ts";
import { startWork } from "../../src/platform/queue-work.ts";
import { analyzedOf, EVENT, PHOTO_EVENT } from "../../tests/harness/photo-samples.ts";

const PHOTOGRAPHER = "minji-kim";
const BEGAN_AT = Date.UTC(2026, 3, 18);
const FILLERS = 64;
/** As many as keep up with the job: nothing is looked at here. */
const EXECUTIONS_AT_ONCE = 32;
const TICK_MS = 500;

/** `name` is what the photographer is called in the registry from then on. */
export type JobOrder = { isUnderWay?: boolean } & ({ do: "sync"; name: string; asOf: string } | { do: "reprocess" });
export type Order = { do: "fill" | "tell" | "counts" | "check" } | JobOrder;
type SyncWork = Extract<JobWork, { kind: "SYNC_PHOTOGRAPHER" }>;
export type Told = {
  job: { seen: number; changed: number; finished: boolean } | undefined;
  peakMegabytes: number;
  /** How many photos there are of each credit, and how many uploads of each status and attempt. */
  credits?: { [credit: string]: number };
  uploads?: { [standing: string]: number };
  counts?: { [count: string]: number };
  /** Changes whenever any photo does. */
  lastUpdate?: string;
};

/** In place of the tasks that look at pictures. */
const PLAYED: Tasks = {
  PreprocessImage: async (input) => {
    const { detectTextResult: _, indexFacesResult: __, ...preprocessed } = analyzedIn(input);
    return asValue(preprocessed);
  },
  DetectText: async (input) => asValue(analyzedIn(input).detectTextResult),
  IndexFaces: async (input) => asValue(analyzedIn(input).indexFacesResult),
};

const [dataFolder = "", stored = "0", credit = "Minji", creditAsOf = "2026-01-01T00:00:00.000Z"] =
  process.argv.slice(2);
const registered = { photographerId: PHOTOGRAPHER, handle: null, displayName: credit, asOf: creditAsOf };
const opened = await openEmbeddedEngines({
  dataFolder,
  publicUrl: "http://127.0.0.1:8080",
  workflowConcurrency: EXECUTIONS_AT_ONCE,
});
const engines: Engines = {
  ...opened,
  workflow: (definition) => opened.workflow({ ...definition, tasks: { ...definition.tasks, ...PLAYED } }),
};
const facts = {
  eventForPhotos: async () => PHOTO_EVENT,
  rosterOf: async () => new Set<string>(),
  creditForPhotos: async () => registered,
  isAssigned: async () => true,
};
const { photos, work, tick } = openPhotos({ engines, facts, stage: "bench", onSkip: () => {}, onError: console.error });
startWork(engines, work);
void (async () => {
  for (;;) {
    await tick();
    await delay(TICK_MS);
  }
})();

let current: JobWork | undefined;

process.on("message", async (order: Order) => {
  if (order.do === "fill") await fill(Number(stored));
  if (order.do === "sync") {
    const { name, asOf } = order;
    current = { kind: "SYNC_PHOTOGRAPHER", photographerId: PHOTOGRAPHER, handle: null, displayName: name, asOf };
    if (!order.isUnderWay) await tellOf(current);
  }
  if (order.do === "reprocess") {
    current = { kind: "REPROCESS", ...EVENT, which: "all" };
    if (!order.isUnderWay) await beginReprocessing(photos, EVENT, "all");
  }
  const counts = order.do === "counts" ? { counts: await readCounts(photos.table, EVENT) } : {};
  const found = order.do === "check" ? await whatIsThere() : counts;
  process.send?.({ job: await standing(), peakMegabytes: process.resourceUsage().maxRSS / 1000, ...found });
});
process.on("disconnect", () => process.exit());
process.send?.("ready");

async function tellOf({ photographerId, handle, displayName, asOf: occurredAt }: SyncWork): Promise<void> {
  const message = { type: "photographer.changed", photographerId, handle, displayName, occurredAt };
  await followRegistry(photos)([{ id: "1", body: JSON.stringify(message), receives: 1, sentAt: 0 }]);
}

async function standing(): Promise<Told["job"]> {
  const job = current && ((await findJob(photos, current as never)) as JobItem | undefined);
  return job && { seen: job.seen, changed: job.changed, finished: job.finishedAt !== undefined };
}

function analyzedAt(index: number) {
  const faces = [{ faceId: `face-${index}`, box: { left: 0.1, top: 0.3, width: 0.05, height: 0.08 }, quality: 0.9 }];
  const about = { createdAt: BEGAN_AT + index, fileName: `IMG_${index}.jpg`, photographerId: PHOTOGRAPHER, faces };
  return analyzedOf(PHOTO_BUCKET, { ...about, bibs: [String(1000 + (index % 5000))] });
}

async function fill(wanted: number): Promise<void> {
  let next = 0;
  const filler = async () => {
    while (next < wanted) {
      const analyzed = analyzedAt(next++);
      const { orgId, eventId, ulid, rawKey, createdAt: uploadedAt } = analyzed;
      const about = { orgId, eventId, ulid, rawKey, uploadedAt, photographerId: PHOTOGRAPHER };
      await photos.table.write(beginUpload(about, uploadedAt));
      await fanOut(photos, analyzed);
    }
  };
  await Promise.all(Array.from({ length: FILLERS }, filler));
}

function analyzedIn(input: unknown) {
  const { rawKey } = input as WorkflowInput;
  return analyzedAt(Number(/IMG_(\d+)\.jpg$/.exec(rawKey)?.[1]));
}

async function whatIsThere(): Promise<Partial<Told>> {
  const credits: { [credit: string]: number } = {};
  const uploads: { [standing: string]: number } = {};
  let lastUpdate = "";
  await eachOf(PHOTO_PREFIX, (item) => {
    const { photographerDisplayName: name = "nobody", updatedAt } = item as PhotoItem;
    credits[name] = (credits[name] ?? 0) + 1;
    if (updatedAt > lastUpdate) lastUpdate = updatedAt;
  });
  await eachOf(UPLOAD_PREFIX, ({ status, attempt }) => {
    const name = `${status} ${attempt}`;
    uploads[name] = (uploads[name] ?? 0) + 1;
  });
  return { credits, uploads, lastUpdate, counts: await readCounts(photos.table, EVENT) };
}

async function eachOf(prefix: string, see: (item: Item) => void): Promise<void> {
  let cursor: string | undefined;
  do {
    const ask = { partition: eventPartition(EVENT), sort: { beginsWith: prefix }, limit: 1000 };
    const page = await photos.table.query({ ...ask, ...(cursor !== undefined && { cursor }) });
    page.items.forEach(see);
    cursor = page.cursor;
  } while (cursor !== undefined);
}
