/** The thread that writes: it takes all requests that wait, runs them in one transaction and answers after the fsync. */

import { DatabaseSync } from "node:sqlite";
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { Problem } from "../problem.ts";
import { blobWrites } from "./blob-writes.ts";
import { queueWrites } from "./queue-writes.ts";
import { createSchema, DURABLE } from "./schema.ts";
import { storageProblem } from "./storage-problem.ts";
import type { WriteFailure, WriteReply, WriteRequest } from "./store.ts";
import { tableWrites } from "./table-writes.ts";
import { workflowWrites } from "./workflow-writes.ts";

const SQLITE_IOERR_FSYNC = 1034;

/** An operation checks first and writes last: a Problem it throws must leave nothing behind. */
export type Operations = ReturnType<typeof operationsOn>;
type Outcome = { value: unknown } | { failure: WriteFailure };

const { file, place } = workerData as { file: string; place: string };
const woken = new Set<string>();

function operationsOn(db: DatabaseSync) {
  const wake = (queue: string) => void woken.add(queue);
  const queues = queueWrites(db, wake);
  const keepProbe = db.prepare("INSERT OR REPLACE INTO probes VALUES (1, ?)");
  const probe = ({ at }: { at: number }) => void keepProbe.run(at);
  const { sendMessages } = queues;
  const others = { ...tableWrites(db), ...blobWrites(db, sendMessages), ...workflowWrites(db, sendMessages) };
  return { probe, ...queues, ...others };
}

function openDatabase(): DatabaseSync {
  const db = new DatabaseSync(file);
  db.exec(DURABLE);
  createSchema(db);
  return db;
}

function committerOn(db: DatabaseSync) {
  const operations = operationsOn(db);
  const begin = db.prepare("BEGIN IMMEDIATE");
  const commit = db.prepare("COMMIT");
  return function commitTogether(requests: WriteRequest[]): Outcome[] {
    try {
      begin.run();
      const outcomes = requests.map((request) => perform(operations, request));
      commit.run();
      return outcomes;
    } catch (error) {
      if (db.isTransaction) db.exec("ROLLBACK");
      if (requests.length === 1) return [{ failure: describe(error) }];
      // One of them spoiled the group: each is tried on its own, so that only the guilty one fails.
      return requests.flatMap((request) => commitTogether([request]));
    }
  };
}

function perform(operations: Operations, [name, argument]: WriteRequest): Outcome {
  try {
    return { value: (operations[name] as (argument: unknown) => unknown)(argument) };
  } catch (error) {
    if (error instanceof Problem) return { failure: describe(error) };
    throw error;
  }
}

function describe(error: unknown): WriteFailure {
  // After a failed fsync nobody knows what is on disk: the thread ends, and a restart recovers from what is.
  if ((error as { errcode?: number }).errcode === SQLITE_IOERR_FSYNC) throw error;
  const problem = error instanceof Problem ? error : storageProblem(error, place);
  if (problem) return { kind: problem.kind, code: problem.code, message: problem.message };
  return { defect: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

function replyOf(outcomes: Outcome[]): WriteReply {
  const values: unknown[] = [];
  const failures: WriteReply["failures"] = [];
  for (const [index, outcome] of outcomes.entries()) {
    if ("failure" in outcome) failures.push([index, outcome.failure]);
    values.push("value" in outcome ? outcome.value : undefined);
  }
  const reply = { values, failures, woken: [...woken] };
  woken.clear();
  return reply;
}

function serve(port: NonNullable<typeof parentPort>, db: DatabaseSync): void {
  const commitTogether = committerOn(db);
  port.on("message", (first: WriteRequest[] | "close") => {
    const groups: WriteRequest[][] = [];
    let next: { message: WriteRequest[] | "close" } | undefined = { message: first };
    let closing = false;
    for (; next; next = receiveMessageOnPort(port)) {
      if (next.message === "close") closing = true;
      else groups.push(next.message);
    }
    const outcomes = groups.length > 0 ? commitTogether(groups.flat()) : [];
    for (const group of groups) {
      port.postMessage(replyOf(outcomes.splice(0, group.length)));
    }
    if (!closing) return;
    db.close();
    port.close();
  });
}

if (parentPort) {
  try {
    const db = openDatabase();
    parentPort.postMessage({});
    serve(parentPort, db);
  } catch (error) {
    parentPort.postMessage({ failure: describe(error) });
  }
}
