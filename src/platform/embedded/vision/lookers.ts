/** Worker processes that look at pictures and remember nothing. */

import { availableParallelism } from "node:os";
import type { LookFor, Seen } from "./eye.ts";
import type { LoadedModel } from "./models.ts";
import { openProcessPool, type ProcessPool } from "./process-pool.ts";
import type { VisionJob } from "./vision-worker.ts";

export type LookerSettings = {
  /** Worker processes; by default as many as the machine has cores. */
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
  /** For everything, unless told. Somebody waits for the largest face, so that it is looked for before all else. */
  look(image: Uint8Array, lookFor?: LookFor): Promise<Seen>;
  /** Starts the workers, and says what they loaded. */
  load(): Promise<LoadedModel[]>;
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
const MAX_WAITING = 200;

export function openLookers(settings: LookerSettings): Lookers {
  const { modelsFile, closeGraceMs, onError } = settings;
  const pool: ProcessPool<VisionJob, Seen, LoadedModel[]> = openProcessPool({
    script: new URL("./vision-worker.ts", import.meta.url),
    args: modelsFile === undefined ? [] : [modelsFile],
    workers: settings.workers ?? availableParallelism(),
    timeLimitMs: settings.timeLimitMs ?? TIME_LIMIT_MS,
    memoryLimitBytes: MEMORY_LIMIT_BYTES,
    hardMemoryLimitBytes: HARD_MEMORY_LIMIT_BYTES,
    maxWaiting: MAX_WAITING,
    env: { ...process.env, ...MALLOC },
    ...(closeGraceMs !== undefined && { closeGraceMs }),
    ...(onError && { onError }),
  });
  return {
    look: (image, lookFor = "everything") => pool.run({ image, lookFor }, { isUrgent: lookFor === "largest-face" }),
    load: () => pool.ready(),
    counts: () => pool.counts(),
    close: () => pool.close(),
  };
}
