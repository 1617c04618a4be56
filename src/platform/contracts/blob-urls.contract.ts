/** The part of the blobs suite that is about signed URLs: what their holder can do, and what they can't. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Blobs, SignedUpload } from "../ports.ts";
import { bytes, grantOf, JPEG, textOf } from "./blob-samples.ts";

export type BlobsAbilities = {
  /** False for a store that takes any signature: then the URL is looked at instead, in S3's form. */
  checksSignatures: boolean;
  /** False for a store that lists keys in a locale's order. */
  listsByBytes: boolean;
};

export function testUploads(fresh: () => Promise<Blobs>, { checksSignatures }: BlobsAbilities): void {
  test("the holder of a signed upload stores the object, as often as they like", async () => {
    const blobs = await fresh();
    const grant = grantOf({ key: "org/evt/raw/사진 1.jpg", sizeBytes: 5, metadata: { "photographer-id": "ph-1" } });
    const signed = await blobs.signUpload(grant);
    assert.equal(signed.method, "PUT");
    for (const text of ["first", "again"]) {
      const response = await upload(signed, text);
      assert.equal(response.status, 200, await response.text());
      const got = await blobs.get(grant.key);
      assert.equal(await textOf(got?.body), text);
      assert.equal(got?.head.contentType, "image/jpeg");
      assert.deepEqual(got?.head.metadata, { "photographer-id": "ph-1" });
    }
  });

  if (!checksSignatures) {
    test("the URL signs the size, the type and the metadata", async () => {
      const blobs = await fresh();
      const { url } = await blobs.signUpload(grantOf({ metadata: { "photographer-id": "ph-1", note: "n" } }));
      const query = new URL(url).searchParams;
      assert.deepEqual(query.get("X-Amz-SignedHeaders")?.split(";"), [
        "content-length",
        "content-type",
        "host",
        "x-amz-meta-note",
        "x-amz-meta-photographer-id",
      ]);
      assert.equal(query.get("X-Amz-Expires"), "60");
      // What is in the query need not be sent as a header, and a checksum there would be that of no body.
      assert.deepEqual(
        [...query.keys()].filter((key) => /meta|checksum/i.test(key)),
        [],
      );
    });
    return;
  }

  const refusals: [what: string, change: (signed: SignedRequest) => void, text?: string][] = [
    ["more bytes", () => {}, "sixsix"],
    ["fewer bytes", () => {}, "four"],
    ["another type", ({ headers }) => headers.set("content-type", "text/html")],
    ["other metadata", ({ headers }) => headers.set("x-amz-meta-photographer-id", "ph-2")],
    ["no metadata", ({ headers }) => headers.delete("x-amz-meta-photographer-id")],
    ["more metadata", ({ headers }) => headers.set("x-amz-meta-more", "x")],
    ["another key", ({ url }) => pointElsewhere(url)],
    ["a longer time", ({ url }) => alterEach(url, /expires/i)],
    ["a tampered signature", ({ url }) => alterEach(url, /signature/i)],
  ];
  for (const [what, change, text = "bytes"] of refusals) {
    test(`an upload with ${what} is refused`, async () => {
      const blobs = await fresh();
      const signed = await blobs.signUpload(grantOf({ key: "mine", metadata: { "photographer-id": "ph-1" } }));
      const request = { method: signed.method, url: new URL(signed.url), headers: new Headers(signed.headers) };
      change(request);
      const response = await upload({ ...request, url: request.url.href }, text);
      assert.ok(response.status >= 400 && response.status < 500, `answered ${response.status}`);
      assert.deepEqual((await blobs.list({ prefix: "", limit: 1 })).items, []);
    });
  }

  test("an upload after its time is refused", async () => {
    const blobs = await fresh();
    const signed = await blobs.signUpload(grantOf({ expiresInMs: 1000 }));
    await delay(2100);
    assert.equal((await upload(signed, "bytes")).status, 403);
    assert.equal(await blobs.head("a"), undefined);
  });

  test("an upload's URL is good for nothing else", async () => {
    const blobs = await fresh();
    await blobs.put("a", bytes("secret"), JPEG);
    const { url } = await blobs.signUpload(grantOf({}));
    assert.ok((await fetch(url)).status >= 400);
    assert.ok((await fetch(url, { method: "DELETE" })).status >= 400);
    assert.ok(await blobs.head("a"));
  });
}

