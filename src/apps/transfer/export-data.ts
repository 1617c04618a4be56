/** Writes everything one machine holds into a folder that another installation can import. */

import { randomUUID } from "node:crypto";
import { readdir, rename } from "node:fs/promises";
import path from "node:path";
import type { Contents } from "../../platform/embedded/contents.ts";
import { makeFolder, syncFolder } from "../../platform/embedded/durable-files.ts";
import type { EmbeddedEngines } from "../../platform/embedded/engines.ts";
import { storageProblem } from "../../platform/embedded/storage-problem.ts";
import { Problem } from "../../platform/problem.ts";
import { version } from "../version.ts";
import {
  dataFile,
  dataFolder,
  FORMAT,
  MANIFEST,
  type Manifest,
  PARTS,
  type Part,
  type Progress,
  type RegistryRows,
  rowsFile,
  type StoredBlob,
} from "./bundle.ts";
import { writeBytes, writeRows } from "./bundle-files.ts";
import { MARK_TABLE } from "./import-mark.ts";

const REGISTRY_PAGE = 100;
/** These are about this installation: where it came from, and the letters shown to the person at this machine. */
const STAYING_TABLES = [MARK_TABLE, "Inbox"];

export type Export = {
  engines: EmbeddedEngines;
  registry: RegistryRows;
  folder: string;
  /** Leaves executions behind that have not finished. */
  force?: boolean;
  onProgress?: (progress: Progress) => void;
};

type Source = { name: string; total?: number; pages: AsyncIterable<unknown[]> };
type Writing = { folder: string; onProgress: (progress: Progress) => void };

/**
 * Executions stay behind, as do letters in the inbox and the key that signs URLs. Nobody else may write meanwhile: the
 * lock on the data folder sees to it.
 */
export async function exportData({ engines, registry, folder, force = false, onProgress = () => {} }: Export) {
  const contents = engines.contents();
  const leftBehind = contents.executions();
  if (!force) refuseUnfinished(leftBehind.unfinished);
  try {
    await prepareFolder(folder);
    const writing = { folder, onProgress };
    const manifest: Manifest = {
      format: FORMAT,
      id: randomUUID(),
      snaprace: version,
      exportedAt: new Date(engines.clock.now()).toISOString(),
      registry: await writePart(writing, "registry", registrySources(registry)),
      items: await writePart(writing, "items", itemSources(contents)),
      blobs: await writePart(writing, "blobs", blobSources(engines, contents, folder)),
      messages: await writePart(writing, "messages", messageSources(contents)),
      leftBehind,
    };
    await writeManifest(folder, manifest);
    return manifest;
  } catch (error) {
    throw storageProblem(error, `the folder ${folder}`) ?? error;
  }
}

function refuseUnfinished(unfinished: { [workflow: string]: number }): void {
  const counts = Object.entries(unfinished).map(([workflow, count]) => `${count} of ${workflow}`);
  if (counts.length === 0) return;
  throw new Problem(
    "conflict",
    "export.unfinished",
    `Some executions have not finished (${counts.join(", ")}). Start the server, let it finish them, stop it, and export again; or leave them behind with --force.`,
  );
}

async function prepareFolder(folder: string): Promise<void> {
  await makeFolder(folder);
  if ((await readdir(folder)).length > 0) {
    const sentence = `The folder ${folder} is not empty. Name a new folder to export to.`;
    throw new Problem("conflict", "export.folder-not-empty", sentence);
  }
  for (const part of PARTS) await makeFolder(path.join(folder, part));
}

async function writePart({ folder, onProgress }: Writing, part: Part, sources: Source[]): Promise<Manifest[Part]> {
  const written: Manifest[Part] = [];
  for (const { pages, ...about } of sources) {
    const file = path.join(folder, rowsFile(part, about.name));
    const facts = await writeRows(file, pages, (done) => onProgress({ part, ...about, done }));
    written.push({ name: about.name, ...facts });
  }
  await syncFolder(path.join(folder, part));
  return written;
}

function registrySources(registry: RegistryRows): Source[] {
  return registry.tables.map((name) => ({ name, pages: inPages(registry.rows(name)) }));
}

function itemSources(contents: Contents): Source[] {
  const moving = contents.tables().filter(({ name, count }) => count > 0 && !STAYING_TABLES.includes(name));
  return moving.map(({ name, count }) => ({ name, total: count, pages: contents.items(name) }));
}

function messageSources(contents: Contents): Source[] {
  return contents.queues().map(({ name, count }) => ({ name, total: count, pages: contents.messages(name) }));
}

function blobSources(engines: EmbeddedEngines, contents: Contents, folder: string): Source[] {
  return contents.buckets().map(({ name, count }) => ({
    name,
    total: count,
    pages: writeBlobs(engines, contents, folder, name),
  }));
}

/** Writes the bytes of each blob, then gives what is to be said of it. */
async function* writeBlobs(
  engines: EmbeddedEngines,
  contents: Contents,
  folder: string,
  bucket: string,
): AsyncGenerator<StoredBlob[]> {
  const blobs = engines.blobs(bucket);
  await makeFolder(path.join(folder, dataFolder(bucket)));
  let number = 0;
  for await (const heads of contents.heads(bucket)) {
    for (const { key, contentType, metadata } of heads) {
      const found = await blobs.get(key);
      if (!found) throw new Error(`the blob ${key} of ${bucket} went away during the export`);
      number += 1;
      const facts = await writeBytes(path.join(folder, dataFile(bucket, number)), found.body);
      yield [{ number, key, ...facts, contentType, metadata }];
    }
  }
  await syncFolder(path.join(folder, dataFolder(bucket)));
}

async function* inPages<T>(rows: AsyncIterable<T>): AsyncGenerator<T[]> {
  let page: T[] = [];
  for await (const row of rows) {
    page.push(row);
    if (page.length < REGISTRY_PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** Under another name first, so that it is whole or not there at all. */
async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const draft = path.join(folder, `${MANIFEST}.new`);
  async function* text() {
    yield Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`);
  }
  await writeBytes(draft, text());
  await rename(draft, path.join(folder, MANIFEST));
  await syncFolder(folder);
}
