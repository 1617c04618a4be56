/** A disk that fills up in the middle of growing takes nothing along. */

import assert from "node:assert/strict";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { type TestContext, test } from "node:test";
import { temporaryFolder } from "../../../../tests/harness/temporary-folder.ts";
import { FaceCollections } from "./face-collections.ts";
import { contentsOf, embeddingOf } from "./face-index.samples.ts";

const DIMENSIONS = 512;
const facesOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, number) => ({
    faceId: `${name}-${number}`,
    externalImageId: "photo",
    embedding: embeddingOf(`${name}-${number}`, DIMENSIONS),
  }));

/** Takes so many bytes, the last write only in part, and then no more. */
function fillDiskAfter(t: TestContext, sizeBytes: number): () => void {
  const { writeSync } = fs;
  let leftBytes = sizeBytes;
  const limited = t.mock.method(
    fs,
    "writeSync",
    (handle: number, bytes: Uint8Array, from: number, count: number, position: number) => {
      if (leftBytes === 0) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
      const taken = writeSync(handle, bytes, from, Math.min(count, leftBytes), position);
      leftBytes -= taken;
      return taken;
    },
  );
  syncBuiltinESMExports();
  return () => {
    limited.mock.restore();
    syncBuiltinESMExports();
  };
}

test("a full disk refuses the new faces, keeps the others, and takes the new ones when there is room", async (t) => {
  const folder = await temporaryFolder(t);
  const settings = { folder, model: { name: "test", dimensions: DIMENSIONS }, memoryLimitBytes: 10_000_000 };
  const collections = new FaceCollections(settings);
  const all = (from: FaceCollections) =>
    from.search("event", embeddingOf("any", DIMENSIONS), { minCosine: -1, limit: 1_000 }).length;
  collections.add("event", facesOf("early", 100));
  const before = await contentsOf(folder);
  const free = fillDiskAfter(t, 400_000);
  assert.throws(() => collections.add("event", facesOf("late", 300)), { code: "ENOSPC" });
  assert.equal(all(collections), 100);
  free();
  assert.ok(before.equals(await contentsOf(folder)));
  collections.add("event", facesOf("late", 300));
  assert.equal(all(collections), 400);
  assert.equal(all(new FaceCollections(settings)), 400);
});
