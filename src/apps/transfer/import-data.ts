/** Brings an exported folder into an empty installation, on one machine or on AWS. */

import type { z } from "zod";
import { ConditionFailed } from "../../platform/condition-failed.ts";
import { absent } from "../../platform/conditions.ts";
import type { Blobs, Engines, Item, Queue, QueueSettings, Table } from "../../platform/ports.ts";
import { withRequestId } from "../../platform/request-context.ts";
import {
  damaged,
  dataFile,
  type Manifest,
  type Part,
  type Progress,
  RegistryRow,
  type RegistryRows,
  readManifest,
  rowsFile,
  StoredBlob,
  StoredItem,
  StoredMessage,
} from "./bundle.ts";
import { readChecked, readRows } from "./bundle-files.ts";
import { beginImport, type ImportMark, MARK_TABLE } from "./import-mark.ts";
import { verifyBundle } from "./verify-bundle.ts";

const BLOBS_AT_ONCE = 8;
/** Only receivers go by these, and an import only sends. */
const SENDING: QueueSettings = { visibilityMs: 30_000, maxReceives: 1 };

type Target = Pick<Engines, "clock" | "table" | "queue" | "blobs" | "checkReady">;

export type Import = {
  engines: Target;
  registry: RegistryRows;
  folder: string;
  onProgress?: (progress: Progress) => void;
};

export type Imported = {
  manifest: Manifest;
  /** All of it had been imported before, and this time nothing was touched. */
  wasImported: boolean;
};

type Job = { folder: string; manifest: Manifest; onProgress: (progress: Progress) => void };

/**
 * After a crash it can be run again and ends the same, since what is there already is left as it is; only messages of the
 * page that was being sent may then be there twice, which queues allow. Dead letters become waiting messages again.
 *
 * Buckets are opened without `notify`, so that nothing is processed again. On AWS the bucket's own rule announces every
 * object all the same: the items come before the blobs, so that who hears of one can see that its work is done.
 */
export async function importData({ engines, registry, folder, onProgress = () => {} }: Import): Promise<Imported> {
  const manifest = await readManifest(folder);
  await verifyBundle(folder, manifest, registry.tables);
  await checkTarget(engines, manifest);
  const job = { folder, manifest: inOrderOf(registry.tables, manifest), onProgress };
  const mark = await beginImport(engines, manifest.id, () => findData(engines, registry, job));
  if (mark.isFinished) return { manifest, wasImported: true };
  await importPart(job, "registry", RegistryRow, (name) => (rows) => registry.insert(name, rows));
  await importPart(job, "items", StoredItem, (name) => (items) => putAbsent(engines.table(name), items));
  await importPart(job, "blobs", StoredBlob, (name) => blobPutter(engines.blobs(name), job, name, mark), BLOBS_AT_ONCE);
  await importPart(job, "messages", StoredMessage, (name) => sender(engines.queue(name, SENDING), name, mark));
  await mark.finish();
  return { manifest, wasImported: false };
}

/** What is not deployed is said before anything is written. */
async function checkTarget(engines: Target, manifest: Manifest): Promise<void> {
  for (const { name } of [{ name: MARK_TABLE }, ...manifest.items]) engines.table(name);
  for (const { name } of manifest.blobs) engines.blobs(name);
  for (const { name } of manifest.messages) engines.queue(name, SENDING);
  await engines.checkReady();
}

/** Which table refers to which may have changed since the export. */
function inOrderOf(tables: string[], manifest: Manifest): Manifest {
  const registry = manifest.registry.toSorted((one, other) => tables.indexOf(one.name) - tables.indexOf(other.name));
  return { ...manifest, registry };
}

/** Tables can't be asked for all they hold, so it is the bundle's own first keys that are looked for. */
async function findData(engines: Target, registry: RegistryRows, { folder, manifest }: Job) {
  if (!(await registry.isEmpty())) return "the registry";
  for (const { name } of manifest.items) {
    for await (const items of readRows(folder, rowsFile("items", name), StoredItem)) {
      const found = await engines.table(name).batchGet(items.map(({ PK, SK }) => ({ PK, SK })));
      if (found.some((item) => item !== undefined)) return `table ${name}`;
      break;
    }
  }
  for (const { name } of manifest.blobs) {
    const { items } = await engines.blobs(name).list({ prefix: "", limit: 1 });
    if (items.length > 0) return `bucket ${name}`;
  }
  return undefined;
}

async function importPart<Row>(
  { folder, manifest, onProgress }: Job,
  part: Part,
  schema: z.ZodType<Row>,
  writerOf: (name: string) => (rows: Row[]) => Promise<void>,
  maxRows?: number,
): Promise<void> {
  for (const { name, count } of manifest[part]) {
    const file = rowsFile(part, name);
    const write = writerOf(name);
    let done = 0;
    for await (const rows of readRows(folder, file, schema, maxRows)) {
      await write(rows);
      done += rows.length;
      onProgress({ part, name, done, total: count });
    }
    if (done !== count) throw damaged(file);
  }
}

async function putAbsent(table: Table, items: Item[]): Promise<void> {
  if (items.length === 0) return;
  try {
    await table.write(items.map((put) => ({ put, if: absent("PK") })));
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const there = new Set(error.failures.map(({ action }) => action));
    await putAbsent(
      table,
      items.filter((_, index) => !there.has(index)),
    );
  }
}

function blobPutter(blobs: Blobs, { folder }: Job, bucket: string, { isResumed }: ImportMark) {
  const put = async ({ key, number, sha256, contentType, metadata }: StoredBlob) => {
    if (isResumed && (await blobs.head(key))) return;
    await blobs.put(key, readChecked(folder, dataFile(bucket, number), sha256), { contentType, metadata });
  };
  return (page: StoredBlob[]) => allDone(page.map(put));
}

function sender(queue: Queue, name: string, mark: ImportMark) {
  let position = 0;
  return async (messages: StoredMessage[]) => {
    position += messages.length;
    if (position <= mark.sentTo(name)) return;
    const byRequest = Map.groupBy(messages, ({ requestId }) => requestId);
    const sending = [...byRequest].map(([requestId, group]) => {
      const send = () => queue.send(group.map(({ body }) => body));
      return requestId === undefined ? send() : withRequestId(requestId, send);
    });
    await allDone(sending);
    await mark.keepSent(name, position);
  };
}

/** Waits for all before it throws, so that nothing is written any more once an import has failed. */
async function allDone(work: Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(work)) if (outcome.status === "rejected") throw outcome.reason;
}
