/** What a process has cost so far, as the kernel counts it. */

import { readFileSync } from "node:fs";

/** Linux counts in hundredths of a second for every program. */
const MS_PER_TICK = 10;

/** User and system time of all its threads. */
export function cpuMsOf(pid: number): number {
  // The command's name, in brackets, may hold spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

/** `peak` is the most it ever was. */
export function memoryBytesOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1024;
  return { now: bytes("VmRSS"), peak: bytes("VmHWM") };
}
