/** A picture that was just made is handed on without reading it, as long as it is the stored one. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { BlobHead, Blobs } from "../platform/ports.ts";
import { keepPicture, keptPicture } from "./pictures-just-made.ts";

const MOST_KEPT = 8;

function openBlobs() {
  const heads = new Map<string, BlobHead>();
  const blobs = { head: async (key: string) => heads.get(key) } as unknown as Blobs;
  const put = (key: string, text: string): BlobHead => {
    const about = { contentType: "image/jpeg", metadata: {}, createdAt: 0 };
    const head = { key, etag: text, sizeBytes: text.length, ...about };
    heads.set(key, head);
    return head;
  };
  return { blobs, heads, put };
}

test("it is the very same picture, in its own bucket only", async () => {
  const { blobs, put } = openBlobs();
  const jpeg = Buffer.from("one");
  keepPicture(blobs, put("a", "one"), jpeg);
  assert.equal(await keptPicture(blobs, "a"), jpeg);
  assert.equal(await keptPicture(blobs, "b"), undefined);
  assert.equal(await keptPicture(openBlobs().blobs, "a"), undefined);
});

test("not when the object was deleted or is another one by now", async () => {
  const { blobs, heads, put } = openBlobs();
  keepPicture(blobs, put("a", "one"), Buffer.from("one"));
  put("a", "two");
  assert.equal(await keptPicture(blobs, "a"), undefined);
  heads.delete("a");
  assert.equal(await keptPicture(blobs, "a"), undefined);
});

test("the oldest ones go", async () => {
  const { blobs, put } = openBlobs();
  for (let n = 0; n <= MOST_KEPT; n += 1) keepPicture(blobs, put(`${n}`, "x"), Buffer.from("x"));
  assert.equal(await keptPicture(blobs, "0"), undefined);
  assert.notEqual(await keptPicture(blobs, "1"), undefined);
});
