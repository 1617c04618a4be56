/** Photos per second with a worker process per core, and the most memory a worker ever held. */

import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { openVision, type Vision } from "../../src/platform/embedded/recognition.ts";
import { memoryBytesOf } from "../entry/process-cost.ts";
import { figure, progress } from "../entry/report.ts";
import type { Row } from "../run.ts";
import { atMost } from "./report.ts";

const MEGABYTE = 1_000_000;
const MOST_MEGABYTES = 600;
const MEMORY_LOOK_MS = 50;

export async function measurePool(
  modelsFile: string | undefined,
  files: { name: string; images: Buffer[] }[],
): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), "snaprace-bench-vision-"));
  const workers = availableParallelism();
  const vision = openVision({ folder, workers, ...(modelsFile !== undefined && { modelsFile }) });
  let peakBytes = 0;
  // Not once at the end: a worker that held too much has been replaced by then.
  const watch = setInterval(() => {
    for (const pid of workerPids()) peakBytes = Math.max(peakBytes, peakOf(pid));
  }, MEMORY_LOOK_MS);
  try {
    await vision.load();
    const rows: Row[] = [];
    for (const { name, images } of files) {
      const seconds = await lookAtAll(vision, images, workers);
      rows.push(figure(`speed, ${name}: photos per second, ${workers} workers`, images.length / seconds, "/s"));
      progress(`speed: ${images.length} files of ${name} by ${workers} workers in ${seconds.toFixed(1)} s`);
    }
    return [
      ...rows,
      atMost("speed: memory of a worker at its peak", peakBytes / MEGABYTE, "MB", MOST_MEGABYTES),
      figure("speed: workers replaced", vision.counts().restarts, ""),
    ];
  } finally {
    clearInterval(watch);
    await vision.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Each worker has looked at one before the clock starts. */
async function lookAtAll(vision: Vision, images: Buffer[], workers: number): Promise<number> {
  await Promise.all(images.slice(0, workers).map((image) => vision.look(image)));
  const startedAt = performance.now();
  await Promise.all(images.map((image) => vision.look(image)));
  return (performance.now() - startedAt) / 1000;
}

function workerPids(): number[] {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8");
  return children.split(" ").filter(Boolean).map(Number);
}

/** Between the list and the look it may have ended. */
function peakOf(pid: number): number {
  try {
    return memoryBytesOf(pid).peak || 0;
  } catch {
    return 0;
  }
}
