/**
 * What every engine of the recognition port does: the suite is the port's definition.
 *
 * Not promised: which small, faint or turned-away texts and faces an engine sees; how its figures compare with another
 * engine's; the form of face ids; whether pictures of less than 80 pixels a side are looked at or refused; whether the
 * same picture under the same id is remembered once or again.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import sharp from "sharp";
import type { Box, Recognition, TextAsk } from "../ports.ts";
import { Problem } from "../problem.ts";
import { testFaces } from "./recognition-faces.contract.ts";
import { formsOf, refusedPictures, turnedFor } from "./recognition-forms.ts";
import { drawTexts } from "./recognition-samples.ts";
import { refusedWith } from "./refused.ts";

export type RecognitionSubject = { recognition: Recognition; close(): Promise<void> };

const ALL: TextAsk = { watermarkZones: [], minConfidence: 0 };
const ONE_NUMBER = [{ text: "1234", x: 120, y: 260, sizePixels: 150 }];
const TWO_NUMBERS = [...ONE_NUMBER, { text: "8057", x: 480, y: 520, sizePixels: 110 }];

export function testRecognition(name: string, open: () => Promise<RecognitionSubject>): void {
  describe(`recognition: ${name}`, () => {
    let subject: RecognitionSubject;
    before(async () => {
      subject = await open();
    });
    after(() => subject.close());
    describe("text", () => testText(() => subject.recognition, open));
    describe("which words", () => testAsks(() => subject.recognition));
    describe("pictures of every form", () => testForms(() => subject.recognition));
    describe("faces", () => testFaces(() => subject.recognition));
    describe("refusals", () => testRefusals(() => subject.recognition));
  });
}

function testText(engine: () => Recognition, open: () => Promise<RecognitionSubject>): void {
  test("a number is read where it stands", async () => {
    const { png, boxes } = await drawTexts(900, 600, TWO_NUMBERS);
    const words = await engine().detectText(png, ALL);
    for (const [n, { text }] of TWO_NUMBERS.entries()) {
      const word = words.find((each) => each.text === text);
      assert.ok(word, `${text} is among ${words.map((each) => each.text)}`);
      assert.ok(word.confidence > 0.5 && word.confidence <= 1, `confidence ${word.confidence}`);
      assertSamePlace(word.box, boxes[n]);
    }
  });

  test("a letter before the digits belongs to the number", async () => {
    const { png } = await drawTexts(900, 600, [{ text: "A6031", x: 120, y: 340, sizePixels: 150 }]);
    assert.deepEqual(textsOf(await engine().detectText(png, ALL)), ["A6031"]);
  });

  test("the same picture gets the same answer, again and from an engine opened anew", async (t) => {
    const { png } = await drawTexts(900, 600, TWO_NUMBERS);
    const answer = await engine().detectText(png, ALL);
    assert.ok(answer.length > 0);
    assert.deepEqual(await engine().detectText(png, ALL), answer);
    // Anew, because an engine may keep its answers for a while.
    const anew = await open();
    t.after(() => anew.close());
    assert.deepEqual(await anew.recognition.detectText(png, ALL), answer);
  });

  test("where there is no text there are no words", async () => {
    const { png } = await drawTexts(900, 600, []);
    assert.deepEqual(await engine().detectText(png, ALL), []);
  });

  for (const orientation of [2, 3, 6, 8]) {
    test(`a picture that viewers turn (EXIF ${orientation}) is looked at as they show it`, async () => {
      const { png, boxes } = await drawTexts(900, 600, ONE_NUMBER);
      const words = await engine().detectText(await turnedFor(orientation, png), ALL);
      assert.deepEqual(textsOf(words), ["1234"]);
      assertSamePlace(words[0]?.box, boxes[0]);
    });
  }
}

function testAsks(engine: () => Recognition): void {
  test("words in a watermark zone are left out", async () => {
    const { png } = await drawTexts(900, 600, TWO_NUMBERS);
    const lowerHalf = { left: 0, top: 0.6, width: 1, height: 0.4 };
    assert.deepEqual(textsOf(await engine().detectText(png, { ...ALL, watermarkZones: [lowerHalf] })), ["1234"]);
    const everywhere = { left: 0, top: 0, width: 1, height: 1 };
    assert.deepEqual(await engine().detectText(png, { ...ALL, watermarkZones: [lowerHalf, everywhere] }), []);
  });

  test("a word that reaches into a watermark zone stays while its middle is outside", async () => {
    const { png, boxes } = await drawTexts(900, 600, ONE_NUMBER);
    const { left = 0, width = 0 } = boxes[0] ?? {};
    const upTo = (part: number) => ({ left: 0, top: 0, width: left + width * part, height: 1 });
    assert.deepEqual(textsOf(await engine().detectText(png, { ...ALL, watermarkZones: [upTo(0.35)] })), ["1234"]);
    assert.deepEqual(textsOf(await engine().detectText(png, { ...ALL, watermarkZones: [upTo(0.65)] })), []);
  });

  test("words that are less sure than asked are left out", async () => {
    const { png } = await drawTexts(900, 600, TWO_NUMBERS);
    const words = await engine().detectText(png, ALL);
    const [low, high] = [0, 1].map((n) => words.map((word) => word.confidence).sort((a, b) => a - b)[n]);
    assert.ok(low !== undefined && high !== undefined && low < high, `${low} < ${high}`);
    const between = (low + high) / 2;
    const surer = words.filter((word) => word.confidence >= between);
    assert.deepEqual(await engine().detectText(png, { ...ALL, minConfidence: between }), surer);
  });
}

function testForms(engine: () => Recognition): void {
  test("each is read", async (t) => {
    const { png } = await drawTexts(900, 600, ONE_NUMBER);
    const { png: laterFrame } = await drawTexts(900, 600, [{ text: "777", x: 120, y: 260, sizePixels: 150 }]);
    for (const [form, bytes] of Object.entries(await formsOf(png, laterFrame))) {
      await t.test(form, async () => assert.deepEqual(textsOf(await engine().detectText(bytes, ALL)), ["1234"]));
    }
  });

  test("a picture of many megabytes is read", async () => {
    const noise = { type: "gaussian" as const, mean: 210, sigma: 12 };
    const { png: number } = await drawTexts(900, 600, ONE_NUMBER);
    const png = await sharp({ create: { width: 3000, height: 2000, channels: 3, background: "white", noise } })
      .composite([{ input: number, left: 1000, top: 700 }])
      .png()
      .toBuffer();
    assert.ok(png.byteLength > 8_000_000, `${png.byteLength} bytes`);
    assert.ok(textsOf(await engine().detectText(png, ALL)).includes("1234"));
  });

  test("a very long picture is read, or seen as empty, or refused: never misread", async () => {
    const { png } = await drawTexts(20_000, 100, [{ text: "1234", x: 60, y: 85, sizePixels: 90 }]);
    const texts = await engine().detectText(png, ALL).then(textsOf, codeOf);
    assert.ok(["1234", "", "picture.too-small", "picture.too-large"].includes(String(texts)), String(texts));
  });
}

const BAD_COLLECTIONS = ["", ".", "..", "a b", "a/b", "../a", "a:b", "행사", "a\n", "a".repeat(256)];
const BAD_IMAGE_IDS = ["", "a b", "a/b", "사진", "a\n", "a".repeat(256)];

function testRefusals(engine: () => Recognition): void {
  const ask = { minSimilarity: 0, limit: 1 };

  test("what is no picture to look at", async (t) => {
    for (const { name, code, bytes } of await refusedPictures()) {
      await t.test(name, async () => {
        await refusedWith(code, engine().detectText(bytes, ALL), "detectText");
        await refusedWith(code, engine().indexFaces("refused", bytes, "photo"), "indexFaces");
        await refusedWith(code, engine().searchByImage("refused", bytes, ask), "searchByImage");
      });
    }
  });

  for (const name of BAD_COLLECTIONS) {
    test(`a collection named ${JSON.stringify(name.slice(0, 20))}`, async () => {
      const { png } = await drawTexts(200, 200, []);
      const refused = (call: Promise<unknown>) => refusedWith("recognition.bad-collection", call);
      await refused(engine().indexFaces(name, png, "photo"));
      await refused(engine().searchFaces(name, "face", ask));
      await refused(engine().searchByImage(name, png, ask));
      await refused(engine().deleteFaces(name, ["face"]));
      await refused(engine().deleteCollection(name));
    });
  }

  for (const id of BAD_IMAGE_IDS) {
    test(`an image with the id ${JSON.stringify(id.slice(0, 20))}`, async () => {
      const { png } = await drawTexts(200, 200, []);
      await refusedWith("recognition.bad-image-id", engine().indexFaces("refused", png, id));
    });
  }
}

function textsOf(words: { text: string }[]): string[] {
  return words.map(({ text }) => text);
}

function codeOf(error: unknown): string[] {
  assert.ok(error instanceof Problem, String(error));
  return [error.code];
}

/** Engines draw their boxes wider or tighter; half of the two together must be in both. */
function assertSamePlace(box: Box | undefined, expected: Box | undefined): void {
  assert.ok(box && expected);
  const width = Math.min(box.left + box.width, expected.left + expected.width) - Math.max(box.left, expected.left);
  const height = Math.min(box.top + box.height, expected.top + expected.height) - Math.max(box.top, expected.top);
  const shared = Math.max(0, width) * Math.max(0, height);
  const together = box.width * box.height + expected.width * expected.height - shared;
  assert.ok(shared / together > 0.5, `${JSON.stringify(box)} is not where ${JSON.stringify(expected)} is`);
}
