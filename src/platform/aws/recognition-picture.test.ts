/** What is sent to Rekognition for a picture: the picture itself where Rekognition takes it, else the same as a JPEG. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, test } from "node:test";
import sharp from "sharp";
import { formsOf, refusedPictures, turnedFor } from "../contracts/recognition-forms.ts";
import { drawTexts } from "../contracts/recognition-samples.ts";
import { refusedWith } from "../contracts/refused.ts";
import { pictureForRekognition } from "./recognition-picture.ts";

const MAX_BYTES = 5_242_880;
/** What JPEG changes of black on white; another frame or a wrong turn is above 20. */
const MAX_DIFFERENCE = 3;
const AS_THEY_ARE = ["JPEG", "progressive JPEG", "greyscale JPEG", "PNG with a palette"];

const drawn = (await drawTexts(900, 600, [{ text: "1234", x: 120, y: 260, sizePixels: 150 }])).png;
const forms = await formsOf(drawn, drawn);
const refused = await refusedPictures();

function noise(width: number, height: number) {
  return sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } });
}

/** How far apart two pictures are on average, in levels of 255. */
async function difference(a: Uint8Array, b: Uint8Array): Promise<number> {
  const look = (picture: Uint8Array) => sharp(picture).toColourspace("srgb").raw().toBuffer();
  const [seenA, seenB] = await Promise.all([look(a), look(b)]);
  assert.equal(seenA.length, seenB.length);
  return seenA.reduce((sum, level, n) => sum + Math.abs(level - (seenB[n] ?? 0)), 0) / seenA.length;
}

describe("pictures for Rekognition", () => {
  for (const [form, bytes] of Object.entries(forms)) {
    const asItIs = AS_THEY_ARE.includes(form);
    test(`${form} is sent ${asItIs ? "as it is" : "as a JPEG"}`, async () => {
      const sent = await pictureForRekognition(bytes);
      assert.equal(sent === bytes, asItIs);
      const { format, width, height, depth, hasAlpha, pages } = await sharp(sent).metadata();
      if (!asItIs) assert.equal(format, "jpeg");
      assert.deepEqual(
        { width, height, depth, hasAlpha, pages },
        { width: 900, height: 600, depth: "uchar", hasAlpha: false, pages: undefined },
      );
      const levels = await difference(sent, drawn);
      assert.ok(levels < MAX_DIFFERENCE, `differs by ${levels}`);
    });
  }

  for (const orientation of [2, 3, 6, 8]) {
    test(`EXIF orientation ${orientation} is made true before sending`, async () => {
      const sent = await pictureForRekognition(await turnedFor(orientation, drawn));
      const about = await sharp(sent).metadata();
      assert.deepEqual([about.width, about.height, about.orientation ?? 1], [900, 600, 1]);
      const levels = await difference(sent, drawn);
      assert.ok(levels < MAX_DIFFERENCE, `differs by ${levels}`);
    });
  }

  const large: [what: string, width: number, height: number, fits: [width: number, height: number]][] = [
    ["a picture for which a lower quality is enough", 3300, 2500, [3300, 2500]],
    ["a larger one", 4000, 2600, [3072, 1997]],
    ["a long one, which keeps its 80 pixels", 20_000, 100, [16_000, 80]],
  ];
  for (const [what, width, height, fits] of large) {
    test(`${what} is made to fit, each time alike`, async () => {
      const png = await noise(width, height).png({ compressionLevel: 0 }).toBuffer();
      assert.ok(png.byteLength > MAX_BYTES);
      const sent = await pictureForRekognition(png);
      assert.ok(sent.byteLength <= MAX_BYTES, `${sent.byteLength} bytes`);
      const about = await sharp(sent).metadata();
      assert.deepEqual([about.width, about.height], fits);
      assert.ok(Buffer.from(sent).equals(await pictureForRekognition(png)));
    });
  }

  test("a picture of few bytes and many pixels is shrunk to 10,000 a side", async () => {
    const png = await sharp({ create: { width: 12_000, height: 600, channels: 3, background: "tan" } })
      .png()
      .toBuffer();
    const { width, height } = await sharp(await pictureForRekognition(png)).metadata();
    assert.deepEqual([width, height], [10_000, 500]);
  });

  for (const { name, code, bytes } of refused) {
    test(`${name} is not sent`, () => refusedWith(code, pictureForRekognition(bytes)));
  }

  test("sides below 80 pixels are refused, 80 are not", async () => {
    for (const [width, height] of [
      [79, 300],
      [300, 79],
    ] as const) {
      await refusedWith("picture.too-small", pictureForRekognition(await noise(width, height).png().toBuffer()));
    }
    const smallest = await noise(80, 80).png().toBuffer();
    assert.equal(await pictureForRekognition(smallest), smallest);
  });

  test("a side that no JPEG can have is refused", async () => {
    const png = await noise(66_000, 80).png().toBuffer();
    await refusedWith("picture.too-large", pictureForRekognition(png));
  });
});
