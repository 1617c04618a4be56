/** A collection's file after a crash is brought in order; one that is damaged or of another model is refused. */

import assert from "node:assert/strict";
import { readdir, readFile, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, type TestContext, test } from "node:test";
import { crc32 } from "node:zlib";
import { temporaryFolder } from "../../../../tests/harness/temporary-folder.ts";
import { refusedWith } from "../../contracts/refused.ts";
import { Problem } from "../../problem.ts";
import { fileNameOf } from "./face-collection-file.ts";
import { encodeHead, HEAD_BYTES, HEADER_BYTES, layoutOf } from "./face-collection-format.ts";
import { bytesOf, contentsOf, embeddingOf } from "./face-index.samples.ts";
import { openFaceIndex } from "./face-index.ts";

const MODEL = { name: "test-model@1", dimensions: 512 };
const ALL = { minCosine: -1, limit: 10_000 };
const layout = layoutOf(MODEL.dimensions);
const looksOf = (text: string) => embeddingOf(text, MODEL.dimensions);

/** Two faces of two writes, in slots 0 and 1, closed. */
async function makeCollection(t: TestContext) {
  const folder = await temporaryFolder(t);
  const index = await openFaceIndex({ folder, model: MODEL });
  for (const faceId of ["first", "second"]) {
    await index.add("event", [{ faceId, externalImageId: `photo-${faceId}`, embedding: looksOf(faceId) }]);
  }
  await index.close();
  const file = path.join(folder, fileNameOf("event"));
  const alter = async (change: (bytes: Buffer) => void) => {
    const bytes = await readFile(file);
    change(bytes);
    await writeFile(file, bytes);
  };
  return { folder, file, alter };
}

/** Opens, looks, adds one to see that it still can, and looks again after another opening. */
async function facesIn(folder: string): Promise<string[]> {
  const seen: string[][] = [];
  for (const model of [MODEL, MODEL]) {
    const index = await openFaceIndex({ folder, model });
    try {
      seen.push((await index.search("event", looksOf("anybody"), ALL)).map(({ faceId }) => faceId).sort());
      await index.add("event", [{ faceId: "later", externalImageId: "photo-later", embedding: looksOf("later") }]);
    } finally {
      await index.close();
    }
  }
  const [before = [], after] = seen;
  assert.deepEqual(after, [...before, "later"].sort());
  return before;
}

function putHead(bytes: Buffer, slot: number, faceId: string, sequence: number): void {
  const vectorCheck = crc32(bytesOf(looksOf(faceId)));
  encodeHead({ faceId, externalImageId: "photo-torn", sequence, vectorCheck }).copy(bytes, layout.headAt(slot));
}

describe("after a crash", () => {
  test("a face of the last write that is not whole is wiped", async (t) => {
    const { folder, alter } = await makeCollection(t);
    await alter((bytes) => {
      putHead(bytes, 2, "torn", 3);
      bytesOf(looksOf("torn")).copy(bytes, layout.vectorAt(2), 0, 1024);
    });
    assert.deepEqual(await facesIn(folder), ["first", "second"]);
    const contents = await contentsOf(folder);
    assert.ok(!contents.includes("torn"));
    assert.ok(!contents.includes(bytesOf(looksOf("torn")).subarray(0, 512)));
  });

  test("an embedding without a head is wiped, as it is half of a write or half of a deletion", async (t) => {
    const { folder, alter } = await makeCollection(t);
    await alter((bytes) => {
      bytesOf(looksOf("torn")).copy(bytes, layout.vectorAt(2));
      bytes.fill(0, layout.headAt(0), layout.headAt(0) + HEAD_BYTES);
    });
    assert.deepEqual(await facesIn(folder), ["second"]);
    const contents = await contentsOf(folder);
    for (const gone of ["torn", "first"]) assert.ok(!contents.includes(bytesOf(looksOf(gone))), gone);
  });

  test("of a face that was about to be replaced the new one stays, wherever it stands", async (t) => {
    for (const slots of [
      [2, 3],
      [3, 2],
    ]) {
      const { folder, alter } = await makeCollection(t);
      const [older = 0, newer = 0] = slots;
      await alter((bytes) => {
        for (const [slot, sequence] of [
          [older, 3],
          [newer, 4],
        ] as const) {
          const looks = bytesOf(looksOf(`looks ${sequence}`));
          const head = { faceId: "twice", externalImageId: `photo-${sequence}`, sequence, vectorCheck: crc32(looks) };
          encodeHead(head).copy(bytes, layout.headAt(slot));
          looks.copy(bytes, layout.vectorAt(slot));
        }
      });
      assert.deepEqual(await facesIn(folder), ["first", "second", "twice"]);
      const contents = await contentsOf(folder);
      assert.ok(contents.includes("photo-4"));
      assert.ok(!contents.includes("photo-3"));
      assert.ok(!contents.includes(bytesOf(looksOf("looks 3"))));
    }
  });

  test("a file that stopped growing in the middle of a group is cut", async (t) => {
    const { folder, file } = await makeCollection(t);
    await truncate(file, layout.groupAt(1) + 5_000);
    assert.deepEqual(await facesIn(folder), ["first", "second"]);
    assert.equal((await readFile(file)).length, layout.groupAt(1));
  });

  test("a file that was never wholly made is made anew", async (t) => {
    for (const content of [Buffer.alloc(0), Buffer.alloc(100, "S"), Buffer.alloc(HEADER_BYTES)]) {
      const folder = await temporaryFolder(t);
      await writeFile(path.join(folder, fileNameOf("event")), content);
      assert.deepEqual(await facesIn(folder), []);
    }
  });

  test("a collection whose deletion was cut short is gone after the next start", async (t) => {
    const { folder, file } = await makeCollection(t);
    await writeFile(file.replace(/\.faces$/, ".erasing"), await readFile(file));
    const index = await openFaceIndex({ folder, model: MODEL });
    assert.deepEqual(await readdir(folder), [path.basename(file)]);
    await index.close();
  });
});

