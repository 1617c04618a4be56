/** The one SQLite file: reads happen on this thread, writes on a thread of their own where many share one fsync. */

import { once } from "node:events";
import path from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { Problem, type ProblemKind } from "../problem.ts";
import { storageProblem } from "./storage-problem.ts";
import type { Operations } from "./writer.ts";

type OperationName = keyof Operations;
type Argument<Name extends OperationName> = Parameters<Operations[Name]>[0];
type Result<Name extends OperationName> = ReturnType<Operations[Name]>;

export type WriteRequest = [name: OperationName, argument: unknown];
export type WriteFailure = { kind: ProblemKind; code: string; message: string } | { defect: string };
/**
 * One value per request, beside them the few that failed, and the queues that got messages by this commit. Plain values
 * travel between threads cheaper than values wrapped in objects (a third less, in the one run that compared them).
 */
export type WriteReply = { values: unknown[]; failures: [index: number, failure: WriteFailure][]; woken: string[] };

type Pending = { resolve(value: unknown): void; reject(error: unknown): void };

/**
 * One group is being written while the next already waits at the writer, so that the writer never idles between
 * two commits. More would only make groups smaller.
 */
const GROUPS_UNDER_WAY = 2;
/** So many writes are worth a commit at once: waiting for more left the writer idle (measured: 12% fewer writes/s). */
const FULL_GROUP = 32;

/** What it gets and gives away is short-lived; by default V8 would keep more than 100 MB for that. */
const WRITER_YOUNG_MB = 12;

export class Store {
  readonly reader: DatabaseSync;
  readonly counts = { writes: 0, commits: 0 };
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #worker: Worker;
  readonly #place: string;
  readonly #underWay: Pending[][] = [];
  readonly #wakers = new Map<string, Set<() => void>>();
  #requests: WriteRequest[] = [];
  #pending: Pending[] = [];
  #flushPlanned = false;
  #failure: Problem | undefined;

  private constructor(worker: Worker, reader: DatabaseSync, place: string) {
    this.#worker = worker;
    this.reader = reader;
    this.#begin = reader.prepare("BEGIN");
    this.#commit = reader.prepare("COMMIT");
    this.#place = place;
    worker.on("message", (reply: WriteReply) => this.#settle(reply));
    worker.on("error", (error) => this.#fail(error));
    worker.on("exit", () => this.#fail(new Error("the writer thread ended")));
  }

  static async open(folder: string): Promise<Store> {
    const place = `the data folder ${folder}`;
    const file = path.join(folder, "store.db");
    const worker = new Worker(new URL("./writer.ts", import.meta.url), {
      workerData: { file, place },
      resourceLimits: { maxYoungGenerationSizeMb: WRITER_YOUNG_MB },
    });
    const [started] = (await once(worker, "message")) as [{ failure?: WriteFailure }];
    if (started.failure) throw errorOf(started.failure);
    const reader = new DatabaseSync(file, { readOnly: true });
    reader.exec("PRAGMA busy_timeout = 5000; PRAGMA cache_size = -8000");
    return new Store(worker, reader, place);
  }

  /** Resolves when the write is on disk. */
  write<Name extends OperationName>(name: Name, argument: Argument<Name>): Promise<Result<Name>> {
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#requests.push([name, argument]);
      this.#pending.push({ resolve: resolve as (value: unknown) => void, reject });
      this.#planFlush();
    });
  }

  /** Runs a read and says what is wrong with the disk or the file when it fails. */
  read<T>(work: (reader: DatabaseSync) => T): T {
    try {
      return work(this.reader);
    } catch (error) {
      throw storageProblem(error, this.#place) ?? error;
    }
  }

  /** As `read`, for many statements: they share one look at the write-ahead log, which else each takes by itself. */
  readTogether<T>(work: (reader: DatabaseSync) => T): T {
    return this.read((reader) => {
      this.#begin.run();
      try {
        return work(reader);
      } finally {
        this.#commit.run();
      }
    });
  }

  /** Calls back whenever a commit put messages into the queue. */
  onWoken(queue: string, waker: () => void): () => void {
    const wakers = this.#wakers.get(queue) ?? new Set();
    this.#wakers.set(queue, wakers.add(waker));
    return () => wakers.delete(waker);
  }

  /** Ready means that a write reaches the disk and can be read. */
  async checkReady(): Promise<void> {
    await this.write("probe", { at: Date.now() });
    this.read((reader) => reader.prepare("SELECT at FROM probes").get());
  }

  async close(): Promise<void> {
    while (this.#pending.length > 0 || this.#underWay.length > 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#failure ??= new Problem("unavailable", "storage.closed", "The server is stopping. Try again in a moment.");
    this.#worker.removeAllListeners("exit");
    // The writer closes last: the last connection brings the write-ahead log home into the file.
    this.reader.close();
    const ended = once(this.#worker, "exit");
    this.#worker.postMessage("close");
    await ended;
  }

  /** Waits for the end of this turn of the event loop, so that all writes made in it share a commit. */
  #planFlush(): void {
    if (this.#underWay.length >= GROUPS_UNDER_WAY) return;
    if (this.#pending.length >= FULL_GROUP) this.#flush();
    if (this.#flushPlanned || this.#pending.length === 0) return;
    this.#flushPlanned = true;
    setImmediate(() => {
      this.#flushPlanned = false;
      if (this.#underWay.length < GROUPS_UNDER_WAY) this.#flush();
    });
  }

  #flush(): void {
    if (this.#pending.length === 0 || this.#failure) return;
    this.#worker.postMessage(this.#requests);
    this.#underWay.push(this.#pending);
    this.counts.writes += this.#pending.length;
    this.#requests = [];
    this.#pending = [];
  }

  #settle({ values, failures, woken }: WriteReply): void {
    this.counts.commits += 1;
    const group = this.#underWay.shift() ?? [];
    for (const [index, failure] of failures) group[index]?.reject(errorOf(failure));
    // A promise that was rejected above stays so.
    for (const [index, pending] of group.entries()) pending.resolve(values[index]);
    for (const queue of woken) for (const wake of this.#wakers.get(queue) ?? []) wake();
    if (this.#pending.length > 0) this.#planFlush();
  }

  #fail(error: Error): void {
    this.#failure ??= storageProblem(error, this.#place) ?? stopped(this.#place, error);
    for (const pending of [...this.#underWay.flat(), ...this.#pending]) pending.reject(this.#failure);
    this.#underWay.length = 0;
    this.#pending = [];
  }
}

function errorOf(failure: WriteFailure): Error {
  if ("defect" in failure) return new Error(`a write failed: ${failure.defect}`);
  return new Problem(failure.kind, failure.code, failure.message);
}

function stopped(place: string, cause: Error): Problem {
  return new Problem("unavailable", "storage.failed", `Writing to ${place} stopped working. Start the server again.`, {
    cause,
  });
}
