/** PostgreSQL on one machine: PGlite in a thread of its own, in a folder that survives kills and power cuts. */

import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { open, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { Worker } from "node:worker_threads";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  PGliteAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import { Problem } from "../problem.ts";
import { makeFolder, syncFolder } from "./durable-files.ts";
import type { ThreadFailure, ThreadReply, ThreadRequest } from "./postgres-thread.ts";

/** A standalone PostgreSQL has nobody who does this for it; without it the log would grow and be replayed after a kill. */
const CHECKPOINT_EVERY_MS = 300_000;

/** A dialect for Kysely; destroying the Kysely instance closes the database. */
export async function openPglite(folder: string): Promise<Dialect> {
  await makeCluster(folder);
  const thread = await PgliteThread.open(folder);
  return {
    createAdapter: () => new PGliteAdapter(),
    createDriver: () => new PgliteDriver(thread),
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

/**
 * Making a cluster takes seconds; a kill in the middle must not leave half of one, so it gets its name when it is whole.
 * A process of its own does it: in a thread it left 100 MB behind for as long as the server ran.
 */
async function makeCluster(folder: string): Promise<void> {
  if (existsSync(path.join(folder, "PG_VERSION"))) return;
  const parent = path.dirname(folder);
  await makeFolder(parent);
  await removeDrafts(folder);
  // A name that is not used twice: the process of a killed server may still be at work on its own.
  const draft = `${folder}.new-${randomBytes(4).toString("hex")}`;
  const maker = fork(new URL("./postgres-cluster.ts", import.meta.url), [draft], {
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let said = "";
  maker.stderr?.on("data", (chunk) => {
    said += chunk;
  });
  const [exitCode] = await once(maker, "close");
  if (exitCode !== 0) throw brokenCluster(folder, new Error(`making it ended with ${exitCode}: ${said}`));
  await syncTree(draft);
  await rename(draft, folder);
  await syncFolder(parent);
}

async function removeDrafts(folder: string): Promise<void> {
  const drafts = (await readdir(path.dirname(folder))).filter((name) =>
    name.startsWith(`${path.basename(folder)}.new-`),
  );
  for (const name of drafts) await rm(path.join(path.dirname(folder), name), { recursive: true, force: true });
}

async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) await syncTree(name);
    else await syncFile(name);
  }
  await syncFolder(folder);
}

async function syncFile(file: string): Promise<void> {
  const handle = await open(file);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

type Pending = { resolve(reply: Extract<ThreadReply, { rows: unknown[] }>): void; reject(error: unknown): void };

class PgliteThread {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #failure: Problem | undefined;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on("message", (reply: ThreadReply) => this.#settle(reply));
    worker.on("error", (error) => this.#fail(error));
    worker.on("exit", () => this.#fail(new Error("the PGlite thread ended")));
  }

  static async open(folder: string): Promise<PgliteThread> {
    const worker = new Worker(new URL("./postgres-thread.ts", import.meta.url), { workerData: { folder } });
    // PostgreSQL may end the thread instead of answering, and says so only by its exit.
    const ended = once(worker, "exit").then(() => ({ failure: { message: "the PGlite thread ended", fields: {} } }));
    const opened = once(worker, "message").then(([reply]) => reply as ThreadReply);
    const reply = await Promise.race([opened, ended]).catch((error) => ({ failure: failureOf(error) }));
    if ("failure" in reply) {
      await worker.terminate();
      throw brokenCluster(folder, errorOf(reply.failure));
    }
    return new PgliteThread(worker);
  }

  query(sql: string, parameters: readonly unknown[]): Promise<Extract<ThreadReply, { rows: unknown[] }>> {
    if (this.#failure) return Promise.reject(this.#failure);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#worker.postMessage({ id, sql, parameters: [...parameters] } satisfies ThreadRequest);
    });
  }

  async close(): Promise<void> {
    if (this.#failure) return;
    const ended = once(this.#worker, "exit");
    this.#worker.postMessage("close" satisfies ThreadRequest);
    await ended;
  }

  #settle(reply: ThreadReply): void {
    if ("opened" in reply || reply.id === undefined) return;
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if ("failure" in reply) pending?.reject(errorOf(reply.failure));
    else pending?.resolve(reply);
  }

  #fail(error: unknown): void {
    this.#failure ??= new Problem(
      "unavailable",
      "registry.stopped",
      "The registry's database has stopped. Start the server again; nothing acknowledged is lost.",
      { cause: error },
    );
    for (const { reject } of this.#pending.values()) reject(this.#failure);
    this.#pending.clear();
  }
}

function failureOf(error: unknown): ThreadFailure {
  return { message: error instanceof Error ? error.message : String(error), fields: {} };
}

function errorOf({ message, fields }: ThreadFailure): Error {
  return Object.assign(new Error(message), fields);
}

function brokenCluster(folder: string, cause: Error): Problem {
  return new Problem(
    "unavailable",
    "registry.damaged",
    `The registry's database in ${folder} can't be opened. Restore the data folder from a backup.`,
    { cause },
  );
}

/** One connection; PGliteAdapter says so to Kysely, which hands it to one caller at a time, to the end of a transaction. */
class PgliteDriver implements Driver {
  readonly #thread: PgliteThread;
  readonly #connection: DatabaseConnection;
  #housekeeping: NodeJS.Timeout | undefined;
  #inTransaction = false;
  #writtenSince = false;
  #lastSyncs = 0;

  constructor(thread: PgliteThread) {
    this.#thread = thread;
    this.#connection = {
      executeQuery: (query) => this.#execute(query),
      streamQuery: () => {
        throw new Error("PGlite has no streaming queries: read in pages");
      },
    };
  }

  async init(): Promise<void> {
    this.#housekeeping = setInterval(() => this.#keepHouse(), CHECKPOINT_EVERY_MS).unref();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {}

  async beginTransaction(): Promise<void> {
    this.#inTransaction = true;
    await this.#thread.query("begin", []);
  }

  async commitTransaction(): Promise<void> {
    await this.#endTransaction("commit");
  }

  async rollbackTransaction(): Promise<void> {
    await this.#endTransaction("rollback");
  }

  async destroy(): Promise<void> {
    clearInterval(this.#housekeeping);
    await this.#thread.close();
  }

  async #endTransaction(how: "commit" | "rollback"): Promise<void> {
    await this.#execute(CompiledQuery.raw(how));
    this.#inTransaction = false;
  }

  async #execute<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, affectedRows, syncs } = await this.#thread.query(query.sql, query.parameters);
    this.#writtenSince ||= syncs > this.#lastSyncs;
    this.#lastSyncs = syncs;
    return {
      rows: rows as Row[],
      ...(affectedRows !== undefined && { numAffectedRows: BigInt(affectedRows) }),
    };
  }

  /** Not within somebody's transaction; there will be another time. The thread does what it is sent one after the other. */
  async #keepHouse(): Promise<void> {
    if (this.#inTransaction || !this.#writtenSince) return;
    this.#writtenSince = false;
    const work = ["checkpoint", "vacuum (analyze)"].map((statement) => this.#thread.query(statement, []));
    // What is wrong, the next query tells too, and somebody is there to hear it.
    await Promise.allSettled(work);
  }
}
