/** The WebAssembly is what its text says, and the search finds what a plain loop finds. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import fc from "fast-check";
import { temporaryFolder } from "../../../../tests/harness/temporary-folder.ts";
import { cosineOf, embeddingOf } from "./face-index.samples.ts";
import { FACES_PER_BLOCK, searchBlocks, VectorMemory } from "./face-search.ts";

const DIMENSIONS = 512;
const BUILD = new URL("../../../../scripts/build-wasm.ts", import.meta.url).pathname;

test("the committed WebAssembly is the one built from the text", async (t) => {
  const target = path.join(await temporaryFolder(t), "built.wasm");
  await promisify(execFile)(process.execPath, [BUILD, target]);
  const committed = await readFile(new URL("./face-search.wasm", import.meta.url));
  assert.ok(committed.equals(await readFile(target)), "run `node scripts/build-wasm.ts`");
});

/** Slots from 0 to `count`, each with the embedding of its number. */
function filledMemory(count: number) {
  const memory = new VectorMemory(DIMENSIONS);
  const blocks = Array.from({ length: Math.ceil(count / FACES_PER_BLOCK) }, () => memory.takeBlock());
  const embeddings = Array.from({ length: count }, (_, slot) => embeddingOf(`${slot}`, DIMENSIONS));
  for (const [slot, embedding] of embeddings.entries()) {
    const block = blocks[Math.floor(slot / FACES_PER_BLOCK)] as number;
    memory.vectorAt(block, slot % FACES_PER_BLOCK).set(embedding);
  }
  return { memory, blocks, embeddings };
}

test("the products of 512 dimensions are those of a plain loop", () => {
  const { memory, blocks, embeddings } = filledMemory(300);
  const faceIds = embeddings.map((_, slot) => (slot % 7 === 0 ? undefined : `face-${slot}`));
  fc.assert(
    fc.property(fc.string(), (text) => {
      const query = embeddingOf(text, DIMENSIONS);
      const found = searchBlocks(memory, blocks, faceIds, query, { minCosine: -1, limit: 1_000 });
      assert.deepEqual(
        found.map(({ slot }) => slot).sort((a, b) => a - b),
        [...embeddings.keys()].filter((slot) => slot % 7 !== 0),
      );
      for (const { slot, cosine } of found) {
        const expected = cosineOf(embeddings[slot] as Float32Array, query);
        assert.ok(Math.abs(cosine - expected) < 1e-6, `${slot}: ${cosine} instead of ${expected}`);
      }
    }),
    { numRuns: 50 },
  );
});

test("a low threshold and a small limit give the best of all, in order", () => {
  const { memory, blocks, embeddings } = filledMemory(2_000);
  const faceIds = embeddings.map((_, slot) => `face-${slot}`);
  const query = embeddingOf("query", DIMENSIONS);
  const all = searchBlocks(memory, blocks, faceIds, query, { minCosine: -1, limit: 2_000 });
  for (const limit of [0, 1, 3, 50, 1_999]) {
    const best = searchBlocks(memory, blocks, faceIds, query, { minCosine: -1, limit });
    assert.deepEqual(best, all.slice(0, limit));
  }
  const cosines = all.map(({ cosine }) => cosine);
  assert.deepEqual(
    cosines,
    cosines.toSorted((a, b) => b - a),
  );
});

test("a block that was given back comes empty, and others keep their content while the memory grows", () => {
  const memory = new VectorMemory(DIMENSIONS);
  const kept = memory.takeBlock();
  memory.vectorAt(kept, 127).fill(1);
  const dropped = memory.takeBlock();
  memory.bytesOf(dropped).fill(255);
  memory.giveBack(dropped);
  assert.equal(memory.takeBlock(), dropped);
  assert.ok(memory.bytesOf(dropped).every((byte) => byte === 0));
  const later = Array.from({ length: 100 }, () => memory.takeBlock());
  for (const block of later) memory.bytesOf(block).fill(255);
  assert.ok(memory.vectorAt(kept, 127).every((value) => value === 1));
  assert.ok(memory.vectorAt(kept, 126).every((value) => value === 0));
});

test("a length the loop can't step through is refused", () => {
  assert.throws(() => new VectorMemory(500), RangeError);
});
