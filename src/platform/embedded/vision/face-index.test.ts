/** What the face index promises: it finds what was added, forgets what was deleted, and says what is wrong. */

import assert from "node:assert/strict";
import { link, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, type TestContext, test } from "node:test";
import fc from "fast-check";
import { temporaryFolder } from "../../../../tests/harness/temporary-folder.ts";
import { refusedWith } from "../../contracts/refused.ts";
import { fileNameOf } from "./face-collection-file.ts";
import { bytesOf, contentsOf, cosineOf, embeddingOf, exactEmbedding } from "./face-index.samples.ts";
import { type FaceIndex, type FaceIndexSettings, type IndexedFace, openFaceIndex } from "./face-index.ts";

const DIMENSIONS = 512;
const MODEL = { name: "test-model@1", dimensions: DIMENSIONS };
const ALL = { minCosine: -1, limit: 10_000 };

function face(faceId: string, looks = faceId, externalImageId = `photo-of-${faceId}`): IndexedFace {
  return { faceId, externalImageId, embedding: embeddingOf(looks, DIMENSIONS) };
}

async function open(t: TestContext, settings: Partial<FaceIndexSettings> = {}) {
  const folder = settings.folder ?? (await temporaryFolder(t));
  const index = await openFaceIndex({ folder, model: MODEL, ...settings });
  t.after(() => index.close());
  return { folder, index };
}

async function idsIn(index: FaceIndex, collection: string): Promise<string[]> {
  const found = await index.search(collection, embeddingOf("anybody", DIMENSIONS), ALL);
  return found.map(({ faceId }) => faceId).sort();
}

describe("searching", () => {
  test("finds the face with its photo, best first", async (t) => {
    const { index } = await open(t);
    const between = embeddingOf("anna", DIMENSIONS).map((v, i) => v + 0.5 * (embeddingOf("ben", DIMENSIONS)[i] ?? 0));
    const length = Math.hypot(...between);
    await index.add("event", [face("ben"), face("anna")]);
    const found = await index.search(
      "event",
      between.map((value) => value / length),
      { minCosine: 0.3, limit: 5 },
    );
    assert.deepEqual(
      found.map(({ faceId, externalImageId }) => [faceId, externalImageId]),
      [
        ["anna", "photo-of-anna"],
        ["ben", "photo-of-ben"],
      ],
    );
  });

  test("by a known face leaves that one out; an unknown face or collection has no matches", async (t) => {
    const { index } = await open(t);
    await index.add("event", [face("b", "anna"), face("a", "anna"), face("c", "anna"), face("other")]);
    const alike = await index.searchFace("event", "b", { minCosine: 0.99, limit: 10 });
    assert.deepEqual(
      alike.map(({ faceId }) => faceId),
      ["a", "c"],
    );
    assert.equal((await index.searchFace("event", "b", { minCosine: 0.99, limit: 1 })).length, 1);
    assert.deepEqual(await index.searchFace("event", "nobody", ALL), []);
    assert.deepEqual(await index.searchFace("elsewhere", "b", ALL), []);
    assert.deepEqual(await idsIn(index, "elsewhere"), []);
  });

  test("sees one collection only", async (t) => {
    const { index } = await open(t);
    await Promise.all([
      index.add("Event", [face("a")]),
      index.add("event", [face("b")]),
      index.add("...", [face("c")]),
    ]);
    assert.deepEqual(await idsIn(index, "Event"), ["a"]);
    assert.deepEqual(await idsIn(index, "event"), ["b"]);
    assert.deepEqual(await idsIn(index, "..."), ["c"]);
  });

  test("answers as a plain loop does after any adding, replacing, deleting and reopening", async (t) => {
    const small = { name: "small", dimensions: 16 };
    const looks = fc
      .tuple(fc.uniqueArray(fc.nat(15), { minLength: 4, maxLength: 4 }), fc.tuple(...Array(4).fill(fc.boolean())))
      .map(([places, signs]) => exactEmbedding(places, signs as boolean[], 16));
    const faceId = fc.nat(300).map((number) => `face-${number}`);
    const added = fc.record({ faceId, externalImageId: fc.nat(9).map((n) => `photo-${n}`), embedding: looks });
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.array(added, { maxLength: 150 }).map((faces) => ({ faces })) },
      { weight: 2, arbitrary: fc.array(faceId, { maxLength: 40 }).map((faceIds) => ({ faceIds })) },
      { weight: 1, arbitrary: fc.constant("reopen" as const) },
    );
    const ask = fc.record({ minCosine: fc.constantFrom(-1, 0, 0.25, 0.5, 1), limit: fc.integer({ min: 1, max: 200 }) });
    let round = 0;
    const folder = await temporaryFolder(t);
    let index = await openFaceIndex({ folder, model: small });
    t.after(() => index.close());
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), looks, faceId, ask, async (steps, query, known, asked) => {
        const collection = `collection-${++round}`;
        const truth = new Map<string, IndexedFace>();
        for (const each of steps) {
          if (each === "reopen") {
            await index.close();
            index = await openFaceIndex({ folder, model: small });
          } else if ("faces" in each) {
            await index.add(collection, each.faces);
            for (const one of each.faces) truth.set(one.faceId, one);
          } else {
            await index.delete(collection, each.faceIds);
            for (const id of each.faceIds) truth.delete(id);
          }
        }
        const bestOf = (embedding: Float32Array, except?: string) =>
          [...truth.values()]
            .filter((one) => one.faceId !== except)
            .map((one) => ({
              faceId: one.faceId,
              externalImageId: one.externalImageId,
              cosine: cosineOf(one.embedding, embedding),
            }))
            .filter(({ cosine }) => cosine >= asked.minCosine)
            .sort((a, b) => b.cosine - a.cosine || (a.faceId < b.faceId ? -1 : 1))
            .slice(0, asked.limit);
        assert.deepEqual(await index.search(collection, query, asked), bestOf(query));
        const self = truth.get(known);
        const alike = self ? bestOf(self.embedding, known) : [];
        assert.deepEqual(await index.searchFace(collection, known, asked), alike);
      }),
      { numRuns: 60 },
    );
  });
});

