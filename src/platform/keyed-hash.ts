/**
 * HMAC-SHA-256 (RFC 2104) of short texts with one key. Node's `createHmac` makes an object of its own for each, which the
 * garbage collector has to see to; here each is two plain hashes, of bytes that are written into the same place each time.
 */

import { hash } from "node:crypto";

const BLOCK_BYTES = 64;
const HASH_BYTES = 32;
/** Grows with the longest text. */
const ROOM_BYTES = 512;

/** The code of a text, in base64url. */
export type KeyedHash = (text: string) => string;

export function createKeyedHash(key: Uint8Array): KeyedHash {
  if (key.length > BLOCK_BYTES)
    throw new Error(`The key has ${key.length} bytes; it must have at most ${BLOCK_BYTES}.`);
  let inner = Buffer.concat([padded(key, 0x36), Buffer.alloc(ROOM_BYTES)]);
  const outer = Buffer.concat([padded(key, 0x5c), Buffer.alloc(HASH_BYTES)]);
  return (text) => {
    const end = BLOCK_BYTES + Buffer.byteLength(text);
    if (end > inner.length) inner = Buffer.concat([inner], end);
    inner.write(text, BLOCK_BYTES);
    outer.write(hash("sha256", inner.subarray(0, end), "binary"), BLOCK_BYTES, "latin1");
    return hash("sha256", outer, "base64url");
  };
}

function padded(key: Uint8Array, filler: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES, filler);
  for (const [index, byte] of key.entries()) block[index] = byte ^ filler;
  return block;
}
