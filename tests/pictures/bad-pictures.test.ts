/** The bad pictures are bad, or unusual, in the way their names say. */

import assert from "node:assert/strict";
import { before, test } from "node:test";
import sharp, { type Metadata } from "sharp";
import { type BadPicture, badPictures } from "./bad-pictures.ts";

let pictures: BadPicture[] = [];

before(async () => {
  pictures = await badPictures();
});

function named(name: string): Buffer {
  const found = pictures.find((picture) => picture.name === name);
  assert.ok(found, `there is no ${name}`);
  return found.bytes;
}

test("what is broken does not decode", async () => {
  const broken = ["empty", "not an image", "only a JPEG's first bytes", "truncated JPEG", "truncated PNG"];
  for (const name of [...broken, "30000x30000 in a few bytes"]) {
    await assert.rejects(async () => sharp(named(name)).raw().toBuffer(), name);
  }
});

test("the bomb promises more pixels than anyone should decode, and is tiny", async () => {
  const bytes = named("30000x30000 in a few bytes");
  const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
  assert.deepEqual([width, height], [30_000, 30_000]);
  assert.ok(bytes.length < 200);
});

test("unusual forms are what they are called, and decode", async () => {
  const forms: { [name: string]: (metadata: Metadata) => boolean } = {
    "1x1": ({ width, height }) => width === 1 && height === 1,
    "20000x50": ({ width, height }) => width === 20_000 && height === 50,
    "CMYK JPEG": ({ format, space }) => format === "jpeg" && space === "cmyk",
    "16-bit PNG": ({ format, depth }) => format === "png" && depth === "ushort",
    "greyscale JPEG": ({ format, channels }) => format === "jpeg" && channels === 1,
    "progressive JPEG": ({ format, isProgressive }) => format === "jpeg" && isProgressive === true,
    "palette PNG": ({ format, isPalette }) => format === "png" && isPalette === true,
    "PNG with alpha": ({ format, hasAlpha }) => format === "png" && hasAlpha === true,
    "animated GIF": ({ format, pages }) => format === "gif" && pages === 3,
    "animated WebP": ({ format, pages }) => format === "webp" && pages === 3,
    "JPEG with EXIF orientation 6": ({ format, orientation }) => format === "jpeg" && orientation === 6,
  };
  for (const [name, fits] of Object.entries(forms)) {
    const metadata = await sharp(named(name)).metadata();
    assert.ok(fits(metadata), `${name}: ${JSON.stringify({ ...metadata, exif: undefined })}`);
    await sharp(named(name)).raw().toBuffer();
  }
});

test("the unusual forms hold a bib that can be read", () => {
  const readable = pictures.filter((picture) => picture.number !== undefined);
  assert.equal(readable.length, 9);
  for (const { name, number } of readable) assert.match(number ?? "", /^[A-Z]?\d{3,5}$/, name);
});