describe("adding", () => {
  test("a known face replaces it, and nothing of the old one is left", async (t) => {
    const { folder, index } = await open(t);
    const [before, after] = [face("a", "young", "photo-1"), face("a", "old", "photo-2")];
    await index.add("event", [before]);
    await index.add("event", [after]);
    const found = await index.search("event", after.embedding, ALL);
    assert.deepEqual(
      found.map(({ faceId, externalImageId }) => [faceId, externalImageId]),
      [["a", "photo-2"]],
    );
    assert.deepEqual(await index.counts(), { collections: 1, faces: 1 });
    const contents = await contentsOf(folder);
    assert.ok(contents.includes(bytesOf(after.embedding)));
    assert.ok(!contents.includes(bytesOf(before.embedding)));
    assert.ok(!contents.includes("photo-1"));
  });

  test("many at once, beyond one group, in any mixture with searches, are all there at once and after reopening", async (t) => {
    const { folder, index } = await open(t);
    const names = Array.from({ length: 400 }, (_, number) => `face-${number}`);
    const work = names.flatMap((name) => [index.add("event", [face(name)]), idsIn(index, "event")]);
    await Promise.all(work);
    assert.deepEqual(await idsIn(index, "event"), names.toSorted());
    await index.close();
    const { index: again } = await open(t, { folder });
    assert.deepEqual(await again.counts(), { collections: 1, faces: 400 });
    assert.deepEqual(await idsIn(again, "event"), names.toSorted());
  });

  test("takes an embedding that is a view of a larger buffer", async (t) => {
    const { index } = await open(t);
    const large = new Float32Array(10 * DIMENSIONS);
    large.set(embeddingOf("a", DIMENSIONS), 3 * DIMENSIONS);
    const embedding = large.subarray(3 * DIMENSIONS, 4 * DIMENSIONS);
    await index.add("event", [{ faceId: "a", externalImageId: "photo", embedding }]);
    assert.equal((await index.search("event", embedding, { minCosine: 0.99, limit: 1 })).length, 1);
  });

  test("refuses names and embeddings that break the rules", async (t) => {
    const { folder, index } = await open(t);
    for (const name of ["", ".", "..", "a/b", "../x", "a b", "ä", "x".repeat(256)]) {
      await refusedWith("recognition.bad-collection", index.add(name, [face("a")]), name);
      await refusedWith("recognition.bad-collection", index.deleteCollection(name), name);
    }
    await refusedWith("face.id-invalid", index.add("event", [{ ...face("a"), faceId: "x".repeat(65) }]));
    await refusedWith("recognition.bad-image-id", index.add("event", [{ ...face("a"), externalImageId: "a/b" }]));
    const wrong = [new Float32Array(128), new Float32Array(DIMENSIONS), new Float32Array(DIMENSIONS).fill(Number.NaN)];
    for (const embedding of wrong) {
      await refusedWith("face.embedding-invalid", index.add("event", [{ ...face("a"), embedding }]));
      await refusedWith("face.embedding-invalid", index.search("event", embedding, ALL));
    }
    assert.deepEqual(await readdir(folder), []);
    const longest = { ...face("a"), faceId: "f".repeat(64), externalImageId: "i".repeat(255) };
    await index.add("c".repeat(255), [longest]);
    const [found] = await index.search("c".repeat(255), longest.embedding, { minCosine: 0.99, limit: 1 });
    assert.deepEqual([found?.faceId, found?.externalImageId], [longest.faceId, longest.externalImageId]);
  });
});

