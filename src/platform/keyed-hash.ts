/**
 * HMAC-SHA-256 (RFC 2104) of short texts with one key. Node's `createHmac` makes an object of its own for each, which the
 * garbage collector has to see to; here each is two plain hashes.
 */

import { hash } from "node:crypto";

const BLOCK_BYTES = 64;
const HASH_BYTES = 32;

/** The code of an ASCII text, in base64url. */
export type KeyedHash = (text: string) => string;

export function createKeyedHash(key: Uint8Array): KeyedHash {
  if (key.length > BLOCK_BYTES)
    throw new Error(`The key has ${key.length} bytes; it must have at most ${BLOCK_BYTES}.`);
  const inner = padded(key, 0x36);
  const outer = Buffer.concat([padded(key, 0x5c), Buffer.alloc(HASH_BYTES)]);
  return (text) => {
    hash("sha256", Buffer.concat([inner, Buffer.from(text, "latin1")]), "buffer").copy(outer, BLOCK_BYTES);
    return hash("sha256", outer, "base64url");
  };
}

function padded(key: Uint8Array, filler: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES, filler);
  for (const [index, byte] of key.entries()) block[index] = byte ^ filler;
  return block;
}
