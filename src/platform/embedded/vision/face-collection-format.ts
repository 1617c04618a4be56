/** What a collection's file looks like: a header, then groups of faces, in each first the heads, then the embeddings. */

import { crc32 } from "node:zlib";
import { FACES_PER_BLOCK } from "./face-search.ts";

/** Which vectors a file holds. */
export type CollectionHeader = { collection: string; model: string; dimensions: number };
export type FaceHead = { faceId: string; externalImageId: string; sequence: number; vectorCheck: number };

export const HEADER_BYTES = 4096;
const MAGIC = "SnapRaceFaces1\n\0";
const TEXT_AT = MAGIC.length + 4;

/** A disk writes a sector wholly or not at all, so a head is either the old or the new one after a power loss. */
export const HEAD_BYTES = 512;
const FACE_ID_AT = 16;
const IMAGE_ID_AT = 80;

/** Text, so that `head -c 300 FILE` tells what it is. */
export function encodeHeader(header: CollectionHeader): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.write(MAGIC, 0, "latin1");
  const text = Buffer.from(JSON.stringify(header));
  if (text.length > HEADER_BYTES - TEXT_AT) throw new RangeError("the name of the model is too long");
  text.copy(bytes, TEXT_AT);
  bytes.writeUInt32LE(crc32(bytes.subarray(TEXT_AT)), MAGIC.length);
  return bytes;
}

/** Gives undefined for what is no whole header. */
export function decodeHeader(bytes: Buffer): CollectionHeader | undefined {
  if (bytes.length < HEADER_BYTES || bytes.toString("latin1", 0, MAGIC.length) !== MAGIC) return undefined;
  const text = bytes.subarray(TEXT_AT, HEADER_BYTES);
  if (crc32(text) !== bytes.readUInt32LE(MAGIC.length)) return undefined;
  return JSON.parse(text.toString("utf8", 0, text.indexOf(0))) as CollectionHeader;
}

/** A slot of the file is the same as a place in the memory's blocks: a group fills a block. */
export function layoutOf(dimensions: number) {
  const vectorBytes = dimensions * Float32Array.BYTES_PER_ELEMENT;
  const headsBytes = FACES_PER_BLOCK * HEAD_BYTES;
  const groupBytes = headsBytes + FACES_PER_BLOCK * vectorBytes;
  const groupAt = (group: number) => HEADER_BYTES + group * groupBytes;
  const groupOf = (slot: number) => Math.floor(slot / FACES_PER_BLOCK);
  return {
    vectorBytes,
    headsBytes,
    groupBytes,
    groupAt,
    vectorsAt: (group: number) => groupAt(group) + headsBytes,
    headAt: (slot: number) => groupAt(groupOf(slot)) + (slot % FACES_PER_BLOCK) * HEAD_BYTES,
    vectorAt: (slot: number) => groupAt(groupOf(slot)) + headsBytes + (slot % FACES_PER_BLOCK) * vectorBytes,
  };
}

export type Layout = ReturnType<typeof layoutOf>;

export function encodeHead(head: FaceHead): Buffer {
  const bytes = Buffer.alloc(HEAD_BYTES);
  bytes.writeUInt32LE(head.vectorCheck, 4);
  bytes.writeUIntLE(head.sequence, 8, 6);
  bytes.writeUInt8(head.faceId.length, 14);
  bytes.writeUInt8(head.externalImageId.length, 15);
  bytes.write(head.faceId, FACE_ID_AT, "latin1");
  bytes.write(head.externalImageId, IMAGE_ID_AT, "latin1");
  bytes.writeUInt32LE(crc32(bytes.subarray(4)), 0);
  return bytes;
}

export function decodeHead(bytes: Buffer): FaceHead | "free" | "damaged" {
  if (bytes.readUInt32LE(0) !== crc32(bytes.subarray(4))) return isZero(bytes) ? "free" : "damaged";
  const faceIdEnd = FACE_ID_AT + bytes.readUInt8(14);
  const imageIdEnd = IMAGE_ID_AT + bytes.readUInt8(15);
  return {
    faceId: bytes.toString("latin1", FACE_ID_AT, faceIdEnd),
    externalImageId: bytes.toString("latin1", IMAGE_ID_AT, imageIdEnd),
    sequence: bytes.readUIntLE(8, 6),
    vectorCheck: bytes.readUInt32LE(4),
  };
}

export function isZero(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte !== 0) return false;
  return true;
}
