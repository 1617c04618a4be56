/** Starts a process for the pool that stands back behind the server, and tells how much memory it holds. */

import { type ChildProcess, fork } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import os from "node:os";

export type ForkSettings = {
  script: URL;
  args?: string[];
  execArgv?: string[];
  env?: NodeJS.ProcessEnv;
  /** Somebody waits for what it does: it takes its turn as the server does. */
  isUrgent?: boolean;
};

const STDERR = 2;
/** Of at most 1000: when the machine's memory runs out, Linux ends a worker and not the server. */
const FIRST_TO_GO = "500";

/** Without `execArgv`, none: the server's flags are tuned for the server, and its debugger's port is taken. */
export function forkWorker(
  { script, args = [], execArgv = [], env = process.env, isUrgent = false }: ForkSettings,
  hear: (message: unknown) => void,
  ended: (how: string) => void,
): ChildProcess {
  // What a worker prints goes to the log, never among what the program prints for other programs.
  const child = fork(script, args, {
    serialization: "advanced",
    stdio: ["ignore", STDERR, STDERR, "ipc"],
    execArgv,
    env,
  });
  child.on("message", hear);
  // Not "exit", which may come before the last message.
  child.on("close", (exitCode, signal) => ended(signal ?? `exit code ${exitCode}`));
  // What has become no process may not close; every other error comes with an end.
  child.on("error", (error) => {
    if (child.pid === undefined) ended(error.message);
  });
  child.unref();
  child.channel?.unref();
  if (child.pid !== undefined) standBack(child.pid, isUrgent);
  return child;
}

/** The server itself goes first when the machine is busy. Done at once: threads inherit it when they are made. */
function standBack(pid: number, isUrgent: boolean): void {
  if (!isUrgent) allowToFail(() => os.setPriority(pid, os.constants.priority.PRIORITY_BELOW_NORMAL));
  allowToFail(() => writeFileSync(`/proc/${pid}/oom_score_adj`, FIRST_TO_GO));
}

/** Not every system has these, nor grants them; the work can be done without. */
function allowToFail(act: () => void): void {
  try {
    act();
  } catch {}
}

/** Linux only; 0 where it can't be told. */
export function residentBytes(pid: number | undefined): number {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}
