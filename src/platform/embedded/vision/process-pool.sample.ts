/** What the tests of the process pool share: pools of sample workers, which leave traces in a folder. */

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { openProcessPool, type PoolSettings, type ProcessPool } from "./process-pool.ts";

export type SampleJob = { name?: string } & (
  | { act: "tell" | "hold" | "loop" | "hang-thread-pool" | "abort" | "exit" | "kill" }
  | { act: "problem" | "error" | "answer-function" }
  | { act: "echo"; bytes: unknown }
  | { act: "meet"; count: number }
  | { act: "eat" | "eat-and-loop"; megabytes: number }
);
export type SampleReady = { pid: number };
export type SampleTold = SampleReady & { priority: number; oomScore: string; input: string };
export type SampleStart = "well" | "model-needed" | "exit" | "hang" | "leave";

export const MEGABYTE = 1024 ** 2;
const LONGEST_WAIT_MS = 60_000;

export function openSamplePool(
  folder: string,
  { start = "well", ...settings }: Partial<PoolSettings> & { start?: SampleStart },
): ProcessPool<SampleJob, unknown, SampleReady> {
  return openProcessPool({
    script: new URL("./process-pool.sample-worker.ts", import.meta.url),
    args: [folder, start],
    workers: 1,
    timeLimitMs: 60_000,
    memoryLimitBytes: 1024 * MEGABYTE,
    hardMemoryLimitBytes: 2048 * MEGABYTE,
    maxWaiting: 100,
    ...settings,
  });
}

export function makeTraces(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), "snaprace-pool-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return {
    folder,
    leave: (name: "released" | "model") => writeFileSync(path.join(folder, name), ""),
    /** In the order in which the workers wrote them. */
    read: (name: "starts" | "began") => {
      const file = path.join(folder, name);
      return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
    },
  };
}

export async function until(isSo: () => boolean): Promise<void> {
  const givingUpAt = performance.now() + LONGEST_WAIT_MS;
  while (!isSo()) {
    if (performance.now() > givingUpAt) throw new Error(`In vain: ${isSo}`);
    await wait(20);
  }
}

/** A process that ended stays a zombie where nobody collects orphans, as in some containers. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !existsSync("/proc") || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
