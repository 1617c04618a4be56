/** The thread in which PGlite runs, so that neither a query nor its fsync ever holds up the event loop. */

import { closeSync, fsyncSync, openSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { parentPort, workerData } from "node:worker_threads";
import { PGlite, type PGliteOptions } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";

export type ThreadRequest = { id: number; sql: string; parameters: unknown[] } | "close";
export type ThreadFailure = { message: string; fields: { [name: string]: unknown } };
export type ThreadReply =
  | { opened: true }
  | { id: number; rows: unknown[]; affectedRows: number | undefined; syncs: number }
  | { id: number | undefined; failure: ThreadFailure };

const DATE = 1082;
const INT8 = 20;
/** What of PostgreSQL's own errors our code looks at. */
const ERROR_FIELDS = ["code", "constraint", "detail", "table", "column"];

// Optimizing PostgreSQL's code would take more than half a gigabyte for some seconds; docs/decisions.md has the figures.
for (const flag of ["--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]) setFlagsFromString(flag);

const { folder } = workerData as { folder: string };
let syncs = 0;

/** The parts of Emscripten's node file system that are needed to sync a file. */
type EmscriptenModule = {
  NODEFS: { stream_ops: { fsync?: (stream: Stream) => number }; realPath(node: unknown): string };
};
type Stream = { nfd?: number; node: unknown };

/** PGlite's file system forgets about fsync; PostgreSQL asks for it at every commit, and here it gets it. */
class SyncingFiles extends NodeFS {
  override async init(pg: PGlite, options: Parameters<NodeFS["init"]>[1]) {
    const files = await super.init(pg, options);
    files.emscriptenOpts.preRun?.push((module: unknown) => {
      const { NODEFS } = module as EmscriptenModule;
      NODEFS.stream_ops.fsync = (stream) => {
        syncs += 1;
        if (stream.nfd !== undefined) fsyncSync(stream.nfd);
        else syncPath(NODEFS.realPath(stream.node));
        return 0;
      };
    });
    return files;
  }
}

/** A folder has no open file behind it. */
function syncPath(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function settings(): PGliteOptions {
  // -F is PGlite's own choice and means no fsync; its fdatasync does nothing, its fsync reaches the file system.
  const parameters = PGlite.defaultStartParams.filter((parameter) => parameter !== "-F");
  const wanted = ["fsync=on", "wal_sync_method=fsync", "shared_buffers=16MB"];
  return {
    fs: new SyncingFiles(folder),
    startParams: [...parameters, ...wanted.flatMap((setting) => ["-c", setting])],
    parsers: { [DATE]: (text) => text, [INT8]: Number },
  };
}

function failureOf(error: unknown): ThreadFailure {
  const known = error as { [name: string]: unknown };
  const fields = ERROR_FIELDS.filter((name) => known[name] !== undefined).map((name) => [name, known[name]]);
  return { message: error instanceof Error ? error.message : String(error), fields: Object.fromEntries(fields) };
}

const reply = (message: ThreadReply) => parentPort?.postMessage(message);

try {
  const database = await PGlite.create(settings());
  parentPort?.on("message", async (request: ThreadRequest) => {
    if (request === "close") {
      await database.close();
      parentPort?.close();
      return;
    }
    try {
      const { rows, affectedRows } = await database.query(request.sql, request.parameters);
      reply({ id: request.id, rows, affectedRows, syncs });
    } catch (error) {
      reply({ id: request.id, failure: failureOf(error) });
    }
  });
  reply({ opened: true });
} catch (error) {
  reply({ id: undefined, failure: failureOf(error) });
}