export function testDownloads(fresh: () => Promise<Blobs>, { checksSignatures }: BlobsAbilities): void {
  test("the holder of a signed download gets the object with its type", async () => {
    const blobs = await fresh();
    await blobs.put("processed/사진 1.jpg", bytes("picture"), JPEG);
    const response = await fetch(await blobs.signDownload({ key: "processed/사진 1.jpg", expiresInMs: 60_000 }));
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "image/jpeg");
    assert.equal(response.headers.get("content-disposition"), null);
    assert.equal(await response.text(), "picture");
  });

  test("with a file name it is to be saved under that name", async () => {
    const blobs = await fresh();
    await blobs.put("a", bytes("picture"), JPEG);
    const url = await blobs.signDownload({ key: "a", expiresInMs: 60_000, fileName: "마라톤.jpg" });
    const expected = "attachment; filename=\"___.jpg\"; filename*=UTF-8''%EB%A7%88%EB%9D%BC%ED%86%A4.jpg";
    const response = await fetch(url);
    assert.equal(await response.text(), "picture");
    if (checksSignatures) assert.equal(response.headers.get("content-disposition"), expected);
    else assert.equal(new URL(url).searchParams.get("response-content-disposition"), expected);
  });

  test("signed as of the same time it is the same URL, and else another", async () => {
    const blobs = await fresh();
    await blobs.put("a", bytes("picture"), JPEG);
    const asOf = Math.floor(Date.now() / 60_000) * 60_000 - 60_000;
    const grant = { key: "a", expiresInMs: 3_600_000, asOf };
    const url = await blobs.signDownload(grant);
    await delay(1100);
    assert.equal(await blobs.signDownload(grant), url);
    assert.equal(await (await fetch(url)).text(), "picture");
    assert.notEqual(await blobs.signDownload({ ...grant, asOf: asOf + 60_000 }), url);
  });

  test("a download of what is not there is not found", async () => {
    const blobs = await fresh();
    const response = await fetch(await blobs.signDownload({ key: "nothing", expiresInMs: 60_000 }));
    assert.equal(response.status, 404);
  });

  if (!checksSignatures) return;

  test("another key, a longer time or a tampered signature is refused", async () => {
    const blobs = await fresh();
    await blobs.put("mine", bytes("mine"), JPEG);
    await blobs.put("other", bytes("other"), JPEG);
    const signed = await blobs.signDownload({ key: "mine", expiresInMs: 60_000, fileName: "a.jpg" });
    const changes: ((url: URL) => void)[] = [
      pointElsewhere,
      (url) => alterEach(url, /expires/i),
      (url) => alterEach(url, /signature/i),
      (url) => alterEach(url, /disposition|name/i),
    ];
    for (const change of changes) {
      const url = new URL(signed);
      change(url);
      assert.notEqual(url.href, signed);
      assert.equal((await fetch(url)).status, 403);
    }
  });

  test("a download after its time is refused", async () => {
    const blobs = await fresh();
    await blobs.put("a", bytes("a"), JPEG);
    const url = await blobs.signDownload({ key: "a", expiresInMs: 1000 });
    await delay(2100);
    assert.equal((await fetch(url)).status, 403);
    const past = await blobs.signDownload({ key: "a", expiresInMs: 60_000, asOf: Date.now() - 120_000 });
    assert.equal((await fetch(past)).status, 403);
  });
}

type SignedRequest = { method: "PUT"; url: URL; headers: Headers };

function upload(
  { method, url, headers }: { method: string; url: string; headers: Headers | SignedUpload["headers"] },
  text: string,
) {
  return fetch(url, { method, headers, body: bytes(text) });
}

export function pointElsewhere(url: URL): void {
  url.pathname = url.pathname.replace("mine", "other");
}

/** Changes the first character of every such parameter. */
function alterEach(url: URL, name: RegExp): void {
  const matching = [...url.searchParams].filter(([key]) => name.test(key));
  for (const [key, value] of matching) {
    url.searchParams.set(key, (value.startsWith("9") ? "8" : "9") + value.slice(1));
  }
}
