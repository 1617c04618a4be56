/** Runs jobs in child processes, one at a time in each: a native crash there costs a job, while in a thread it would end the server. */

import type { ChildProcess } from "node:child_process";
import type { Problem } from "../../problem.ts";
import { forkWorker, residentBytes } from "./process-pool-fork.ts";
import { startPause } from "./process-pool-pause.ts";
import { busy, crashed, errorOf, outOfMemory, stopping, timedOut, unavailable } from "./process-pool-problems.ts";
import type { FromWorker, ToWorker } from "./process-pool-worker.ts";

export type PoolSettings = {
  script: URL;
  args?: string[];
  workers: number;
  /** For one job, from when a worker has it. */
  timeLimitMs: number;
  /** A worker that holds more after a job is replaced; it must be well above what an idle one holds. */
  memoryLimitBytes: number;
  /** A worker that holds more during a job is killed (Linux). */
  hardMemoryLimitBytes: number;
  maxWaiting: number;
  startLimitMs?: number;
  closeGraceMs?: number;
  execArgv?: string[];
  env?: NodeJS.ProcessEnv;
  /** Its workers stand back behind nobody. */
  isUrgent?: boolean;
  /** Hears what no job's answer tells: failed starts, and idle workers that ended. */
  onError?: (error: unknown) => void;
};

export type ProcessPool<Job, Result, Ready> = {
  run(job: Job): Promise<Result>;
  ready(): Promise<Ready>;
  counts(): { workers: number; busy: number; waiting: number; restarts: number };
  close(): Promise<void>;
};

const START_LIMIT_MS = 60_000;
const CLOSE_GRACE_MS = 10_000;
const MEMORY_LOOK_MS = 250;

type Task<Job, Result> = {
  job: Job;
  resolve(result: Result): void;
  reject(error: unknown): void;
};

type WorkerProcess<Job, Result> = {
  child: ChildProcess;
  state: "starting" | "ready" | "ending";
  hasAnswered: boolean;
  gone: PromiseWithResolvers<void>;
  task?: Task<Job, Result> | undefined;
  limit?: NodeJS.Timeout;
  startFailure?: Error;
};

/** Nothing is started before the first `run` or `ready`. */
export function openProcessPool<Job, Result, Ready>(settings: PoolSettings): ProcessPool<Job, Result, Ready> {
  return new Pool(settings);
}

class Pool<Job, Result, Ready> implements ProcessPool<Job, Result, Ready> {
  readonly #settings: PoolSettings;
  readonly #workers = new Set<WorkerProcess<Job, Result>>();
  readonly #waiting: Task<Job, Result>[] = [];
  readonly #pause = startPause();
  #firstReady = Promise.withResolvers<Ready>();
  #started = 0;
  #startFailure = new Error("no worker was started");
  #promises = 0;
  #watch: NodeJS.Timeout | undefined;
  #isClosed = false;
  #closing: Promise<void> | undefined;

  constructor(settings: PoolSettings) {
    this.#settings = settings;
    this.#firstReady.promise.catch(() => {});
  }

