/** Small files that are whole or not there, also after a power loss. */

import { closeSync, fsyncSync, openSync, renameSync, writeSync } from "node:fs";
import path from "node:path";

/** Only for start-up: it waits for the disk. */
export function writeFileDurably(file: string, content: string | Buffer, mode: number): void {
  const draft = `${file}.new`;
  const handle = openSync(draft, "w", mode);
  try {
    writeSync(handle, Buffer.from(content));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, file);
  syncFolder(path.dirname(file));
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
