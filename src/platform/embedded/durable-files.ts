/** Files and folders that are still there after a power loss: their names are synced, not only their bytes. */

import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, renameSync, unlinkSync, writeSync } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import path from "node:path";

/** Whole or not there at all. Only for start-up, since it waits for the disk. */
export function writeFileAtStart(file: string, content: string | Buffer, mode: number): void {
  const draft = `${file}.new`;
  writeDraft(draft, content, mode);
  renameSync(draft, file);
  syncFolderAtStart(path.dirname(file));
}

/** Leaves a file that is there already as it is, so that of several that make it at once, all see the first one's. */
export function makeFileAtStart(file: string, content: string | Buffer, mode: number): void {
  const draft = `${file}.${process.pid}.new`;
  writeDraft(draft, content, mode);
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    unlinkSync(draft);
  }
  syncFolderAtStart(path.dirname(file));
}

function writeDraft(draft: string, content: string | Buffer, mode: number): void {
  const handle = openSync(draft, "w", mode);
  try {
    writeSync(handle, Buffer.from(content));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

export function makeFolderAtStart(folder: string): void {
  const made = mkdirSync(folder, { recursive: true });
  if (made !== undefined) syncFolderAtStart(path.dirname(made));
}

export async function makeFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true });
  if (made !== undefined) await syncFolder(path.dirname(made));
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function syncFolderAtStart(folder: string): void {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
