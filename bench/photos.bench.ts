/**
 * Photos from upload to search, on the real server, beside the vision engine alone on the same files. In the environment:
 * ONLY=flow,memory,selfie,cost,jobs for some parts, PHOTOS=N for so many files (300), WAITING=N for so many that wait while memory is
 * looked at (10,000), STORED=N for so many that a photographer has (100,000).
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measureCost } from "./photos/cost.ts";
import { measureFlow } from "./photos/flow.ts";
import { measureJobs } from "./photos/jobs.ts";
import { makeFiles } from "./photos/make-files.ts";
import { measureMemory } from "./photos/memory.ts";
import { measureSelfies } from "./photos/selfie.ts";
import type { Benchmark, Row } from "./run.ts";

const PHOTOS = 300;
const WAITING = 10_000;
const COSTED = 20;
const STORED = 100_000;

export async function run(): Promise<Benchmark> {
  const { ONLY, PHOTOS: photos, WAITING: waiting, STORED: stored } = process.env;
  const isWanted = (part: string) => ONLY === undefined || ONLY.split(",").includes(part);
  const folder = await mkdtemp(join(tmpdir(), "snaprace-bench-photos-"));
  const rows: Row[] = [];
  try {
    const isLarge = ["flow", "memory", "selfie", "cost"].some(isWanted);
    const files = isLarge ? await makeFiles(folder, Number(photos ?? PHOTOS)) : [];
    if (isWanted("flow")) rows.push(...(await measureFlow(files)));
    if (isWanted("memory")) rows.push(...(await measureMemory(files, Number(waiting ?? WAITING))));
    if (isWanted("selfie")) rows.push(...(await measureSelfies(files)));
    if (isWanted("cost")) rows.push(...(await measureCost(files.slice(0, COSTED))));
    if (isWanted("jobs")) rows.push(...(await measureJobs(Number(stored ?? STORED))));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return { name: "photos", rows };
}
