/** Reads, writes and wipes the file of one collection so that each step survives a kill and a power loss. */

import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import {
  type CollectionHeader,
  decodeHeader,
  encodeHeader,
  HEAD_BYTES,
  HEADER_BYTES,
  isZero,
  type Layout,
} from "./face-collection-format.ts";

export const FILE_ENDING = ".faces";
export const ERASING_ENDING = ".erasing";

const CHUNK_BYTES = 1_048_576;

/** A checksum, since names may be as long as a file name can be, and differ only in case where file names can't. */
export function fileNameOf(collection: string): string {
  return createHash("sha256").update(collection).digest("hex") + FILE_ENDING;
}

export function withFile<T>(file: string, flags: number, work: (handle: number) => T): T {
  const handle = openSync(file, flags, 0o600);
  try {
    return work(handle);
  } finally {
    closeSync(handle);
  }
}

export function syncFolder(folder: string): void {
  withFile(folder, constants.O_RDONLY, fsyncSync);
}

/** The file and its name are on disk before anything is put into it. */
export function makeFile(file: string, header: CollectionHeader): void {
  withFile(file, constants.O_RDWR | constants.O_CREAT, (handle) => {
    writeWhole(handle, encodeHeader(header), 0);
    fsyncSync(handle);
  });
  syncFolder(path.dirname(file));
}

/** `unmade` is what a kill in the middle of making the file leaves; nothing was ever put into it. */
export function readHeader(handle: number): CollectionHeader | "unmade" | "damaged" {
  const bytes = Buffer.alloc(HEADER_BYTES);
  const header = readWhole(handle, bytes, 0) ? decodeHeader(bytes) : undefined;
  return header ?? (fstatSync(handle).size <= HEADER_BYTES ? "unmade" : "damaged");
}

/** Cuts off what a kill in the middle of growing left. Gives `damaged` if there are faces in it: then it was cut itself. */
export function countGroups(handle: number, layout: Layout): number | "damaged" {
  const { size } = fstatSync(handle);
  const groups = Math.floor((size - HEADER_BYTES) / layout.groupBytes);
  const rest = Buffer.alloc(size - layout.groupAt(groups));
  if (rest.length === 0) return groups;
  if (!readWhole(handle, rest, layout.groupAt(groups)) || !isZero(rest)) return "damaged";
  ftruncateSync(handle, layout.groupAt(groups));
  fsyncSync(handle);
  return groups;
}

/** Takes the room on disk beforehand: when it is full, the file stays as it was. */
export function growFile(handle: number, layout: Layout, fromGroups: number, toGroups: number): void {
  const zeros = Buffer.alloc(layout.groupBytes);
  try {
    for (let group = fromGroups; group < toGroups; group += 1) writeWhole(handle, zeros, layout.groupAt(group));
  } catch (error) {
    ftruncateSync(handle, layout.groupAt(fromGroups));
    throw error;
  }
  fsyncSync(handle);
}

export function readGroup(handle: number, layout: Layout, group: number, vectors: Uint8Array): Buffer | undefined {
  const heads = Buffer.alloc(layout.headsBytes);
  const whole = readWhole(handle, heads, layout.groupAt(group)) && readWhole(handle, vectors, layout.vectorsAt(group));
  return whole ? heads : undefined;
}

export type SlotContent = { slot: number; head: Buffer; vector: Uint8Array };

/** Into free slots only: a torn write must not harm a face that was there before. */
export function writeSlots(handle: number, layout: Layout, contents: SlotContent[]): void {
  for (const { slot, head, vector } of contents) {
    writeWhole(handle, vector, layout.vectorAt(slot));
    writeWhole(handle, head, layout.headAt(slot));
  }
  fsyncSync(handle);
}

/** First the heads for good: an embedding without a head is wiped at the next load, a head without its embedding is damage. */
export function wipeSlots(handle: number, layout: Layout, slots: number[]): void {
  if (slots.length === 0) return;
  const noHead = Buffer.alloc(HEAD_BYTES);
  for (const slot of slots) writeWhole(handle, noHead, layout.headAt(slot));
  fsyncSync(handle);
  const noVector = Buffer.alloc(layout.vectorBytes);
  for (const slot of slots) writeWhole(handle, noVector, layout.vectorAt(slot));
  fsyncSync(handle);
}

/** The new name makes it gone at once; whatever interrupts the overwriting, the next start or call goes on with it. */
export function eraseFile(file: string): void {
  const erasing = file.slice(0, -FILE_ENDING.length) + ERASING_ENDING;
  if (isThere(erasing)) finishErasing(erasing);
  if (!isThere(file)) return;
  renameSync(file, erasing);
  syncFolder(path.dirname(file));
  finishErasing(erasing);
}

export function finishErasing(erasing: string): void {
  withFile(erasing, constants.O_RDWR, (handle) => {
    const { size } = fstatSync(handle);
    const zeros = Buffer.alloc(CHUNK_BYTES);
    for (let at = 0; at < size; at += CHUNK_BYTES) {
      writeWhole(handle, zeros.subarray(0, Math.min(CHUNK_BYTES, size - at)), at);
    }
    fsyncSync(handle);
  });
  unlinkSync(erasing);
  syncFolder(path.dirname(erasing));
}

/** Unlike `existsSync`, it does not take what can't be looked at for missing. */
export function isThere(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}

/** Gives false if the file ends before. */
function readWhole(handle: number, into: Uint8Array, position: number): boolean {
  for (let done = 0; done < into.length; ) {
    const count = readSync(handle, into, done, into.length - done, position + done);
    if (count === 0) return false;
    done += count;
  }
  return true;
}

function writeWhole(handle: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(handle, bytes, done, bytes.length - done, position + done);
  }
}
