/** What a process and all that it started hold and have cost. */

import { readdirSync, readFileSync } from "node:fs";
import { cpuMsOf } from "../entry/process-cost.ts";

/** What they share is counted once: each page by its share. */
export function megabytesOfAll(pid: number): number {
  return sumOf([pid, ...descendantsOf(pid)], (each) => {
    const rollup = readFileSync(`/proc/${each}/smaps_rollup`, "utf8");
    return (Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1]) * 1024) / 1e6;
  });
}

/** User and system time so far; those that have ended are not in it. */
export function cpuMsOfAll(pid: number): number {
  return sumOf([pid, ...descendantsOf(pid)], cpuMsOf);
}

/** A process may end between the list and the look. */
function sumOf(pids: number[], value: (pid: number) => number): number {
  return pids.reduce((sum, pid) => {
    try {
      return sum + value(pid);
    } catch {
      return sum;
    }
  }, 0);
}

function descendantsOf(pid: number): number[] {
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => parentOf(each) === pid);
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

function parentOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[1]);
  } catch {
    return 0;
  }
}
