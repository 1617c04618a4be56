/** What every engine of the blobs port does: the suite is the port's definition. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Blobs } from "../ports.ts";
import { testParts } from "./blob-parts.contract.ts";
import { bytes, bytesOf, grantOf, JPEG, textOf } from "./blob-samples.ts";
import { type BlobsAbilities, testDownloads, testUploads } from "./blob-urls.contract.ts";
import { refusedWith } from "./refused.ts";
import type { Subject } from "./subject.ts";

export function testBlobs(
  name: string,
  open: () => Promise<Subject>,
  abilities: BlobsAbilities = { checksSignatures: true, listsByBytes: true },
): void {
  describe(`blobs: ${name}`, () => {
    let subject: Subject;
    before(async () => {
      subject = await open();
    });
    after(() => subject.close());
    const fresh = () => subject.blobs();
    describe("objects", () => testObjects(fresh));
    describe("lists", () => testLists(fresh, abilities));
    describe("signed uploads", () => testUploads(fresh, abilities));
    describe("signed downloads", () => testDownloads(fresh, abilities));
    describe("uploads in parts", () => testParts(fresh, abilities));
  });
}

function testObjects(fresh: () => Promise<Blobs>): void {
  test("an object comes back with all that was said of it", async () => {
    const blobs = await fresh();
    const before = Date.now();
    const metadata = { "photographer-id": "ph-1", note: "a b; c=d" };
    const put = await blobs.put("org/evt/raw/a.jpg", bytes("picture"), { ...JPEG, metadata });
    const { createdAt, etag, ...rest } = put;
    assert.deepEqual(rest, { key: "org/evt/raw/a.jpg", sizeBytes: 7, contentType: "image/jpeg", metadata });
    assert.match(etag, /^[^"]+$/);
    assert.ok(createdAt > before - 2000 && createdAt < Date.now() + 2000, `created at ${createdAt}`);
    assert.deepEqual(await blobs.head("org/evt/raw/a.jpg"), put);
    const got = await blobs.get("org/evt/raw/a.jpg");
    assert.deepEqual(got?.head, put);
    assert.equal(await textOf(got?.body), "picture");
  });

  test("what is not there is undefined", async () => {
    const blobs = await fresh();
    assert.equal(await blobs.get("nothing"), undefined);
    assert.equal(await blobs.head("nothing"), undefined);
  });

  test("an object may be empty", async () => {
    const blobs = await fresh();
    assert.equal((await blobs.put("empty", bytes(""), JPEG)).sizeBytes, 0);
    assert.equal(await textOf((await blobs.get("empty"))?.body), "");
  });

  test("streams go in and out, also when they are large and in uneven pieces", async () => {
    const blobs = await fresh();
    const pieces = [3, 1_000_000, 5_500_000, 70_000, 1].map((size, index) => new Uint8Array(size).fill(index + 1));
    const whole = Buffer.concat(pieces);
    const head = await blobs.put("large", streamOf(pieces), { contentType: "application/zip", metadata: { n: "5" } });
    assert.equal(head.sizeBytes, whole.length);
    assert.deepEqual(await blobs.head("large"), head);
    const got = await blobs.get("large");
    assert.ok(whole.equals(await bytesOf(got?.body)), "the bytes are the same");
  });

  test("an object comes in one piece, unless it is larger than wanted", async () => {
    const blobs = await fresh();
    const whole = Buffer.alloc(700_000, "picture");
    const head = await blobs.put("whole", whole, JPEG);
    assert.deepEqual(await blobs.getWhole("whole", whole.length), { head, bytes: whole });
    assert.deepEqual(await blobs.getWhole("whole", whole.length - 1), { head });
    assert.equal(await blobs.getWhole("nothing", 1), undefined);
    await blobs.put("empty", bytes(""), JPEG);
    assert.equal((await blobs.getWhole("empty", 0))?.bytes?.length, 0);
  });

  test("a stream that breaks leaves what was there", async () => {
    const blobs = await fresh();
    await blobs.put("a", bytes("old"), JPEG);
    async function* broken() {
      yield bytes("ne");
      throw new Error("the sender hung up");
    }
    await assert.rejects(blobs.put("a", broken(), JPEG), /the sender hung up/);
    assert.equal(await textOf((await blobs.get("a"))?.body), "old");
  });

  test("an object is replaced with all that was said of it, and has another etag", async () => {
    const blobs = await fresh();
    const old = await blobs.put("a", bytes("old"), { ...JPEG, metadata: { from: "old" } });
    const now = await blobs.put("a", bytes("new one"), { contentType: "text/plain" });
    assert.notEqual(now.etag, old.etag);
    const { sizeBytes, contentType, metadata } = (await blobs.head("a")) ?? {};
    assert.deepEqual({ sizeBytes, contentType, metadata }, { sizeBytes: 7, contentType: "text/plain", metadata: {} });
  });

  test("a reader gets the old object or the new one, whole", async () => {
    const blobs = await fresh();
    const sizeBytes = 300_000;
    const put = (fill: number) =>
      blobs.put("a", new Uint8Array(sizeBytes).fill(fill), { ...JPEG, metadata: { fill: String(fill) } });
    await put(0);
    let writing = true;
    const writer = (async () => {
      for (let fill = 1; fill <= 20; fill++) await put(fill);
      writing = false;
    })();
    let reads = 0;
    while (writing) {
      const got = await blobs.get("a");
      const body = await bytesOf(got?.body);
      const fill = Number(got?.head.metadata.fill);
      assert.equal(body.length, sizeBytes);
      assert.ok(
        body.every((byte) => byte === fill),
        `all of the object is of ${fill}`,
      );
      reads += 1;
    }
    await writer;
    assert.ok(reads > 0);
  });

  test("objects are deleted, and deleting what is not there is no error", async () => {
    const blobs = await fresh();
    await blobs.put("a", bytes("a"), JPEG);
    await blobs.put("b", bytes("b"), JPEG);
    await blobs.delete(["a", "nothing", "a"]);
    await blobs.delete([]);
    assert.equal(await blobs.head("a"), undefined);
    assert.equal((await blobs.head("b"))?.sizeBytes, 1);
  });

  test("keys may have any character but control characters", async () => {
    const blobs = await fresh();
    const keys = ["마라톤/사진 1.jpg", "a+b&c=d?e#f%20g.jpg", "it's (1) [2] {3} <4> ~!@$^;,`|\".jpg", "🏃.jpg"];
    for (const key of keys) {
      await blobs.put(key, bytes(key), JPEG);
      assert.equal((await blobs.head(key))?.key, key);
      assert.equal(await textOf((await blobs.get(key))?.body), key);
    }
    const listed = await blobs.list({ prefix: "", limit: 10 });
    assert.deepEqual(listed.items.map(({ key }) => key).sort(), [...keys].sort());
    await blobs.delete(keys);
    assert.deepEqual((await blobs.list({ prefix: "", limit: 10 })).items, []);
  });

  for (const key of ["", "/a", "a/", "a//b", "a/../b", "./a", "a\nb", "\ud800", "k".repeat(1025)]) {
    test(`the key ${JSON.stringify(key.slice(0, 10))} is refused everywhere`, async () => {
      const blobs = await fresh();
      const refused = "blob.bad-key";
      await refusedWith(refused, blobs.put(key, bytes("a"), JPEG));
      await refusedWith(refused, blobs.get(key));
      await refusedWith(refused, blobs.head(key));
      await refusedWith(refused, blobs.delete(["fine", key]));
      await refusedWith(refused, blobs.signUpload(grantOf({ key })));
      await refusedWith(refused, blobs.signDownload({ key, expiresInMs: 60_000 }));
    });
  }

  for (const metadata of [
    { Upper: "a" },
    { "with space": "a" },
    { a: "é" },
    { a: " padded" },
    { a: "x".repeat(2048) },
  ]) {
    test(`the metadata ${JSON.stringify(metadata).slice(0, 30)} is refused`, async () => {
      const blobs = await fresh();
      const refused = "blob.bad-metadata";
      await refusedWith(refused, blobs.put("a", bytes("a"), { ...JPEG, metadata }));
      await refusedWith(refused, blobs.signUpload(grantOf({ metadata })));
      assert.equal(await blobs.head("a"), undefined);
    });
  }
}

function testLists(fresh: () => Promise<Blobs>, { listsByBytes }: BlobsAbilities): void {
  const keysOf = (page: { items: { key: string }[] }) => page.items.map(({ key }) => key);

  test("a list has what is under the prefix, with the same facts as the head", async () => {
    const blobs = await fresh();
    for (const key of ["a/1", "a/2", "ab", "b/1"]) await blobs.put(key, bytes(key), JPEG);
    const page = await blobs.list({ prefix: "a/", limit: 10 });
    assert.deepEqual(keysOf(page), ["a/1", "a/2"]);
    assert.equal(page.cursor, undefined);
    const { contentType: _, metadata: __, ...entry } = (await blobs.head("a/1")) ?? assert.fail();
    assert.deepEqual(page.items[0], entry);
    assert.deepEqual(await blobs.list({ prefix: "nothing", limit: 10 }), { items: [] });
  });

  test("keys come in the order of their bytes", { skip: !listsByBytes && "this store has another order" }, async () => {
    const blobs = await fresh();
    const keys = ["B", "a", "a-b", "a/b", "aB", "ab", "é", "｡", "🏃"];
    for (const key of keys.toReversed()) await blobs.put(key, bytes("."), JPEG);
    assert.deepEqual(keysOf(await blobs.list({ prefix: "", limit: 10 })), keys);
  });

  test("pages follow on each other whatever is written meanwhile", async () => {
    const blobs = await fresh();
    const keys = Array.from({ length: 9 }, (_, n) => `p/${n}`);
    for (const key of keys) await blobs.put(key, bytes("."), JPEG);
    const first = await blobs.list({ prefix: "p/", limit: 4 });
    assert.deepEqual(keysOf(first), keys.slice(0, 4));
    await blobs.delete(["p/3", "p/5"]);
    await blobs.put("p/0-new", bytes("."), JPEG);
    await blobs.put("p/7-new", bytes("."), JPEG);
    const second = await blobs.list({ prefix: "p/", limit: 4, cursor: first.cursor ?? assert.fail("no cursor") });
    assert.deepEqual(keysOf(second), ["p/4", "p/6", "p/7", "p/7-new"]);
    const third = await blobs.list({ prefix: "p/", limit: 4, cursor: second.cursor ?? assert.fail("no cursor") });
    assert.deepEqual(keysOf(third), ["p/8"]);
    assert.equal(third.cursor, undefined);
  });

  test("a cursor that no list gave out is refused", async () => {
    const blobs = await fresh();
    for (const cursor of ["x", "", Buffer.from('{"other":"a"}').toString("base64url")]) {
      await refusedWith("cursor.invalid", blobs.list({ prefix: "", limit: 1, cursor }));
    }
  });
}

async function* streamOf(pieces: Uint8Array[]) {
  yield* pieces;
}
