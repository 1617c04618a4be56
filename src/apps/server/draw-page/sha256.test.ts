/** What stands in for the browser's cryptography on plain http comes to the same as Node's own. */

import assert from "node:assert/strict";
import { createHmac, hash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";

const { subtle } = (await import(new URL("sha256.js", import.meta.url).href)) as {
  subtle: Pick<typeof crypto.subtle, "digest" | "importKey" | "sign">;
};
const hex = (bytes: ArrayBuffer) => Buffer.from(bytes).toString("hex");
const bytes = fc.uint8Array({ maxLength: 300 });

test("digests of any length", async () => {
  const agree = async (data: Uint8Array<ArrayBuffer>) =>
    assert.equal(hex(await subtle.digest("SHA-256", data)), hash("sha256", data));
  for (let length = 0; length < 200; length += 1) await agree(new Uint8Array(length).fill(length));
  await agree(new Uint8Array(1_000_003).fill(7));
  await fc.assert(fc.asyncProperty(bytes, (data) => agree(Uint8Array.from(data))));
});

test("signatures with keys up to a block", async () => {
  const keys = fc.uint8Array({ minLength: 1, maxLength: 64 });
  const agree = fc.asyncProperty(keys, bytes, async (raw, data) => {
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    const key = await subtle.importKey("raw", Uint8Array.from(raw), algorithm, false, ["sign"]);
    const expected = createHmac("sha256", raw).update(data).digest("hex");
    assert.equal(hex(await subtle.sign("HMAC", key, Uint8Array.from(data))), expected);
  });
  await fc.assert(agree);
});
