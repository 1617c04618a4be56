/** The bytes of objects: each version in a file of its own that is never changed, checked by its SHA-256 when read. */

import { createHash, randomBytes } from "node:crypto";
import { type FileHandle, open, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline, type Readable, Transform } from "node:stream";
import type { BlobBody } from "../ports.ts";
import { Problem } from "../problem.ts";
import { makeFolder, syncFolder } from "./durable-files.ts";
import { storageProblem } from "./storage-problem.ts";

/** A photo in some ten pieces rather than forty. */
const READ_BYTES = 256 * 1024;
const WRITE_BYTES = 1024 * 1024;

export class BlobFiles {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /**
   * Resolves when the bytes and the file's name are on disk. Nothing refers to the file yet. Other than the wanted number
   * of bytes is refused.
   */
  async write(body: BlobBody, wantedBytes?: number): Promise<{ file: string; sizeBytes: number; sha256: string }> {
    const file = randomBytes(16).toString("hex");
    const folder = path.join(this.#root, file.slice(0, 2));
    try {
      await makeFolder(folder);
      const written = await writeBytes(path.join(folder, file), body);
      if (wantedBytes !== undefined && written.sizeBytes !== wantedBytes)
        throw wrongSize(written.sizeBytes, wantedBytes);
      await syncFolder(folder);
      return { file, ...written };
    } catch (error) {
      await this.remove([file]);
      throw storageProblem(error, this.#root) ?? error;
    }
  }

  /** Undefined when the file is gone: the object was replaced or deleted since it was looked up. */
  async open(file: string): Promise<FileHandle | undefined> {
    try {
      return await open(this.#pathOf(file));
    } catch (error) {
      if ((error as { code?: string }).code === "ENOENT") return undefined;
      throw storageProblem(error, this.#root) ?? error;
    }
  }

  async remove(files: string[]): Promise<void> {
    for (const file of files) await rm(this.#pathOf(file), { force: true });
  }

  /** Removes what a crash left behind: files older than this process that nothing refers to. */
  async removeOrphans(before: number, isReferred: (file: string) => boolean): Promise<number> {
    let removed = 0;
    for (const folder of await readdir(this.#root).catch(() => [])) {
      for (const file of await readdir(path.join(this.#root, folder))) {
        if (isReferred(file)) continue;
        const { mtimeMs } = await stat(this.#pathOf(file)).catch(() => ({ mtimeMs: before }));
        if (mtimeMs >= before) continue;
        await this.remove([file]);
        removed += 1;
      }
    }
    return removed;
  }

  #pathOf(file: string): string {
    return path.join(this.#root, file.slice(0, 2), file);
  }
}

/** Ends in an error instead of passing damaged bytes for whole ones. Read it to the end or destroy it. */
export function readChecked(handle: FileHandle, key: string, sha256: string): Readable {
  const hash = createHash("sha256");
  const check = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
    flush(done) {
      done(hash.digest("hex") === sha256 ? null : damaged(key));
    },
  });
  return pipeline(handle.createReadStream({ highWaterMark: READ_BYTES }), check, () => {});
}

/** Into one buffer: pieces of a stream would be as many bytes again for the garbage collector, which photos keep busy enough. */
export async function readWholeChecked(
  handle: FileHandle,
  key: string,
  { sizeBytes, etag }: { sizeBytes: number; etag: string },
): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(sizeBytes);
  for (let length = 0; length < sizeBytes; ) {
    const { bytesRead } = await handle.read(bytes, length, sizeBytes - length, length);
    if (bytesRead === 0) throw damaged(key);
    length += bytesRead;
  }
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  if (sha256 !== etag) throw damaged(key);
  return bytes;
}

function damaged(key: string): Problem {
  return new Problem("unavailable", "blob.damaged", `The stored object ${key} is damaged. Restore it from a backup.`);
}

export function missingFile(key: string): Problem {
  return new Problem(
    "unavailable",
    "blob.damaged",
    `The stored object ${key} has lost its file. Restore it from a backup.`,
  );
}

function wrongSize(sizeBytes: number, wantedBytes: number): Problem {
  return new Problem("invalid", "blob.wrong-size", `The upload has ${sizeBytes} bytes instead of ${wantedBytes}.`);
}

async function writeBytes(file: string, body: BlobBody): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash("sha256");
  let sizeBytes = 0;
  const handle = await open(file, "wx");
  try {
    for await (const chunks of inLots(body instanceof Uint8Array ? [body] : body)) {
      for (const chunk of chunks) {
        hash.update(chunk);
        sizeBytes += chunk.byteLength;
      }
      await writeWhole(handle, chunks);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { sizeBytes, sha256: hash.digest("hex") };
}

/** A body comes in pieces of 64 KB, and every write is a way to another thread and back. */
async function* inLots(body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array[]> {
  let lot: Uint8Array[] = [];
  let lotBytes = 0;
  for await (const chunk of body) {
    lot.push(chunk);
    lotBytes += chunk.byteLength;
    if (lotBytes < WRITE_BYTES) continue;
    yield lot;
    lot = [];
    lotBytes = 0;
  }
  if (lot.length > 0) yield lot;
}

/** One write may take only a part of the bytes, near a full disk for one. */
async function writeWhole(handle: FileHandle, chunks: Uint8Array[]): Promise<void> {
  for (let left = chunks; left.length > 0; ) {
    let { bytesWritten } = await handle.writev(left);
    left = left.flatMap((chunk) => {
      const written = Math.min(bytesWritten, chunk.byteLength);
      bytesWritten -= written;
      return written < chunk.byteLength ? [chunk.subarray(written)] : [];
    });
  }
}
