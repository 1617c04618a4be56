/** Brings a collection from its file into memory, and finishes or undoes what a crash left half done in the file. */

import { crc32 } from "node:zlib";
import { Problem } from "../../problem.ts";
import { countGroups, readGroup, readHeader, wipeSlots } from "./face-collection-file.ts";
import {
  type CollectionHeader,
  decodeHead,
  type FaceHead,
  HEAD_BYTES,
  isZero,
  type Layout,
  layoutOf,
} from "./face-collection-format.ts";
import { type Block, FACES_PER_BLOCK, type VectorMemory } from "./face-search.ts";

/** An empty slot has no ids and an embedding of zeros. */
export type LoadedCollection = {
  blocks: Block[];
  faceIds: (string | undefined)[];
  externalImageIds: (string | undefined)[];
  slotOf: Map<string, number>;
  freeSlots: number[];
  /** Of the last write; each write has the next number, and all that it brought has it too. */
  lastSequence: number;
};

export type Expected = { file: string; header: CollectionHeader; layout: Layout };

type Scan = { sequences: number[]; torn: number[]; leftOver: number[] };

/** Gives undefined for a file that was never wholly made, and so holds nothing. */
export function countExpectedGroups(handle: number, expected: Expected): number | undefined {
  const found = readHeader(handle);
  if (found === "unmade") return undefined;
  const { collection, model, dimensions } = expected.header;
  if (found === "damaged" || found.collection !== collection) throw damaged(expected);
  if (found.model !== model || found.dimensions !== dimensions) throw otherModel(found, expected.header);
  const groups = countGroups(handle, expected.layout);
  if (groups === "damaged") throw damaged(expected);
  return groups;
}

export function loadCollection(
  handle: number,
  expected: Expected,
  groups: number,
  memory: VectorMemory,
): LoadedCollection {
  const loaded = emptyCollection();
  const scan: Scan = { sequences: [], torn: [], leftOver: [] };
  try {
    for (let group = 0; group < groups; group += 1) {
      addBlock(loaded, memory);
      scanGroup(handle, expected, group, memory, loaded, scan);
    }
    repair(handle, expected, memory, loaded, scan);
  } catch (error) {
    for (const block of loaded.blocks) memory.giveBack(block);
    throw error;
  }
  loaded.freeSlots = loaded.freeSlots.filter((slot) => loaded.faceIds[slot] === undefined);
  return loaded;
}

export function emptyCollection(): LoadedCollection {
  return { blocks: [], faceIds: [], externalImageIds: [], slotOf: new Map(), freeSlots: [], lastSequence: 0 };
}

export function addBlock(loaded: LoadedCollection, memory: VectorMemory): void {
  loaded.blocks.push(memory.takeBlock());
  for (let count = 0; count < FACES_PER_BLOCK; count += 1) {
    loaded.freeSlots.push(loaded.faceIds.length);
    loaded.faceIds.push(undefined);
    loaded.externalImageIds.push(undefined);
  }
}

export function setIds(
  loaded: LoadedCollection,
  slot: number,
  { faceId, externalImageId }: { faceId: string; externalImageId: string },
): void {
  loaded.faceIds[slot] = faceId;
  loaded.externalImageIds[slot] = externalImageId;
  loaded.slotOf.set(faceId, slot);
}

export function vectorOf(loaded: LoadedCollection, memory: VectorMemory, slot: number): Float32Array {
  const block = loaded.blocks[Math.floor(slot / FACES_PER_BLOCK)] as Block;
  return memory.vectorAt(block, slot % FACES_PER_BLOCK);
}

function scanGroup(
  handle: number,
  expected: Expected,
  group: number,
  memory: VectorMemory,
  loaded: LoadedCollection,
  scan: Scan,
): void {
  const { vectorBytes } = expected.layout;
  const vectors = memory.bytesOf(loaded.blocks[group] as Block);
  const heads = readGroup(handle, expected.layout, group, vectors);
  if (!heads) throw damaged(expected);
  for (let index = 0; index < FACES_PER_BLOCK; index += 1) {
    const slot = group * FACES_PER_BLOCK + index;
    const head = decodeHead(heads.subarray(index * HEAD_BYTES, (index + 1) * HEAD_BYTES));
    const vector = vectors.subarray(index * vectorBytes, (index + 1) * vectorBytes);
    if (head === "damaged") throw damaged(expected);
    if (head === "free") {
      if (!isZero(vector)) scan.leftOver.push(slot);
      continue;
    }
    scan.sequences[slot] = head.sequence;
    loaded.lastSequence = Math.max(loaded.lastSequence, head.sequence);
    if (crc32(vector) === head.vectorCheck) keepNewer(loaded, slot, head, scan);
    else scan.torn.push(slot);
  }
}

/** A kill before the old one was wiped leaves a face that was replaced twice. */
function keepNewer(loaded: LoadedCollection, slot: number, head: FaceHead, scan: Scan): void {
  const other = loaded.slotOf.get(head.faceId);
  if (other !== undefined && (scan.sequences[other] as number) > head.sequence) {
    scan.leftOver.push(slot);
    return;
  }
  if (other !== undefined) {
    scan.leftOver.push(other);
    loaded.faceIds[other] = undefined;
    loaded.externalImageIds[other] = undefined;
  }
  setIds(loaded, slot, head);
}

/** Only the last write can be torn, since each waits for the disk: whatever else does not fit its checksum is damage. */
function repair(
  handle: number,
  expected: Expected,
  memory: VectorMemory,
  loaded: LoadedCollection,
  { sequences, torn, leftOver }: Scan,
): void {
  if (torn.some((slot) => sequences[slot] !== loaded.lastSequence)) throw damaged(expected);
  const slots = [...torn, ...leftOver];
  wipeSlots(handle, expected.layout, slots);
  for (const slot of slots) vectorOf(loaded, memory, slot).fill(0);
}

/** Reads the heads only. What is damaged is told to whoever uses it; here it has no faces. */
export function countFaces(handle: number): number {
  const header = readHeader(handle);
  if (typeof header === "string") return 0;
  const layout = layoutOf(header.dimensions);
  let faces = 0;
  for (let group = 0; ; group += 1) {
    const heads = readGroup(handle, layout, group, new Uint8Array());
    if (!heads) return faces;
    for (let at = 0; at < heads.length; at += HEAD_BYTES) {
      if (decodeHead(heads.subarray(at, at + HEAD_BYTES)) !== "free") faces += 1;
    }
  }
}

function damaged({ file, header }: Expected): Problem {
  return new Problem(
    "unavailable",
    "faces.damaged",
    `The faces of collection ${header.collection} in ${file} are damaged. Restore the file from a backup, or delete the collection and index its photos anew.`,
  );
}

function otherModel(found: CollectionHeader, wanted: CollectionHeader): Problem {
  return new Problem(
    "conflict",
    "faces.other-model",
    `The faces of collection ${wanted.collection} were indexed with the model ${found.model} (${found.dimensions} dimensions), and this server uses ${wanted.model} (${wanted.dimensions}). Delete the collection and index its photos anew.`,
  );
}
