/** How fast photos go through: the vision engine alone, then the whole way as fast as it goes, then at 70% of that rate. */

import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openVision } from "../../src/platform/embedded/recognition.ts";
import { atLeast, below, count, figure, progress } from "../entry/report.ts";
import type { Row } from "../run.ts";
import { type Installation, openInstallation } from "./installation.ts";
import { type PhotoFile, readPhoto } from "./make-files.ts";
import { cpuMsOfAll } from "./processes.ts";

const WARM_UP = 4;
/** So many are on their way at once: more than the engine can look at, fewer than would fill the disk's cache. */
const AT_ONCE = 8;
const ARRIVAL_SHARE = 0.7;
/** Looking costs the server, too. */
const LOOK_EVERY_MS = 200;
const LOOK_SELDOM_MS = 1000;
const FEW_LEFT = 4;
/** More than can come between two looks. */
const NEWEST = 20;
const LEAST_SHARE = 0.8;
const MOST_P50_MS = 2000;
const MOST_P95_MS = 5000;

export async function measureFlow(files: PhotoFile[]): Promise<Row[]> {
  const half = Math.ceil(files.length / 2);
  const some = files.slice(0, half);
  // Before and again after: the machine is not equally fast all the time.
  const before = await visionAlone(some);
  const whole = await withInstallation((to) => sendAll(to, some));
  const after = await visionAlone(some);
  const alone = { perSecond: (before.perSecond + after.perSecond) / 2, cpuMs: (before.cpuMs + after.cpuMs) / 2 };
  const arriving = whole.perSecond * ARRIVAL_SHARE;
  const latencies = await withInstallation((to) => sendAtRate(to, files.slice(half), arriving));
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(share * latencies.length))] ?? 0;
  return [
    figure("the vision engine alone, on the same files", alone.perSecond, "photos/s"),
    figure("the whole way, sustained", whole.perSecond, "photos/s"),
    atLeast("of the engine's rate", whole.perSecond / alone.perSecond, "", LEAST_SHARE),
    // Says the same on a machine that has other things to do; what the client takes is not in it.
    figure("the vision engine alone: CPU of a photo", alone.cpuMs, "ms"),
    figure("the whole way: CPU of a photo, server and workers", whole.cpuMs, "ms"),
    figure("of the engine's rate, by CPU", alone.cpuMs / whole.cpuMs, ""),
    below(`upload to searchable, ${count(latencies.length)} files at 70% of that: p50`, at(0.5), "ms", MOST_P50_MS),
    below("upload to searchable: p95", at(0.95), "ms", MOST_P95_MS),
  ];
}

async function withInstallation<T>(use: (to: Installation) => Promise<T>): Promise<T> {
  const installation = await openInstallation();
  try {
    return await use(installation);
  } finally {
    await installation.close();
  }
}

type Speed = { perSecond: number; cpuMs: number };

async function visionAlone(files: PhotoFile[]): Promise<Speed> {
  const folder = await mkdtemp(join(tmpdir(), "snaprace-bench-photos-faces-"));
  const vision = openVision({ folder, workers: availableParallelism() });
  try {
    const images = await Promise.all(files.map(readPhoto));
    await Promise.all(images.slice(0, WARM_UP).map((image) => vision.look(image)));
    const end = measure(process.pid);
    await Promise.all(images.map((image) => vision.look(image)));
    return end("the vision engine alone", images.length);
  } finally {
    await vision.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function measure(pid: number): (what: string, photos: number) => Speed {
  const [startedAt, startedCpuMs] = [performance.now(), cpuMsOfAll(pid)];
  return (what, photos) => {
    const perSecond = photos / ((performance.now() - startedAt) / 1000);
    const cpuMs = (cpuMsOfAll(pid) - startedCpuMs) / photos;
    const load = loadavg()[0]?.toFixed(2);
    progress(`${what}: ${perSecond.toFixed(2)} photos/s, ${cpuMs.toFixed(0)} ms CPU each; the machine's load ${load}`);
    return { perSecond, cpuMs };
  };
}

/** From when the first were done to when the last was: loading the models is not counted. */
async function sendAll(to: Installation, files: PhotoFile[]): Promise<Speed> {
  const waiting = [...files];
  const sender = async () => {
    for (let file = waiting.shift(); file; file = waiting.shift()) await to.upload(file.name, await readPhoto(file));
  };
  const sending = Promise.all(Array.from({ length: AT_ONCE }, sender));
  await whenDone(to, WARM_UP);
  const end = measure(to.pid);
  await sending;
  await whenDone(to, files.length);
  return end("the whole way", files.length - WARM_UP);
}

async function whenDone(to: Installation, wanted: number): Promise<void> {
  for (;;) {
    const { done, failed } = await to.summary();
    if (failed > 0) throw new Error(`${failed} photos failed.`);
    if (done >= wanted) return;
    await delay(wanted - done > FEW_LEFT ? LOOK_SELDOM_MS : LOOK_EVERY_MS);
  }
}

/** From when each was due to when the gallery shows it, sorted. The first ones, which wait for the models, are not counted. */
async function sendAtRate(to: Installation, files: PhotoFile[], perSecond: number): Promise<number[]> {
  const warm = files.slice(0, WARM_UP);
  for (const file of warm) await to.upload(file.name, await readPhoto(file));
  await whenDone(to, WARM_UP);
  const rest = files.slice(WARM_UP);
  const dueAt = new Map<string, number>();
  const seenAt = new Map<string, number>();
  const startAt = performance.now() + 1000;
  const sending = rest.map(async (file, index) => {
    const due = startAt + (index / perSecond) * 1000;
    dueAt.set(file.name, due);
    await delay(Math.max(0, due - performance.now()));
    await to.upload(file.name, await readPhoto(file));
  });
  while (seenAt.size < rest.length) {
    for (const { fileName } of await to.newest(NEWEST)) {
      if (dueAt.has(fileName) && !seenAt.has(fileName)) seenAt.set(fileName, performance.now());
    }
    await delay(LOOK_EVERY_MS);
  }
  await Promise.all(sending);
  return [...seenAt].map(([name, at]) => at - (dueAt.get(name) ?? at)).sort((a, b) => a - b);
}
