/** A worker for the tests of the process pool: it does, misdoes and eats what it is told. */

import { pbkdf2 } from "node:crypto";
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Problem } from "../../problem.ts";
import type { SampleJob, SampleReady, SampleTold } from "./process-pool.sample.ts";
import { serveJobs } from "./process-pool-worker.ts";

const MEGABYTE = 1024 ** 2;
const [folder = "", start = "well"] = process.argv.slice(2);
const eaten: Buffer[] = [];
let jobsAtOnce = 0;

const misdeeds = {
  abort: () => process.abort(),
  exit: () => process.exit(3),
  kill: () => process.kill(process.pid, "SIGKILL"),
  loop: () => {
    for (;;);
  },
};

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(10);
}

/** Arriving and waiting for the others shows how many work at the same time. */
async function meet(count: number): Promise<void> {
  writeFileSync(path.join(folder, `met-${process.pid}`), "");
  await until(() => readdirSync(folder).filter((name) => name.startsWith("met-")).length >= count);
}

function eat(megabytes: number): void {
  for (let count = 0; count < megabytes; count += 10) eaten.push(Buffer.alloc(10 * MEGABYTE, 1));
}

function tell(): SampleTold {
  return {
    pid: process.pid,
    priority: os.getPriority(),
    oomScore: existsSync("/proc") ? readFileSync("/proc/self/oom_score_adj", "utf8").trim() : "",
    input: readFileSync(0, "utf8"),
  };
}

async function perform(job: SampleJob): Promise<unknown> {
  appendFileSync(path.join(folder, "began"), `${job.name ?? job.act}\n`);
  switch (job.act) {
    case "echo":
      return job.bytes;
    case "tell":
      return tell();
    case "hold":
      return until(() => existsSync(path.join(folder, "released")));
    case "meet":
      return meet(job.count);
    case "eat":
      return eat(job.megabytes);
    case "eat-and-loop":
      eat(job.megabytes);
      return misdeeds.loop();
    case "hang-thread-pool":
      return new Promise(() => pbkdf2("a", "b", 2 ** 31 - 1, 2 ** 20, "sha512", () => {}));
    case "problem":
      throw new Problem("too-large", "sample.refused", "Use less.", { details: { most: 3 }, retryInMs: 7 });
    case "error":
      throw new TypeError("a defect");
    case "answer-function":
      return () => {};
    default:
      return misdeeds[job.act]();
  }
}

async function countedPerform(job: SampleJob): Promise<unknown> {
  jobsAtOnce += 1;
  try {
    if (jobsAtOnce > 1) throw new Error(`${jobsAtOnce} jobs at once`);
    return await perform(job);
  } finally {
    jobsAtOnce -= 1;
  }
}

serveJobs<SampleJob, unknown, SampleReady>(async () => {
  appendFileSync(path.join(folder, "starts"), `${process.pid}\n`);
  console.log("a worker's noise");
  if (start === "model-needed" && !existsSync(path.join(folder, "model"))) {
    throw new Problem("misconfigured", "sample.no-model", "There is no model.");
  }
  if (start === "exit") process.exit(7);
  if (start === "hang") await new Promise(() => setInterval(() => {}, 1000));
  if (start === "leave") setImmediate(() => process.exit(0));
  return { ready: { pid: process.pid }, run: countedPerform };
});
