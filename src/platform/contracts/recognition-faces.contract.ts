/** The part of the recognition suite that is about faces: remembering, finding and forgetting them. */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { before, describe, test } from "node:test";
import sharp from "sharp";
import type { Face, Recognition } from "../ports.ts";
import { turnedFor } from "./recognition-forms.ts";
import { drawTexts, FOUR, type People, selfieOf, THREE } from "./recognition-samples.ts";
import { refusedWith } from "./refused.ts";

const EVERY = { minSimilarity: 0, limit: 100 };

export function testFaces(engine: () => Recognition): void {
  describe("indexing", () => testIndexing(engine));
  describe("searching", () => testSearching(engine));
  describe("forgetting", () => testForgetting(engine));
}

function testIndexing(engine: () => Recognition): void {
  test("the faces of a photo are remembered, each with its place and quality", async () => {
    const faces = await engine().indexFaces(fresh(), FOUR.photo(), "org:evt_1:photo-1.jpg");
    assert.ok(faceAt(faces, FOUR));
    assert.equal(new Set(faces.map(({ faceId }) => faceId)).size, faces.length);
    for (const { box, quality } of faces) {
      assert.ok(quality >= 0 && quality <= 1, `quality ${quality}`);
      assert.ok(box.left >= 0 && box.top >= 0 && box.left + box.width <= 1.0001 && box.top + box.height <= 1.0001);
    }
  });

  test("the same photo gets the same answer, but for the ids", async () => {
    const seen = async () => {
      const faces = await engine().indexFaces(fresh(), THREE.photo(), "photo");
      return faces.map(({ box, quality }) => ({ box, quality }));
    };
    assert.deepEqual(await seen(), await seen());
  });

  test("a photo that viewers turn is looked at as they show it", async () => {
    const faces = await engine().indexFaces(fresh(), await turnedFor(6, THREE.photo()), "photo");
    assert.ok(faceAt(faces, THREE));
  });

  test("a photo without a face is no error", async () => {
    assert.deepEqual(await engine().indexFaces(fresh(), await faceless(), "photo"), []);
  });

  test("many photos at once make one collection", async () => {
    const collection = fresh();
    const photos = [THREE, FOUR];
    const indexed = await Promise.all(
      photos.map((people, n) => engine().indexFaces(collection, people.photo(), `photo-${n}`)),
    );
    const { matches: found } = await engine().searchByImage(collection, await selfieOf(THREE), EVERY);
    const idsOf = (faces: { faceId: string }[]) => faces.map(({ faceId }) => faceId).sort();
    assert.deepEqual(idsOf(found), idsOf(indexed.flat()));
  });
}

function testSearching(engine: () => Recognition): void {
  const collection = fresh();
  let three: Face[];
  let smaller: Face[];
  before(async () => {
    three = await engine().indexFaces(collection, THREE.photo(), "three");
    await engine().indexFaces(collection, FOUR.photo(), "four");
    const resized = await sharp(THREE.photo()).resize(1300).jpeg({ quality: 70 }).toBuffer();
    smaller = await engine().indexFaces(collection, resized, "smaller");
  });
  const bySelfie = async (ask = EVERY) =>
    (await engine().searchByImage(collection, await selfieOf(THREE), ask)).matches;

  test("a selfie finds its person's photos before all others'", async () => {
    const matches = await bySelfie();
    const own = [faceAt(three, THREE)?.faceId, faceAt(smaller, THREE)?.faceId];
    assert.deepEqual(new Set(matches.slice(0, 2).map(({ faceId }) => faceId)), new Set(own));
    assert.deepEqual(new Set(matches.slice(0, 2).map((match) => match.externalImageId)), new Set(["three", "smaller"]));
    const [, second, third] = matches;
    assert.ok(second && third && second.similarity > third.similarity, `${second?.similarity} ${third?.similarity}`);
  });

  test("someone else's selfie finds someone else", async () => {
    const { matches } = await engine().searchByImage(collection, await selfieOf(FOUR), EVERY);
    assert.equal(matches[0]?.externalImageId, "four");
  });

  test("of several people in a picture the largest is searched for, and all are told, the largest first", async () => {
    const { faces, matches } = await engine().searchByImage(collection, await withLarger(THREE, FOUR), EVERY);
    assert.equal(matches[0]?.externalImageId, "three");
    const sizes = faces.map(({ box }) => box.width * box.height);
    assert.ok(sizes.length >= 2, `${sizes.length} faces`);
    assert.deepEqual(
      sizes,
      sizes.toSorted((a, b) => b - a),
    );
    assert.ok(faces[0].box.left < 0.5, "the larger one is on the left");
  });

  test("a selfie's face is told with its place, quality and height", async () => {
    const { faces } = await engine().searchByImage(collection, await selfieOf(THREE), EVERY);
    const [{ box, quality, heightPixels }, ...others] = faces;
    assert.deepEqual(others, []);
    const { height } = await sharp(await selfieOf(THREE)).metadata();
    assert.ok(Math.abs(heightPixels - box.height * height) < 2, `${heightPixels} of ${height}`);
    assert.ok(quality > 0.25 && quality <= 1, `quality ${quality}`);
    assert.ok(box.left < 0.5 && box.left + box.width > 0.5, JSON.stringify(box));
  });

  test("a remembered face finds its like, without itself", async () => {
    const face = faceAt(three, THREE);
    assert.ok(face);
    const matches = await engine().searchFaces(collection, face.faceId, EVERY);
    assert.equal(matches[0]?.faceId, faceAt(smaller, THREE)?.faceId);
    assert.ok(!matches.some(({ faceId }) => faceId === face.faceId));
  });

  test("matches come best first, with similarities from 0 to 1", async () => {
    const similarities = (await bySelfie()).map(({ similarity }) => similarity);
    assert.deepEqual(
      similarities,
      similarities.toSorted((a, b) => b - a),
    );
    for (const similarity of similarities) assert.ok(similarity >= 0 && similarity <= 1, String(similarity));
  });

  test("no more than asked for, the best of them", async () => {
    const all = await bySelfie();
    assert.deepEqual(await bySelfie({ ...EVERY, limit: 2 }), all.slice(0, 2));
    assert.deepEqual(await bySelfie({ ...EVERY, limit: 0 }), []);
    const [face] = three;
    assert.ok(face);
    const like = await engine().searchFaces(collection, face.faceId, EVERY);
    assert.deepEqual(await engine().searchFaces(collection, face.faceId, { ...EVERY, limit: 1 }), like.slice(0, 1));
  });

  test("none that is less alike than asked", async () => {
    const all = await bySelfie();
    const [, second, third] = all;
    assert.ok(second && third);
    const minSimilarity = (second.similarity + third.similarity) / 2;
    assert.deepEqual(await bySelfie({ ...EVERY, minSimilarity }), all.slice(0, 2));
    const face = faceAt(three, THREE);
    assert.ok(face);
    const like = await engine().searchFaces(collection, face.faceId, { ...EVERY, minSimilarity });
    assert.deepEqual(
      like.map(({ externalImageId }) => externalImageId),
      ["smaller"],
    );
  });

  test("a selfie is not kept", async () => {
    assert.deepEqual(await bySelfie(), await bySelfie());
  });

  test("a selfie without a face is refused", async () => {
    for (const where of [collection, fresh()]) {
      await refusedWith("picture.no-face", engine().searchByImage(where, await faceless(), EVERY));
    }
  });

  test("a face that is not there has no matches", async () => {
    for (const faceId of [randomUUID(), "no-face", ""]) {
      assert.deepEqual(await engine().searchFaces(collection, faceId, EVERY), []);
    }
  });

  test("nothing is found in a collection that is not there", async () => {
    const { faces, matches } = await engine().searchByImage(fresh(), await selfieOf(THREE), EVERY);
    assert.deepEqual([faces.length, matches], [1, []]);
    assert.deepEqual(await engine().searchFaces(fresh(), three[0]?.faceId ?? "", EVERY), []);
  });
}

