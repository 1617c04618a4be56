/** The part of the blobs suite that is about objects that come in parts. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Blobs, PartsUpload } from "../ports.ts";
import { Problem } from "../problem.ts";
import { bytes, bytesOf, JPEG, textOf } from "./blob-samples.ts";
import { type BlobsAbilities, pointElsewhere } from "./blob-urls.contract.ts";
import { refusedWith } from "./refused.ts";

const ENOUGH_BYTES = 5 * 1024 * 1024;
const ZIP = "application/zip";

type Fresh = () => Promise<Blobs>;

export function testParts(fresh: Fresh, abilities: BlobsAbilities): void {
  testSending(fresh, abilities);
  testCompleting(fresh);
  testAbandoning(fresh);
}

function testSending(fresh: Fresh, { checksSignatures }: BlobsAbilities): void {
  test("parts are listed once they are sent, in their order, and sent again they are replaced", async () => {
    const blobs = await fresh();
    const upload = await begin(blobs, "org/evt/raw/사진 모음.zip");
    assert.deepEqual(await blobs.listParts(upload), []);
    for (const [part, text] of [
      [10, "ten"],
      [2, "two"],
      [10, "again"],
    ] as const) {
      assert.equal(await send(blobs, upload, part, bytes(text)), 200);
    }
    const sent = (await blobs.listParts(upload)) ?? assert.fail("the upload is there");
    assert.deepEqual(
      sent.map(({ part, sizeBytes }) => [part, sizeBytes]),
      [
        [2, 3],
        [10, 5],
      ],
    );
    for (const { etag } of sent) assert.match(etag, /^[^"]+$/);
    assert.equal(await blobs.head(upload.key), undefined);
    assert.deepEqual((await blobs.list({ prefix: "", limit: 1 })).items, []);
  });

  test("what can be no part is refused", async () => {
    const blobs = await fresh();
    const upload = await begin(blobs);
    const good = { ...upload, part: 1, sizeBytes: 1, expiresInMs: 60_000 };
    for (const part of [0, -1, 1.5, 10_001]) await refusedWith("blob.bad-part", blobs.signPart({ ...good, part }));
    for (const sizeBytes of [0, -1, 1.5, 100 * 1024 * 1024 + 1]) {
      await refusedWith("blob.bad-part", blobs.signPart({ ...good, sizeBytes }));
    }
    for (const parts of [0, 1.5, 10_001]) await refusedWith("blob.bad-part", blobs.completeParts({ ...upload, parts }));
    await blobs.signPart({ ...good, part: 10_000, sizeBytes: 100 * 1024 * 1024 });
  });

  test("what can be no object is refused", async () => {
    const blobs = await fresh();
    const { uploadId } = await begin(blobs);
    const key = "a/../b";
    await refusedWith("blob.bad-key", blobs.beginParts({ key, contentType: ZIP }));
    await refusedWith("blob.bad-key", blobs.signPart({ key, uploadId, part: 1, sizeBytes: 1, expiresInMs: 1000 }));
    await refusedWith("blob.bad-key", blobs.listParts({ key, uploadId }));
    await refusedWith("blob.bad-key", blobs.completeParts({ key, uploadId, parts: 1 }));
    await refusedWith("blob.bad-key", blobs.abandonParts({ key, uploadId }));
    const metadata = { a: "x".repeat(2030) };
    await refusedWith("blob.bad-metadata", blobs.beginParts({ key: "a", contentType: ZIP, metadata }));
  });

  if (!checksSignatures) {
    test("a part's URL signs its size", async () => {
      const blobs = await fresh();
      const { url } = await blobs.signPart({ ...(await begin(blobs)), part: 7, sizeBytes: 5, expiresInMs: 60_000 });
      const query = new URL(url).searchParams;
      assert.equal(query.get("X-Amz-SignedHeaders"), "content-length;host");
      assert.equal(query.get("partNumber"), "7");
      assert.deepEqual(
        [...query.keys()].filter((key) => /checksum/i.test(key)),
        [],
      );
    });
    return;
  }

  const changes: [what: string, change: (url: URL, other: string) => void, text?: string][] = [
    ["more bytes", () => {}, "sixsix"],
    ["fewer bytes", () => {}, "four"],
    ["another number", (url) => url.searchParams.set("part", "2")],
    ["another upload", (url, other) => url.searchParams.set("uploadId", other)],
    ["no upload at all", (url) => url.searchParams.delete("uploadId")],
    ["another key", pointElsewhere],
  ];
  for (const [what, change, text = "bytes"] of changes) {
    test(`a part's URL with ${what} is refused`, async () => {
      const blobs = await fresh();
      const [mine, other] = [await begin(blobs, "mine"), await begin(blobs, "mine")];
      const signed = await blobs.signPart({ ...mine, part: 1, sizeBytes: 5, expiresInMs: 60_000 });
      const url = new URL(signed.url);
      change(url, other.uploadId);
      assert.equal((await fetch(url, { method: "PUT", body: bytes(text) })).status, 403);
      assert.deepEqual([await blobs.listParts(mine), await blobs.listParts(other)], [[], []]);
      assert.equal(await blobs.head("mine"), undefined);
    });
  }
}

function testCompleting(fresh: Fresh): void {
  test("a completed object is its parts in their order, with all that was said of it", async () => {
    const blobs = await fresh();
    const metadata = { "photographer-id": "ph-1" };
    const key = "org/evt/raw/사진 1.zip";
    const upload = { key, uploadId: await blobs.beginParts({ key, contentType: ZIP, metadata }) };
    const parts = [filled(ENOUGH_BYTES, 1), filled(ENOUGH_BYTES + 3, 2), filled(7, 3)];
    for (const part of [3, 1, 2]) await send(blobs, upload, part, parts[part - 1] ?? assert.fail());
    await send(blobs, upload, 4, bytes("dropped"));
    const head = await blobs.completeParts({ ...upload, parts: 3 });
    const { etag, createdAt, ...rest } = head;
    assert.deepEqual(rest, { key, sizeBytes: 2 * ENOUGH_BYTES + 10, contentType: ZIP, metadata });
    const got = await blobs.get(key);
    assert.deepEqual(got?.head, head);
    assert.ok(Buffer.concat(parts).equals(await bytesOf(got?.body)), "the bytes are the same");
    assert.deepEqual((await blobs.list({ prefix: "", limit: 2 })).items, [
      { key, sizeBytes: rest.sizeBytes, etag, createdAt },
    ]);
    assert.equal(await blobs.listParts(upload), undefined);
    assert.equal(await send(blobs, upload, 1, bytes("late")), 404);
  });

  test("completed again it answers the same, as long as the object is the one", async () => {
    const blobs = await fresh();
    const upload = await begin(blobs);
    await send(blobs, upload, 1, bytes("only"));
    const head = await blobs.completeParts({ ...upload, parts: 1 });
    assert.deepEqual(await blobs.completeParts({ ...upload, parts: 1 }), head);
    const gone = "blob.no-such-upload";
    await refusedWith(gone, blobs.completeParts({ ...upload, parts: 2 }));
    const other = await begin(blobs);
    await blobs.abandonParts(other);
    await refusedWith(gone, blobs.completeParts({ ...other, parts: 1 }));
    await blobs.put(upload.key, bytes("only"), { contentType: ZIP });
    await refusedWith(gone, blobs.completeParts({ ...upload, parts: 1 }));
    await blobs.delete([upload.key]);
    await refusedWith(gone, blobs.completeParts({ ...upload, parts: 1 }));
  });

  test("completed twice at once there is one object, and both answer it", async () => {
    const blobs = await fresh();
    const upload = await begin(blobs);
    await send(blobs, upload, 1, filled(ENOUGH_BYTES, 1));
    await send(blobs, upload, 2, bytes("end"));
    const complete = () => blobs.completeParts({ ...upload, parts: 2 });
    const [one, another] = await Promise.all([complete(), complete()]);
    assert.deepEqual(one, another);
    assert.deepEqual(await blobs.head(upload.key), one);
  });

  test("an object takes the place of another, whole", async () => {
    const blobs = await fresh();
    await blobs.put("a", bytes("old"), JPEG);
    const upload = await begin(blobs, "a");
    await send(blobs, upload, 1, bytes("new"));
    assert.equal(await textOf((await blobs.get("a"))?.body), "old");
    await blobs.completeParts({ ...upload, parts: 1 });
    assert.equal(await textOf((await blobs.get("a"))?.body), "new");
  });

  test("missing parts are named, and once they are sent the upload goes on", async () => {
    const blobs = await fresh();
    const upload = await begin(blobs);
    await send(blobs, upload, 2, filled(ENOUGH_BYTES, 2));
    const complete = () => blobs.completeParts({ ...upload, parts: 4 });
    await assert.rejects(complete, (error) => {
      assert.ok(error instanceof Problem);
      assert.deepEqual(
        [error.kind, error.code, error.details],
        ["conflict", "blob.parts-missing", { missing: [1, 3, 4] }],
      );
      assert.match(error.message, /1, 3, 4/);
      return true;
    });
    for (const part of [1, 3]) await send(blobs, upload, part, filled(ENOUGH_BYTES, part));
    await send(blobs, upload, 4, bytes("end"));
    assert.equal((await complete()).sizeBytes, 3 * ENOUGH_BYTES + 3);
  });

  test("a part but the last that is too small is refused until it is sent again", async () => {
    const blobs = await fresh();
    const upload = await begin(blobs);
    await send(blobs, upload, 1, filled(ENOUGH_BYTES - 1, 1));
    await send(blobs, upload, 2, bytes("end"));
    await refusedWith("blob.bad-part", blobs.completeParts({ ...upload, parts: 2 }));
    assert.equal((await blobs.listParts(upload))?.length, 2);
    await send(blobs, upload, 1, filled(ENOUGH_BYTES, 1));
    assert.equal((await blobs.completeParts({ ...upload, parts: 2 })).sizeBytes, ENOUGH_BYTES + 3);
  });
}

function testAbandoning(fresh: Fresh): void {
  test("an abandoned upload is gone, and abandoning it again is no error", async () => {
    const blobs = await fresh();
    const upload = await begin(blobs);
    await send(blobs, upload, 1, bytes("only"));
    const { url } = await blobs.signPart({ ...upload, part: 2, sizeBytes: 4, expiresInMs: 60_000 });
    await blobs.abandonParts({ ...upload, key: "another" });
    assert.equal((await blobs.listParts(upload))?.length, 1);
    await blobs.abandonParts(upload);
    await blobs.abandonParts(upload);
    assert.equal(await blobs.listParts(upload), undefined);
    assert.equal((await fetch(url, { method: "PUT", body: bytes("late") })).status, 404);
    await refusedWith("blob.no-such-upload", blobs.completeParts({ ...upload, parts: 1 }));
    assert.equal(await blobs.head(upload.key), undefined);
  });

  test("an upload that was never begun, or is of another key, is not there", async () => {
    const blobs = await fresh();
    const { uploadId } = await begin(blobs, "mine");
    for (const upload of [
      { key: "other", uploadId },
      { key: "mine", uploadId: "" },
      { key: "mine", uploadId: "x" },
    ]) {
      assert.equal(await blobs.listParts(upload), undefined);
      await refusedWith("blob.no-such-upload", blobs.completeParts({ ...upload, parts: 1 }));
      await blobs.abandonParts(upload);
    }
    assert.deepEqual(await blobs.listParts({ key: "mine", uploadId }), []);
  });

  test("abandoning what was completed leaves the object", async () => {
    const blobs = await fresh();
    const upload = await begin(blobs);
    await send(blobs, upload, 1, bytes("only"));
    const head = await blobs.completeParts({ ...upload, parts: 1 });
    await blobs.abandonParts(upload);
    assert.deepEqual(await blobs.head(upload.key), head);
  });
}

async function begin(blobs: Blobs, key = "large"): Promise<PartsUpload> {
  return { key, uploadId: await blobs.beginParts({ key, contentType: ZIP }) };
}

/** Answers the status. */
async function send(blobs: Blobs, upload: PartsUpload, part: number, body: Uint8Array<ArrayBuffer>): Promise<number> {
  const grant = { ...upload, part, sizeBytes: body.length, expiresInMs: 60_000 };
  const { method, url, headers } = await blobs.signPart(grant);
  const response = await fetch(url, { method, headers, body });
  await response.text();
  return response.status;
}

function filled(sizeBytes: number, fill: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(sizeBytes).fill(fill);
}