  async run(job: Job): Promise<Result> {
    if (this.#isClosed) throw stopping();
    this.#grow();
    if (this.#workers.size === 0) throw this.#unavailable();
    if (this.#waiting.length >= this.#settings.maxWaiting && ![...this.#workers].some(isIdle)) throw busy();
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#waiting.push({ job, resolve, reject });
    this.#handOut();
    return this.#stayFor(promise);
  }

  async ready(): Promise<Ready> {
    if (this.#isClosed) throw stopping();
    this.#grow();
    if (this.#workers.size === 0) throw this.#startFailure;
    return this.#stayFor(this.#firstReady.promise);
  }

  counts() {
    return {
      workers: this.#workers.size,
      busy: [...this.#workers].filter(({ task }) => task).length,
      waiting: this.#waiting.length,
      restarts: Math.max(0, this.#started - this.#settings.workers),
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#stayFor(this.#stop());
    return this.#closing;
  }

  async #stop(): Promise<void> {
    this.#isClosed = true;
    for (const task of this.#waiting.splice(0)) task.reject(stopping());
    this.#firstReady.reject(stopping());
    const workers = [...this.#workers];
    for (const worker of workers) if (!worker.task) this.#end(worker);
    const grace = setTimeout(() => {
      for (const worker of workers) this.#end(worker, stopping());
    }, this.#settings.closeGraceMs ?? CLOSE_GRACE_MS);
    await Promise.all(workers.map(({ gone }) => gone.promise));
    clearTimeout(grace);
  }

  /** The workers never keep the program running; what somebody waits for does, by the timer that looks at memory. */
  async #stayFor<Value>(promise: Promise<Value>): Promise<Value> {
    this.#promises += 1;
    this.#watch ??= setInterval(() => this.#endTheLarge(), MEMORY_LOOK_MS);
    try {
      return await promise;
    } finally {
      this.#promises -= 1;
      if (this.#promises === 0) {
        clearInterval(this.#watch);
        this.#watch = undefined;
      }
    }
  }

  #endTheLarge(): void {
    const { hardMemoryLimitBytes } = this.#settings;
    for (const worker of this.#workers) {
      if (!worker.task || residentBytes(worker.child.pid) <= hardMemoryLimitBytes) continue;
      this.#end(worker, outOfMemory(hardMemoryLimitBytes));
    }
  }

  #advance(): void {
    this.#grow();
    if (this.#workers.size === 0) this.#giveUp();
    this.#handOut();
  }

  #grow(): void {
    const { workers } = this.#settings;
    while (!this.#isClosed && this.#workers.size < workers && this.#pause.remainingMs() === 0) this.#start();
  }

  #start(): void {
    this.#started += 1;
    try {
      const worker: WorkerProcess<Job, Result> = {
        child: forkWorker(
          this.#settings,
          (message) => this.#hear(worker, message as FromWorker<Result, Ready>),
          (how) => this.#ended(worker, how),
        ),
        state: "starting",
        hasAnswered: false,
        gone: Promise.withResolvers(),
      };
      this.#workers.add(worker);
      this.#limitStart(worker);
    } catch (error) {
      this.#noteFailedStart(error as Error);
    }
  }

  #limitStart(worker: WorkerProcess<Job, Result>): void {
    const limitMs = this.#settings.startLimitMs ?? START_LIMIT_MS;
    worker.limit = setTimeout(() => {
      worker.startFailure = new Error(`A vision worker was not ready within ${limitMs / 1000} s.`);
      this.#end(worker);
    }, limitMs).unref();
  }

  #hear(worker: WorkerProcess<Job, Result>, message: FromWorker<Result, Ready>): void {
    if (worker.state === "ending") return;
    clearTimeout(worker.limit);
    if ("ready" in message) {
      worker.state = "ready";
      this.#firstReady.resolve(message.ready);
    } else if ("refused" in message) {
      worker.startFailure = errorOf(message.refused);
      this.#end(worker);
    } else {
      this.#settle(worker, message);
    }
    this.#advance();
  }

  #settle(worker: WorkerProcess<Job, Result>, answer: Extract<FromWorker<Result, Ready>, { rssBytes: number }>): void {
    if ("failure" in answer) worker.task?.reject(errorOf(answer.failure));
    else worker.task?.resolve(answer.result);
    worker.task = undefined;
    worker.hasAnswered = true;
    this.#pause.forget();
    if (this.#isClosed || answer.rssBytes > this.#settings.memoryLimitBytes) this.#end(worker);
  }

  #handOut(): void {
    for (const worker of this.#workers) {
      while (isIdle(worker)) {
        const task = this.#waiting.shift();
        if (!task) return;
        this.#give(worker, task);
      }
    }
  }

  #give(worker: WorkerProcess<Job, Result>, task: Task<Job, Result>): void {
    const { timeLimitMs } = this.#settings;
    try {
      // What goes wrong with a worker that has gone, its end tells.
      worker.child.send({ job: task.job } satisfies ToWorker<Job>, () => {});
    } catch (error) {
      task.reject(error);
      return;
    }
    worker.task = task;
    worker.limit = setTimeout(() => this.#end(worker, timedOut(timeLimitMs)), timeLimitMs);
  }

  /** A worker has nothing to lose. Its place is free when it is gone, so that there are never more than asked for. */
  #end(worker: WorkerProcess<Job, Result>, why?: Problem): void {
    clearTimeout(worker.limit);
    worker.state = "ending";
    worker.task?.reject(why);
    worker.task = undefined;
    worker.child.kill("SIGKILL");
  }

  #ended(worker: WorkerProcess<Job, Result>, how: string): void {
    if (!this.#workers.delete(worker)) return;
    clearTimeout(worker.limit);
    worker.gone.resolve();
    const ending = new Error(`A vision worker ended with ${how}.`);
    if (worker.task) worker.task.reject(crashed(ending));
    else if (worker.startFailure) this.#noteFailedStart(worker.startFailure);
    // One that never answered counts as not started, or a pool whose workers end when idle would start them without end.
    else if (worker.state !== "ending" && !worker.hasAnswered) this.#noteFailedStart(ending);
    else if (worker.state !== "ending") this.#settings.onError?.(ending);
    this.#advance();
  }

  #noteFailedStart(failure: Error): void {
    this.#settings.onError?.(failure);
    this.#startFailure = failure;
    this.#pause.lengthen();
  }

  #giveUp(): void {
    for (const task of this.#waiting.splice(0)) task.reject(this.#unavailable());
    this.#firstReady.reject(this.#startFailure);
    this.#firstReady = Promise.withResolvers();
    this.#firstReady.promise.catch(() => {});
  }

  #unavailable(): Problem {
    return unavailable(this.#startFailure, this.#pause.remainingMs());
  }
}

function isIdle({ state, task }: WorkerProcess<unknown, never>): boolean {
  return state === "ready" && !task;
}
