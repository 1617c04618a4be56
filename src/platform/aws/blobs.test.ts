/** The blobs port on S3, whether S3 would take the signatures, and what the engine makes of S3's errors. */

import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { describe, test } from "node:test";
import { testBlobs } from "../contracts/blobs.contract.ts";
import { localSettings, openAwsSubject } from "../contracts/doubles/aws-subject.ts";
import type { Call } from "../contracts/doubles/scripted-aws.ts";
import { NOW, onScriptedAws } from "../contracts/doubles/scripted-engines.ts";
import { refusedWith } from "../contracts/refused.ts";
import { openAwsEngines } from "./engines.ts";

testBlobs("aws", openAwsSubject, { checksSignatures: false, listsByBytes: false });

/** Signs a request as AWS documents it, apart from the SDK, and compares: what S3 would do. */
function s3WouldTake(method: string, url: URL, headers: { [name: string]: string }): boolean {
  const query = new URLSearchParams(url.search);
  const signature = query.get("X-Amz-Signature");
  query.delete("X-Amz-Signature");
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const canonicalQuery = [...query]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join("&");
  const sent: { [name: string]: string } = { ...headers, host: url.host };
  const signedHeaders = query.get("X-Amz-SignedHeaders") ?? "";
  const names = signedHeaders.split(";");
  const unsigned = Object.keys(sent).some((name) => name.startsWith("x-amz-") && !names.includes(name));
  const canonicalHeaders = names.map((name) => `${name}:${sent[name] ?? ""}\n`).join("");
  const request = [method, url.pathname, canonicalQuery, canonicalHeaders, signedHeaders, "UNSIGNED-PAYLOAD"].join(
    "\n",
  );
  const [, ...scope] = (query.get("X-Amz-Credential") ?? "").split("/");
  const hash = createHash("sha256").update(request).digest("hex");
  const toSign = ["AWS4-HMAC-SHA256", query.get("X-Amz-Date"), scope.join("/"), hash].join("\n");
  const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
  const key = scope.reduce<string | Buffer>(hmac, "AWS4test");
  return !unsigned && hmac(key, toSign).toString("hex") === signature;
}

describe("signing for S3", () => {
  const engines = openAwsEngines({ ...localSettings({ s3: "http://127.0.0.1:9" }), clock: stillClock() });
  const blobs = engines.blobs("bucket");
  const key = "org/evt/raw/사진 (1)+'*.jpg";

  test("an upload is taken with just the headers signed, and with no others", async () => {
    const grant = { key, sizeBytes: 5, contentType: "image/jpeg", metadata: { "photographer-id": "ph-1" } };
    const { url, headers } = await blobs.signUpload({ ...grant, expiresInMs: 1500 });
    const at = new URL(url);
    assert.equal(at.searchParams.get("X-Amz-Expires"), "2");
    assert.equal(at.searchParams.get("X-Amz-Date"), "20270115T080000Z");
    const sent = { ...headers, "content-length": "5" };
    assert.equal(s3WouldTake("PUT", at, sent), true);
    const others = {
      "content-length": "6",
      "content-type": "text/html",
      "x-amz-meta-photographer-id": "ph-2",
      "x-amz-meta-more": "x",
      "x-amz-acl": "public-read",
    };
    for (const [name, value] of Object.entries(others)) {
      assert.equal(s3WouldTake("PUT", at, { ...sent, [name]: value }), false, name);
    }
    assert.equal(s3WouldTake("GET", at, sent), false);
    const elsewhere = new URL(url.replace("raw", "cooked"));
    assert.equal(s3WouldTake("PUT", elsewhere, sent), false);
  });

  test("a part is taken as the part of the size it was signed for", async () => {
    const uploadId = `${"0".repeat(32)}.s3+/=id`;
    const { url, headers } = await blobs.signPart({ key, uploadId, part: 3, sizeBytes: 5, expiresInMs: 60_000 });
    const at = new URL(url);
    assert.equal(at.searchParams.get("uploadId"), "s3+/=id");
    const sent = { ...headers, "content-length": "5" };
    assert.equal(s3WouldTake("PUT", at, sent), true);
    // A browser names the type of a file it sends; S3 does not mind where none is signed.
    assert.equal(s3WouldTake("PUT", at, { ...sent, "content-type": "image/jpeg" }), true);
    assert.equal(s3WouldTake("PUT", at, { ...sent, "content-length": "6" }), false);
    at.searchParams.set("partNumber", "4");
    assert.equal(s3WouldTake("PUT", at, sent), false);
  });

  test("a download is taken, with its file name signed", async () => {
    const at = new URL(await blobs.signDownload({ key, expiresInMs: 60_000, fileName: "사진.jpg" }));
    assert.equal(s3WouldTake("GET", at, {}), true);
    at.searchParams.set("response-content-disposition", "attachment; filename=other.exe");
    assert.equal(s3WouldTake("GET", at, {}), false);
  });

  test("longer than seven days is more than S3 allows", async () => {
    const expiresInMs = 7 * 24 * 60 * 60 * 1000 + 1;
    await refusedWith("blob.bad-expiry", blobs.signDownload({ key, expiresInMs }));
  });
});

