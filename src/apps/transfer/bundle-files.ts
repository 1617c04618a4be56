/** Writes and reads the files of a bundle in a stream, with a SHA-256 of each. */

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import type { z } from "zod";
import { damaged, unreadable } from "./bundle.ts";

const NEWLINE = 0x0a;
/** DynamoDB takes 4 MB in a transaction, and counts no value at more than twice what it takes as JSON. */
const MAX_PAGE_BYTES = 1024 * 1024;
const MAX_PAGE_ROWS = 100;

/** Resolves when the bytes are on disk; the file's name is not synced yet. */
export async function writeBytes(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash("sha256");
  let sizeBytes = 0;
  // It holds people's data, and lies wherever the operator wants it.
  const handle = await open(file, "wx", 0o600);
  try {
    for await (const chunk of chunks) {
      hash.update(chunk);
      sizeBytes += chunk.byteLength;
      await handle.writeFile(chunk);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { sizeBytes, sha256: hash.digest("hex") };
}

/** One line of JSON per row. */
export async function writeRows(
  file: string,
  pages: AsyncIterable<unknown[]>,
  onCount: (count: number) => void,
): Promise<{ count: number; sha256: string }> {
  let count = 0;
  async function* lines() {
    for await (const rows of pages) {
      yield Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
      count += rows.length;
      onCount(count);
    }
  }
  const { sha256 } = await writeBytes(file, lines());
  return { count, sha256 };
}

/** Pages small enough for one write to a table. */
export async function* readRows<Row>(
  folder: string,
  file: string,
  schema: z.ZodType<Row>,
  maxRows = MAX_PAGE_ROWS,
): AsyncGenerator<Row[]> {
  let rows: Row[] = [];
  let pageBytes = 0;
  for await (const line of linesOf(folder, file)) {
    if (rows.length >= maxRows || (rows.length > 0 && pageBytes + line.byteLength > MAX_PAGE_BYTES)) {
      yield rows;
      rows = [];
      pageBytes = 0;
    }
    rows.push(rowOf(line, file, schema));
    pageBytes += line.byteLength;
  }
  if (rows.length > 0) yield rows;
}

/** Ends in a Problem instead of passing other bytes than were exported. */
export async function* readChecked(folder: string, file: string, sha256: string): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  for await (const chunk of bytesOf(folder, file)) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest("hex") !== sha256) throw damaged(file);
}

async function* bytesOf(folder: string, file: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path.join(folder, file));
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** Node's own reader of lines also breaks them at U+2028 and U+2029, which JSON may hold as they are. */
async function* linesOf(folder: string, file: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of bytesOf(folder, file)) {
    rest = rest.byteLength > 0 ? Buffer.concat([rest, chunk]) : chunk;
    let start = 0;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE, start)) {
      yield rest.subarray(start, end);
      start = end + 1;
    }
    rest = rest.subarray(start);
  }
  if (rest.byteLength > 0) yield rest;
}

function rowOf<Row>(line: Buffer, file: string, schema: z.ZodType<Row>): Row {
  try {
    return schema.parse(JSON.parse(line.toString()));
  } catch (cause) {
    throw damaged(file, cause);
  }
}
