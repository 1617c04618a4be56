/** What stands in for the browser's cryptography on plain http comes to the same as Node's own. */

import assert from "node:assert/strict";
import { createHmac, hash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { subtle } from "../../web/src/sha256.ts";

const hex = (bytes: ArrayBuffer) => Buffer.from(bytes).toString("hex");
const bytes = fc.uint8Array({ maxLength: 300 });

test("digests of any length", async () => {
  const agree = async (data: Uint8Array) =>
    assert.equal(hex(await subtle.digest("SHA-256", data)), hash("sha256", data));
  for (let length = 0; length < 200; length += 1) await agree(new Uint8Array(length).fill(length));
  await agree(new Uint8Array(1_000_003).fill(7));
  await fc.assert(fc.asyncProperty(bytes, agree));
});

test("signatures with keys up to a block", async () => {
  const keys = fc.uint8Array({ minLength: 1, maxLength: 64 });
  const agree = fc.asyncProperty(keys, bytes, async (raw, data) => {
    const key = await subtle.importKey("raw", raw);
    const expected = createHmac("sha256", raw).update(data).digest("hex");
    assert.equal(hex(await subtle.sign("HMAC", key, data)), expected);
  });
  await fc.assert(agree);
});
