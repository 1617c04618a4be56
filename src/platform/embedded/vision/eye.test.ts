/** The real models at work: faces in photos, numbers in pictures, the same answer every time, nothing where nothing is. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { drawTexts, FOUR, selfieOf, THREE } from "../../contracts/recognition-samples.ts";
import { refusedWith } from "../../contracts/refused.ts";
import type { Box } from "../../ports.ts";
import { type Eye, openEye, type SeenFace } from "./eye.ts";
import { readModels } from "./models.ts";
import { similarityOf } from "./similarity.ts";

const PEOPLE_IN_SAMPLES = [3, 3, 3, 4, 5, 4];

let eye: Eye;

before(async () => {
  eye = await openEye(readModels());
});

function sample(number: number): Buffer {
  return readFileSync(fileURLToPath(import.meta.resolve(`@vladmandic/face-api/demo/sample${number}.jpg`)));
}

function similarity(one: SeenFace, other: SeenFace): number {
  return similarityOf(one.embedding.reduce((sum, value, i) => sum + value * (other.embedding[i] as number), 0));
}

function holds({ left, top, width, height }: Box, x: number, y: number): boolean {
  return x > left && x < left + width && y > top && y < top + height;
}

/** Fails where there is none, so that what follows can rely on it. */
function faceAt(faces: SeenFace[], { left, top }: { left: number; top: number }): SeenFace {
  const face = faces.find(({ box }) => holds(box, left, top));
  assert.ok(face, `no face at ${left}, ${top}: ${JSON.stringify(faces.map(({ box }) => box))}`);
  return face;
}

describe("faces", () => {
  for (const [index, people] of PEOPLE_IN_SAMPLES.entries()) {
    test(`of the ${people} people in sample ${index + 1} are all found, and nothing else is`, async () => {
      const { faces, words, width, height } = await eye.look(sample(index + 1), "faces");
      assert.equal(faces.length, people);
      assert.deepEqual(words, []);
      assert.equal(width, 1920);
      for (const { box, embedding, heightPixels, quality } of faces) {
        assert.ok(box.left >= 0 && box.top >= 0 && box.left + box.width <= 1 && box.top + box.height <= 1);
        assert.ok(Math.abs(heightPixels - box.height * height) < 1);
        assert.ok(quality >= 0 && quality <= 1);
        assert.equal(embedding.length, 512);
        assert.ok(Math.abs(Math.hypot(...embedding) - 1) < 1e-4);
      }
    });
  }

  test("are the same for an eye that was opened for faces only, and it refuses the rest", async () => {
    const facesOnly = await openEye(readModels(), { facesOnly: true });
    const selfie = await selfieOf(THREE);
    assert.deepEqual(await facesOnly.look(selfie, "largest-face"), await eye.look(selfie, "largest-face"));
    await assert.rejects(facesOnly.look(selfie, "everything"), /for faces only/);
  });

  test("of one person in two pictures are alike, those of others are not", async () => {
    for (const people of [THREE, FOUR]) {
      const { faces } = await eye.look(people.photo(), "faces");
      const [selfie, ...more] = (await eye.look(await selfieOf(people), "largest-face")).faces;
      assert.ok(selfie && more.length === 0);
      const own = faceAt(faces, people.face);
      assert.ok(similarity(selfie, own) > 0.8, `${similarity(selfie, own)}`);
      for (const other of faces) {
        if (other !== own) assert.ok(similarity(selfie, other) < 0.5, `${similarity(selfie, other)}`);
      }
    }
  });

  test("seen from the side are worse than those that look into the camera", async () => {
    const { faces } = await eye.look(sample(2), "faces");
    const aside = faceAt(faces, { left: 0.23, top: 0.2 });
    for (const face of faces) if (face !== aside) assert.ok(face.quality > 2 * aside.quality);
  });

  test("but the largest are left out where one is enough", async () => {
    const { faces } = await eye.look(sample(3), "faces");
    const [largest] = faces.toSorted((a, b) => b.box.width * b.box.height - a.box.width * a.box.height);
    const seen = await eye.look(sample(3), "largest-face");
    assert.deepEqual(seen.faces, [largest]);
    const others = faces.filter((face) => face !== largest).map(({ embedding: _, ...face }) => face);
    assert.deepEqual(
      seen.others,
      others.toSorted((a, b) => b.box.width * b.box.height - a.box.width * a.box.height),
    );
  });
});

describe("text", () => {
  test("is read at its place, number by number", async () => {
    const { png, boxes } = await drawTexts(640, 480, [
      { text: "2741", x: 60, y: 150, sizePixels: 110 },
      { text: "5306", x: 260, y: 400, sizePixels: 110 },
    ]);
    const { words } = await eye.look(png, "everything");
    assert.deepEqual(words.map(({ text }) => text).sort(), ["2741", "5306"]);
    for (const [i, text] of ["2741", "5306"].entries()) {
      const word = words.find((each) => each.text === text);
      const { left, top, width, height } = boxes[i] as Box;
      assert.ok(word && holds(word.box, left + width / 2, top + height / 2), text);
      assert.ok(word.confidence > 0.9, `${text}: ${word.confidence}`);
      assert.equal(word.alternatives?.length, text.length);
      assert.deepEqual(word.cut, { start: false, end: false });
    }
  });

  test("that leaves the picture is said to be cut there", async () => {
    const { png } = await drawTexts(640, 480, [{ text: "4827", x: 400, y: 300, sizePixels: 160 }]);
    const { words } = await eye.look(png, "everything");
    const [word, ...more] = words;
    assert.deepEqual(more, []);
    assert.match(word?.text ?? "", /^482?/);
    assert.deepEqual(word?.cut, { start: false, end: true });
  });
});

describe("one picture", () => {
  test("gives the same answer every time, to the last bit", async () => {
    const { png } = await drawTexts(480, 360, [{ text: "8190", x: 60, y: 220, sizePixels: 110 }]);
    for (const picture of [await selfieOf(FOUR), png]) {
      const first = await eye.look(picture, "everything");
      assert.ok(first.faces.length + first.words.length > 0);
      assert.deepEqual(await eye.look(picture, "everything"), first);
    }
  });

  test("shows the same faces whether or not its text is read", async () => {
    const [all, faces] = [await eye.look(sample(1), "everything"), await eye.look(sample(1), "faces")];
    assert.deepEqual(all.faces, faces.faces);
  });

  test("with nothing in it gives nothing", async () => {
    const raw = { width: 800, height: 600, channels: 3 } as const;
    const plain = Buffer.alloc(raw.width * raw.height * 3, 140);
    const grain = plain.map((value, i) => value + ((i * 7919) % 41));
    for (const pixels of [plain, grain]) {
      const picture = await sharp(pixels, { raw }).png().toBuffer();
      assert.deepEqual(await eye.look(picture, "everything"), { width: 800, height: 600, words: [], faces: [] });
      assert.deepEqual((await eye.look(picture, "largest-face")).faces, []);
    }
  });

  test("that can't be opened is refused, and the next one is looked at", async () => {
    await refusedWith("picture.unreadable", eye.look(Buffer.from("no picture"), "everything"));
    assert.equal((await eye.look(sample(3), "largest-face")).faces.length, 1);
  });
});
