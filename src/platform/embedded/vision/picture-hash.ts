/** The SHA-256 of a picture, in base64, taken once for all who hold the same bytes in the same place. */

import { createHash } from "node:crypto";

const known = new WeakMap<Uint8Array, string>();

/** The bytes must not change afterwards. */
export function pictureHash(image: Uint8Array): string {
  const hash = known.get(image) ?? createHash("sha256").update(image).digest("base64");
  known.set(image, hash);
  return hash;
}
