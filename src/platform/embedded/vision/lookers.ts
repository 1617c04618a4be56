/** Worker processes that look at pictures and remember nothing. */

import { availableParallelism } from "node:os";
import type { LookFor, Seen } from "./eye.ts";
import type { LoadedModel } from "./models.ts";
import { openProcessPool, type PoolSettings, type ProcessPool } from "./process-pool.ts";
import type { VisionJob, WorkerDuty } from "./vision-worker.ts";

export type LookerSettings = {
  /** Worker processes for photos; by default as many as the machine has cores. */
  workers?: number;
  /** A manifest of other models than the default ones. */
  modelsFile?: string;
  /** For one picture. */
  timeLimitMs?: number;
  /** How long closing waits for the pictures that are being looked at. */
  closeGraceMs?: number;
  onError?: (error: unknown) => void;
};

export type Lookers = {
  /** For everything, unless told. Somebody waits for the largest face, so that it is looked for at once. */
  look(image: Uint8Array, lookFor?: LookFor): Promise<Seen>;
  /** Starts the workers, and says what they loaded. */
  load(): Promise<LoadedModel[]>;
  /** Of the workers for photos. */
  counts(): { workers: number; busy: number; waiting: number; restarts: number };
  close(): Promise<void>;
};

const TIME_LIMIT_MS = 60_000;
/** Photos of 24 megapixels take a worker to 390 MB. */
const MEMORY_LIMIT_BYTES = 600 * 1024 * 1024;
const HARD_MEMORY_LIMIT_BYTES = 2 * 1024 * 1024 * 1024;
/** Of glibc: pictures and tensors come and go in all sizes. With its own choices a worker grew to 658 MB, with these to 390. */
const MALLOC = { MALLOC_ARENA_MAX: "1", MALLOC_TRIM_THRESHOLD_: "4000000" };
/** Enough that no worker waits for a picture; more would only hold their bytes. */
const MAX_PHOTOS_WAITING = 200;
/** The last of more would wait for longer than a page does. */
const MAX_SELFIES_WAITING = 30;

type Pool = ProcessPool<VisionJob, Seen, LoadedModel[]>;

/** Selfies have a worker of their own: behind photos, and with the patience of those who look at them, people would wait for seconds. */
export function openLookers(settings: LookerSettings): Lookers {
  const workers = settings.workers ?? availableParallelism();
  const photos = openPool(settings, "photos", { workers, maxWaiting: MAX_PHOTOS_WAITING });
  const selfies = openPool(settings, "selfies", { workers: 1, maxWaiting: MAX_SELFIES_WAITING, isUrgent: true });
  return {
    look: (image, lookFor = "everything") => (lookFor === "largest-face" ? selfies : photos).run({ image, lookFor }),
    load: async () => {
      // Nobody waits for it yet, and who does will hear what is wrong.
      selfies.ready().catch(() => {});
      return photos.ready();
    },
    counts: () => photos.counts(),
    close: async () => {
      await Promise.all([photos.close(), selfies.close()]);
    },
  };
}

function openPool(
  { modelsFile, timeLimitMs = TIME_LIMIT_MS, closeGraceMs, onError }: LookerSettings,
  duty: WorkerDuty,
  size: Pick<PoolSettings, "workers" | "maxWaiting" | "isUrgent">,
): Pool {
  return openProcessPool({
    script: new URL("./vision-worker.ts", import.meta.url),
    args: [duty, ...(modelsFile === undefined ? [] : [modelsFile])],
    timeLimitMs,
    memoryLimitBytes: MEMORY_LIMIT_BYTES,
    hardMemoryLimitBytes: HARD_MEMORY_LIMIT_BYTES,
    env: { ...process.env, ...MALLOC },
    ...size,
    ...(closeGraceMs !== undefined && { closeGraceMs }),
    ...(onError && { onError }),
  });
}
