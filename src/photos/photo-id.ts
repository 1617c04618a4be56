/** A photo's ULID: the object's time, and a hash of bucket, key and etag, so that a repeated notice is the same photo. */

import { createHash } from "node:crypto";
import { encodeTime } from "ulid";
import { z } from "zod";
import type { BlobEntry } from "../platform/ports.ts";

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TIME_LENGTH = 10;
const RANDOM_LENGTH = 16;

export const PhotoId = z
  .string()
  .toUpperCase()
  .regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/, "It is no photo's id.")
  .meta({ example: "01KXDJ6T3V9QN4W8Y2ZB5C7D1E" });

export function photoIdOf(bucket: string, { key, etag, createdAt }: Pick<BlobEntry, "key" | "etag" | "createdAt">) {
  const hash = createHash("sha256")
    .update(JSON.stringify([bucket, key, etag]))
    .digest();
  let random = "";
  // Five bits make a character; the first 16 bytes have enough of them to take the lower five of each.
  for (const byte of hash.subarray(0, RANDOM_LENGTH)) random += ALPHABET[byte % ALPHABET.length];
  return encodeTime(createdAt, TIME_LENGTH) + random;
}