describe("asking S3", () => {
  const keysIn = ({ input }: Call) => [...String(input.text).matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key]) => key);
  const deleteResult = (errors: string) => ({ text: `<DeleteResult>${errors}</DeleteResult>` });
  const errorFor = (key: string | undefined, code: string) =>
    `<Error><Key>${key}</Key><Code>${code}</Code><Message>no</Message></Error>`;

  test("keys are deleted a thousand at a time, and what S3 could not delete is tried again", async () => {
    await onScriptedAws(
      (call, number) => deleteResult(number === 1 ? errorFor(keysIn(call)[3], "InternalError") : ""),
      async ({ engines, calls, sleeps }) => {
        await engines.blobs("b").delete(Array.from({ length: 1500 }, (_, n) => `k${n}`));
        assert.deepEqual(
          calls.map((call) => keysIn(call).length),
          [1000, 1, 500],
        );
        assert.deepEqual(calls[1] && keysIn(calls[1]), ["k3"]);
        assert.equal(sleeps.length, 1);
      },
    );
  });

  test("what is not deleted is told", async () => {
    await onScriptedAws(
      (call) => deleteResult(errorFor(keysIn(call)[0], "SlowDown")),
      ({ engines }) => refusedWith("blob.not-deleted", engines.blobs("b").delete(["a"])),
    );
    await onScriptedAws(
      (call) => deleteResult(errorFor(keysIn(call)[0], "AccessDenied")),
      async ({ engines, calls }) => {
        await assert.rejects(engines.blobs("b").delete(["a"]), /AccessDenied/);
        assert.equal(calls.length, 1);
      },
    );
  });

  test("a put that was overtaken answers for its own object", async () => {
    const etags = ["mine", "theirs"];
    await onScriptedAws(
      (_, number) => ({ headers: { etag: `"${etags[number - 1]}"` }, text: "" }),
      async ({ engines }) => {
        const metadata = { a: "b" };
        const head = await engines.blobs("b").put("k", Buffer.from("four"), { contentType: "text/plain", metadata });
        const expected = { key: "k", sizeBytes: 4, etag: "mine", createdAt: NOW, contentType: "text/plain", metadata };
        assert.deepEqual(head, expected);
      },
    );
  });

  test("a missing object is no error, a missing bucket and an overloaded S3 are", async () => {
    const answering = (status: number, code: string) => () => ({ status, text: `<Error><Code>${code}</Code></Error>` });
    await onScriptedAws(answering(404, "NoSuchKey"), async ({ engines }) => {
      assert.equal(await engines.blobs("b").get("a"), undefined);
    });
    await onScriptedAws(answering(404, "NoSuchBucket"), async ({ engines }) => {
      await refusedWith("blob.unknown-bucket", engines.blobs("b").get("a"));
      await refusedWith("blob.unknown-bucket", engines.checkReady());
    });
    const busy = answering(503, "SlowDown");
    await onScriptedAws(busy, ({ engines }) => refusedWith("blob.busy", engines.blobs("b").get("a")), {
      maxAttempts: 1,
    });
  });

  test("a list longer than S3 gives at once is asked for until it is full", async () => {
    const entry = (n: number) =>
      `<Contents><Key>k${String(n).padStart(5, "0")}</Key><Size>1</Size><ETag>&quot;e&quot;</ETag></Contents>`;
    const answer = ({ url }: Call) => {
      const query = new URL(url, "http://s3").searchParams;
      const start = Number(query.get("start-after")?.slice(1) ?? -1) + 1;
      const contents = Array.from({ length: Number(query.get("max-keys")) }, (_, n) => entry(start + n)).join("");
      return { text: `<ListBucketResult><IsTruncated>true</IsTruncated>${contents}</ListBucketResult>` };
    };
    await onScriptedAws(answer, async ({ engines, calls }) => {
      const { items } = await engines.blobs("b").list({ prefix: "k", limit: 2300 });
      assert.equal(items.length, 2300);
      assert.deepEqual([items[0]?.etag, items.at(-1)?.key], ["e", "k02299"]);
      assert.equal(calls.length, 3);
    });
  });
});

function stillClock() {
  return { now: () => NOW, sleep: async () => {} };
}
