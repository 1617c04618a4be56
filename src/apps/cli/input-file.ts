/** A file, or standard input, read as it is needed. */

import { type FileHandle, open } from "node:fs/promises";
import { storageProblem } from "../../platform/embedded/storage-problem.ts";
import { Problem } from "../../platform/problem.ts";

export type Input = {
  /** Unknown for standard input. */
  sizeBytes: number | undefined;
  /** To be read once; `onBytes` hears how far it is. */
  read(onBytes: (done: number) => void): AsyncIterable<Uint8Array>;
};

/** Says what is wrong before anything is sent; "-" is standard input. */
export async function openInput(name: string): Promise<Input> {
  if (name === "-") return { sizeBytes: undefined, read: (onBytes) => counting(process.stdin, onBytes) };
  const file = await openFile(name);
  const { size: sizeBytes } = await file.stat();
  return { sizeBytes, read: (onBytes) => counting(file.createReadStream(), onBytes) };
}

async function openFile(name: string): Promise<FileHandle> {
  try {
    const file = await open(name);
    if (!(await file.stat()).isDirectory()) return file;
    await file.close();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new Problem("missing", "file.not-found", `There is no file ${name}.`, { cause });
    if (code === "EACCES") throw new Problem("forbidden", "file.not-readable", `You may not read ${name}.`, { cause });
    throw storageProblem(cause, name) ?? cause;
  }
  throw new Problem("invalid", "file.is-folder", `${name} is a folder. Give a file.`);
}

async function* counting(chunks: AsyncIterable<Uint8Array>, onBytes: (done: number) => void) {
  let done = 0;
  for await (const chunk of chunks) {
    done += chunk.byteLength;
    onBytes(done);
    yield chunk;
  }
}
