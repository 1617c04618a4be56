/** Uploads in parts to S3: long lists, lost answers and parts that change under way, as no double shows them. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { UPLOAD_MARK } from "../blob-parts.ts";
import type { Answer, Call } from "../contracts/doubles/scripted-aws.ts";
import { NOW, onScriptedAws } from "../contracts/doubles/scripted-engines.ts";
import { refusedWith } from "../contracts/refused.ts";

const NAME = "a".repeat(32);
const UPLOAD = { key: "k", uploadId: `${NAME}.s3-id` };

describe("uploads in parts to S3", () => {
  test("a list longer than a page is asked for until its end", async () => {
    const answer = ({ url }: Call): Answer => {
      const after = Number(queryOf(url).get("part-number-marker") ?? 0);
      return listed(
        Array.from({ length: Math.min(1000, 2300 - after) }, (_, n) => after + n + 1),
        after < 2000,
      );
    };
    await onScriptedAws(answer, async ({ engines, calls }) => {
      const parts = (await engines.blobs("b").listParts(UPLOAD)) ?? assert.fail("the upload is there");
      assert.deepEqual(
        parts.map(({ part }) => part),
        Array.from({ length: 2300 }, (_, n) => n + 1),
      );
      assert.deepEqual(parts[0], { part: 1, sizeBytes: 7, etag: "e1" });
      assert.equal(calls.length, 3);
    });
  });

  test("a completion whose answer was lost is answered from the object", async () => {
    let isCompleted = false;
    const answer = (call: Call): Answer => {
      if (isHead(call)) return object('"tag-1"');
      if (isCompleted) return failed(404, "NoSuchUpload");
      if (isList(call)) return listed([1]);
      isCompleted = true;
      return failed(500, "InternalError");
    };
    await onScriptedAws(answer, async ({ engines }) => {
      const head = await engines.blobs("b").completeParts({ ...UPLOAD, parts: 1 });
      const expected = { key: "k", sizeBytes: 0, etag: "tag-1", createdAt: NOW, contentType: "text/plain" };
      assert.deepEqual(head, { ...expected, metadata: { mine: "kept" } });
    });
  });

  test("an upload that ended without this object is not taken for completed", async () => {
    const others = [
      object('"tag-2"'),
      object('"tag-1"', "b".repeat(32)),
      object('"tag-1"', ""),
      failed(404, "NotFound"),
    ];
    for (const other of others) {
      await onScriptedAws(
        (call) => (isHead(call) ? other : failed(404, "NoSuchUpload")),
        ({ engines }) => refusedWith("blob.no-such-upload", engines.blobs("b").completeParts({ ...UPLOAD, parts: 1 })),
      );
    }
  });

  test("a part that was replaced under way is listed again", async () => {
    const taken: string[] = [];
    const answer = (call: Call): Answer => {
      if (isHead(call)) return object('"tag-1"');
      if (isList(call)) return listed([1], false, taken.length === 0 ? "old" : "new");
      taken.push(/<ETag>.*?(old|new)/.exec(String(call.input.text))?.[1] ?? "");
      return taken.length === 1 ? failed(400, "InvalidPart") : { text: "<CompleteMultipartUploadResult/>" };
    };
    await onScriptedAws(answer, async ({ engines, sleeps }) => {
      await engines.blobs("b").completeParts({ ...UPLOAD, parts: 1 });
      assert.deepEqual(taken, ["old", "new"]);
      assert.equal(sleeps.length, 1);
    });
  });

  test("a missing bucket and an overloaded S3 are told", async () => {
    const asks = (code: string, answer: Answer) =>
      onScriptedAws(
        () => answer,
        async ({ engines }) => {
          const blobs = engines.blobs("b");
          await refusedWith(code, blobs.beginParts({ key: "k", contentType: "text/plain" }));
          await refusedWith(code, blobs.listParts(UPLOAD));
          await refusedWith(code, blobs.completeParts({ ...UPLOAD, parts: 1 }));
          await refusedWith(code, blobs.abandonParts(UPLOAD));
        },
        { maxAttempts: 1 },
      );
    await asks("blob.unknown-bucket", failed(404, "NoSuchBucket"));
    await asks("blob.busy", failed(503, "SlowDown"));
  });
});

function queryOf(url: string): URLSearchParams {
  return new URL(url, "http://s3").searchParams;
}

function isHead({ url }: Call): boolean {
  return !queryOf(url).has("uploadId");
}

function isList({ url }: Call): boolean {
  return queryOf(url).get("x-id") === "ListParts";
}

function listed(parts: number[], isTruncated = false, tag = "e"): Answer {
  const entries = parts.map((n) => `<Part><PartNumber>${n}</PartNumber><Size>7</Size><ETag>"${tag}${n}"</ETag></Part>`);
  // S3 gives the marker with the last page, too.
  const next = `<NextPartNumberMarker>${parts.at(-1) ?? 0}</NextPartNumberMarker>`;
  return {
    text: `<ListPartsResult><IsTruncated>${isTruncated}</IsTruncated>${next}${entries.join("")}</ListPartsResult>`,
  };
}

function object(etag: string, mark = NAME): Answer {
  const headers = {
    etag,
    "content-type": "text/plain",
    "last-modified": new Date(NOW).toUTCString(),
    "x-amz-meta-mine": "kept",
    ...(mark !== "" && { [`x-amz-meta-${UPLOAD_MARK}`]: mark }),
  };
  return { headers, text: "" };
}

function failed(status: number, code: string): Answer {
  return { status, text: `<Error><Code>${code}</Code></Error>` };
}