describe("deleting", () => {
  test("faces leaves no byte of their embeddings and image ids, and the others as they were", async (t) => {
    const { folder, index } = await open(t);
    const faces = Array.from({ length: 200 }, (_, number) => face(`face-${number}.`, `${number}`));
    await index.add("event", faces);
    const gone = faces.filter((_, number) => number % 3 === 0);
    await index.delete("event", [...gone.map(({ faceId }) => faceId), "unknown"]);
    const contents = await contentsOf(folder);
    for (const one of faces) {
      const kept = !gone.includes(one);
      assert.equal(contents.includes(bytesOf(one.embedding)), kept, one.faceId);
      assert.equal(contents.includes(bytesOf(one.embedding).subarray(1024, 1056)), kept, one.faceId);
      assert.equal(contents.includes(one.externalImageId), kept, one.faceId);
      assert.equal((await index.search("event", one.embedding, { minCosine: 0.99, limit: 1 })).length, kept ? 1 : 0);
    }
    assert.deepEqual(await index.counts(), { collections: 1, faces: faces.length - gone.length });
  });

  test("makes room for the next ones in the file", async (t) => {
    const { folder, index } = await open(t);
    const names = Array.from({ length: 128 }, (_, number) => `face-${number}`);
    await index.add(
      "event",
      names.map((name) => face(name)),
    );
    const { length } = await contentsOf(folder);
    for (let round = 0; round < 3; round += 1) {
      await index.delete("event", names);
      await index.add(
        "event",
        names.map((name) => face(name, `${name} ${round}`)),
      );
    }
    assert.equal((await contentsOf(folder)).length, length);
    assert.deepEqual(await idsIn(index, "event"), names.toSorted());
  });

  test("a collection leaves no file, and its name can be used again", async (t) => {
    const { folder, index } = await open(t);
    await index.add("event", [face("a")]);
    await index.deleteCollection("event");
    assert.deepEqual(await readdir(folder), []);
    assert.deepEqual(await index.counts(), { collections: 0, faces: 0 });
    await index.deleteCollection("event");
    await index.add("event", [face("b")]);
    assert.deepEqual(await idsIn(index, "event"), ["b"]);
  });

  test("a collection overwrites it before it goes", async (t) => {
    const { folder, index } = await open(t);
    const elsewhere = path.join(await temporaryFolder(t), "second-name");
    await index.add("event", [face("a")]);
    await link(path.join(folder, fileNameOf("event")), elsewhere);
    const { length } = await readFile(elsewhere);
    await index.deleteCollection("event");
    assert.ok((await readFile(elsewhere)).equals(Buffer.alloc(length)));
  });

  test("what was never there is no error and leaves nothing", async (t) => {
    const { folder, index } = await open(t);
    await index.delete("event", ["a"]);
    assert.deepEqual(await readdir(folder), []);
  });

  test("takes what was added just before, without waiting for it", async (t) => {
    const { index } = await open(t);
    await Promise.all([index.add("event", [face("a"), face("b")]), index.delete("event", ["a"])]);
    assert.deepEqual(await idsIn(index, "event"), ["b"]);
  });
});

describe("the index", () => {
  test("with room for one collection goes on with many", async (t) => {
    const { index } = await open(t, { memoryLimitBytes: 1 });
    const names = ["one", "two", "three"];
    for (const name of names) await index.add(name, [face(`${name}-1`)]);
    for (const name of names) await index.add(name, [face(`${name}-2`)]);
    for (const name of [...names, ...names]) assert.deepEqual(await idsIn(index, name), [`${name}-1`, `${name}-2`]);
    assert.deepEqual(await index.counts(), { collections: 3, faces: 6 });
  });

  test("drops the least recently used collection from memory when there is too much", async (t) => {
    const { folder, index } = await open(t, { memoryLimitBytes: 600_000 });
    for (const name of ["one", "two"]) await index.add(name, [face(name)]);
    await idsIn(index, "one");
    await index.add("three", [face("three")]);
    // What is in memory is not read again, so damage tells which one is.
    for (const name of ["one", "two"]) await writeFile(path.join(folder, fileNameOf(name)), "x".repeat(10_000));
    assert.deepEqual(await idsIn(index, "one"), ["one"]);
    await refusedWith("faces.damaged", idsIn(index, "two"));
  });

  test("refuses what comes after its end and answers what came before", async (t) => {
    const { index } = await open(t);
    const added = index.add("event", [face("a")]);
    const closed = index.close();
    await refusedWith("storage.closed", index.counts());
    await Promise.all([added, closed, index.close()]);
  });

  test("says so when its folder is none", async (t) => {
    const folder = await temporaryFolder(t);
    const { index } = await open(t, { folder });
    await index.add("event", [face("a")]);
    const [file = ""] = await readdir(folder);
    await refusedWith("storage.not-a-folder", openFaceIndex({ folder: `${folder}/${file}`, model: MODEL }));
  });
});
