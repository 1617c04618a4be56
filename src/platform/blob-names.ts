/** S3's rules for keys and metadata, checked in front of both engines so that both refuse alike. */

import { Problem } from "./problem.ts";

const MAX_KEY_BYTES = 1024;
const MAX_METADATA_BYTES = 2048;

export function checkBlobKey(key: string): void {
  const segments = key.split("/");
  // Empty and dot segments are rewritten by URL parsers on the way, so that a signed key would name another object.
  const odd = segments.some((segment) => segment === "" || segment === "." || segment === "..");
  if (odd || !key.isWellFormed() || /\p{Cc}/u.test(key) || Buffer.byteLength(key) > MAX_KEY_BYTES) {
    throw new Problem(
      "invalid",
      "blob.bad-key",
      `A key has 1 to ${MAX_KEY_BYTES} bytes, no control characters and no empty, "." or ".." part: ${JSON.stringify(key.slice(0, 80))}.`,
    );
  }
}

export function checkMetadata(metadata: { [name: string]: string }): void {
  let sizeBytes = 0;
  for (const [name, value] of Object.entries(metadata)) {
    sizeBytes += name.length + value.length;
    if (!/^[a-z0-9-]+$/.test(name) || !/^[\x20-\x7e]*$/.test(value) || value.trim() !== value) {
      throw new Problem(
        "invalid",
        "blob.bad-metadata",
        `Metadata ${name} must be lower-case ASCII with a plain ASCII value.`,
      );
    }
  }
  if (sizeBytes > MAX_METADATA_BYTES) {
    throw new Problem(
      "invalid",
      "blob.bad-metadata",
      `Metadata has ${sizeBytes} bytes; the limit is ${MAX_METADATA_BYTES}.`,
    );
  }
}
