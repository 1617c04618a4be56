/** Writes a file that a command was told to write: all of it, or not at all. */

import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { storageProblem } from "../../platform/embedded/storage-problem.ts";
import { Problem } from "../../platform/problem.ts";

/** An export that fails halfway leaves what was in the file before. */
export async function writeWhole(file: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const draft = `${file}.part`;
  try {
    await pipeline(bytes, createWriteStream(draft));
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw storageProblem(error, `the folder of ${file}`) ?? noSuchPlace(file, error);
  }
}

function noSuchPlace(file: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== "ENOENT" && code !== "EISDIR") return error;
  const sentence = `The file ${file} can't be written: its folder is not there, or it is a folder itself.`;
  return new Problem("invalid", "file.not-writable", sentence, { cause: error });
}
