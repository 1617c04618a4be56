/** The codes are those of Node's own HMAC, for every key and text. */

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { createKeyedHash } from "./keyed-hash.ts";

test("a code is the HMAC-SHA-256 of the text", () => {
  const ascii = fc.string({ unit: "binary-ascii", maxLength: 2000 });
  const any = fc.string({ unit: "binary", maxLength: 500 });
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.array(fc.oneof(ascii, any), { maxLength: 5 }), (key, texts) => {
      const codeOf = createKeyedHash(key);
      for (const text of texts) {
        assert.equal(codeOf(text), createHmac("sha256", key).update(text).digest("base64url"));
      }
    }),
  );
});

test("a key longer than a block is refused, since it would have to be hashed first", () => {
  assert.throws(() => createKeyedHash(new Uint8Array(65)), /at most 64/);
});