describe("what can't be used is refused and left as it is, and can be deleted", () => {
  const search = async (folder: string, model = MODEL) => {
    const index = await openFaceIndex({ folder, model });
    const looks = embeddingOf("anybody", model.dimensions);
    try {
      await index.add("other", [{ faceId: "a", externalImageId: "photo", embedding: looks }]);
      assert.equal((await index.search("other", looks, ALL)).length, 1);
      return await index.search("event", looks, ALL);
    } finally {
      await index.deleteCollection("other");
      await index.close();
    }
  };

  const damages: { [name: string]: (bytes: Buffer) => Buffer | undefined } = {
    "the header": (bytes) => void bytes.fill(7, 30, 40),
    everything: (bytes) => void bytes.fill(7),
    "a head": (bytes) => void bytes.fill(7, layout.headAt(0) + 100, layout.headAt(0) + 101),
    "a head that is half gone": (bytes) => void bytes.fill(0, layout.headAt(1), layout.headAt(1) + 64),
    "an embedding of an earlier write": (bytes) => void bytes.fill(7, layout.vectorAt(0) + 9, layout.vectorAt(0) + 10),
    "the end": (bytes) => bytes.subarray(0, layout.vectorAt(1)),
  };
  for (const [name, damage] of Object.entries(damages)) {
    test(`damage of ${name}`, async (t) => {
      const { folder, file } = await makeCollection(t);
      const bytes = await readFile(file);
      const damaged = damage(bytes) ?? bytes;
      await writeFile(file, damaged);
      await refusedWith("faces.damaged", search(folder));
      assert.ok(damaged.equals(await readFile(file)));
      const index = await openFaceIndex({ folder, model: MODEL });
      await index.counts();
      await index.deleteCollection("event");
      assert.deepEqual(await readdir(folder), []);
      await index.close();
    });
  }

  test("another collection's file", async (t) => {
    const { folder, file } = await makeCollection(t);
    await writeFile(path.join(folder, fileNameOf("event-2")), await readFile(file));
    const index = await openFaceIndex({ folder, model: MODEL });
    await refusedWith("faces.damaged", index.search("event-2", looksOf("anybody"), ALL));
    await index.close();
  });

  test("embeddings of another model, with the advice to index anew", async (t) => {
    const { folder, file } = await makeCollection(t);
    const before = await readFile(file);
    for (const model of [
      { name: "test-model@2", dimensions: 512 },
      { name: "test-model@1", dimensions: 128 },
    ]) {
      const refused = await search(folder, model).catch((error: unknown) => error);
      assert.ok(refused instanceof Problem);
      assert.equal(refused.code, "faces.other-model");
      assert.match(refused.message, /test-model@1 \(512 dimensions\).*index its photos anew/);
      const index = await openFaceIndex({ folder, model });
      assert.deepEqual(await index.counts(), { collections: 1, faces: 2 });
      const embedding = embeddingOf("a", model.dimensions);
      await refusedWith("faces.other-model", index.add("event", [{ faceId: "a", externalImageId: "p", embedding }]));
      await index.close();
    }
    assert.ok(before.equals(await readFile(file)));
  });
});