function testForgetting(engine: () => Recognition): void {
  const found = async (collection: string) =>
    (await engine().searchByImage(collection, await selfieOf(THREE), EVERY)).matches.map(({ faceId }) => faceId);

  test("deleted faces are found no more, the others are", async () => {
    const collection = fresh();
    const faces = await engine().indexFaces(collection, THREE.photo(), "photo");
    const gone = faceAt(faces, THREE)?.faceId ?? "";
    await engine().deleteFaces(collection, [gone]);
    const others = faces.map(({ faceId }) => faceId).filter((faceId) => faceId !== gone);
    assert.ok(others.length > 0);
    assert.deepEqual(new Set(await found(collection)), new Set(others));
    assert.deepEqual(await engine().searchFaces(collection, gone, EVERY), []);
  });

  test("deleting what is not there is no error", async () => {
    const collection = fresh();
    await engine().deleteFaces(collection, [randomUUID()]);
    await engine().deleteCollection(collection);
    const [face] = await engine().indexFaces(collection, THREE.photo(), "photo");
    assert.ok(face);
    for (const faceIds of [[], [randomUUID(), "no-face"], [face.faceId, face.faceId], [face.faceId]]) {
      await engine().deleteFaces(collection, faceIds);
    }
    assert.ok(!(await found(collection)).includes(face.faceId));
  });

  test("a deleted collection is empty, and others are left alone", async () => {
    const [collection, other] = [fresh(), fresh()];
    await engine().indexFaces(collection, THREE.photo(), "photo");
    const kept = await engine().indexFaces(other, THREE.photo(), "photo");
    await engine().deleteCollection(collection);
    assert.deepEqual(await found(collection), []);
    assert.deepEqual(new Set(await found(other)), new Set(kept.map(({ faceId }) => faceId)));
    const again = await engine().indexFaces(collection, FOUR.photo(), "photo");
    assert.deepEqual(new Set(await found(collection)), new Set(again.map(({ faceId }) => faceId)));
  });
}

function fresh(): string {
  return `evt_${randomUUID()}.faces`;
}

async function faceless(): Promise<Buffer> {
  return (await drawTexts(600, 400, [{ text: "1234", x: 100, y: 260, sizePixels: 150 }])).png;
}

/** Two people side by side, the first one larger. */
async function withLarger(larger: People, smaller: People): Promise<Buffer> {
  const [one, two] = await Promise.all([selfieOf(larger), selfieOf(smaller)]);
  return sharp({ create: { width: 700, height: 500, channels: 3, background: "grey" } })
    .composite([
      { input: await sharp(one).resize(380).toBuffer(), left: 10, top: 30 },
      { input: await sharp(two).resize(220).toBuffer(), left: 450, top: 100 },
    ])
    .jpeg({ quality: 90 })
    .toBuffer();
}

/** The face that the person's is among these: its box holds the point between their eyes. */
function faceAt(faces: Face[], { face: { left, top } }: People): Face | undefined {
  return faces.find(
    ({ box }) => left > box.left && left < box.left + box.width && top > box.top && top < box.top + box.height,
  );
}
