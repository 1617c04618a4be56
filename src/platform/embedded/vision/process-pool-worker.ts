/** The worker's side of the process pool: opens once, says it is ready, and does one job at a time until its parent ends it. */

import { Worker } from "node:worker_threads";
import { Problem, type ProblemKind } from "../../problem.ts";

type ToldProblem = {
  kind: ProblemKind;
  code: string;
  message: string;
  details: Problem["details"];
  retryInMs: number | undefined;
};
export type ToldFailure = ToldProblem | { message: string; stack: string | undefined };
export type FromWorker<Result, Ready> =
  | { ready: Ready }
  | { refused: ToldFailure }
  | { result: Result; rssBytes: number }
  | { failure: ToldFailure; rssBytes: number };
export type ToWorker<Job> = { job: Job };
export type Opened<Job, Result, Ready> = { ready: Ready; run(job: Job): Promise<Result> };

const PARENT_LOOK_MS = 1000;

/** Called once, first thing in the worker's script; what takes long to load belongs into `open`. */
export function serveJobs<Job, Result, Ready>(open: () => Promise<Opened<Job, Result, Ready>>): void {
  if (!process.send) throw new Error("This script does nothing by itself: a process pool starts it.");
  // Ctrl-C and a service's stop reach every process of the group, but the parent may still want an answer.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
  // Not `exit`, which waits for the thread pool: for ever, if a picture hangs it.
  process.on("disconnect", endAtOnce);
  if (!process.connected) endAtOnce();
  endWithParent();
  void serve(open);
}

async function serve<Job, Result, Ready>(open: () => Promise<Opened<Job, Result, Ready>>): Promise<void> {
  try {
    const opened = await open();
    process.on("message", (message) => void answer(opened, message as ToWorker<Job>));
    say({ ready: opened.ready });
  } catch (error) {
    say({ refused: toldFailure(error) });
  }
}

async function answer<Job, Result, Ready>(opened: Opened<Job, Result, Ready>, { job }: ToWorker<Job>): Promise<void> {
  try {
    const result = await opened.run(job);
    say({ result, rssBytes: process.memoryUsage.rss() });
  } catch (error) {
    say({ failure: toldFailure(error), rssBytes: process.memoryUsage.rss() });
  }
}

/** Throws if the message can't be copied; that the parent has gone, the disconnect tells. */
function say<Result, Ready>(message: FromWorker<Result, Ready>): void {
  process.send?.(message, undefined, undefined, () => {});
}

function toldFailure(error: unknown): ToldFailure {
  if (error instanceof Problem) {
    const { kind, code, message, details, retryInMs } = error;
    return { kind, code, message, details, retryInMs };
  }
  return error instanceof Error
    ? { message: error.message, stack: error.stack }
    : { message: String(error), stack: undefined };
}

function endAtOnce(): void {
  process.kill(process.pid, "SIGKILL");
}

/**
 * The disconnect of a killed parent isn't heard while a job keeps the event loop, and nobody is left to end that job.
 * A thread hears it; it is plain JavaScript and kept small, so that it costs 9 MB.
 */
function endWithParent(): void {
  const look = `setInterval(() => {
    if (process.ppid !== ${process.ppid}) process.kill(process.pid, "SIGKILL");
  }, ${PARENT_LOOK_MS});`;
  const resourceLimits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, codeRangeSizeMb: 1, stackSizeMb: 1 };
  new Worker(look, { eval: true, execArgv: [], env: {}, resourceLimits }).unref();
}
