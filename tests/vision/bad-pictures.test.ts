/** What programs for pictures stumble over is opened as the picture it is, or refused with a reason. */

import assert from "node:assert/strict";
import { before, test } from "node:test";
import sharp from "sharp";
import { refusedWith } from "../../src/platform/contracts/refused.ts";
import { openPicture } from "../../src/platform/embedded/vision/picture.ts";
import { type BadPicture, badPictures } from "../pictures/bad-pictures.ts";
import { drawBib } from "../pictures/scene.ts";

const REFUSED: { [name: string]: string } = {
  empty: "picture.unreadable",
  "not an image": "picture.unreadable",
  "only a JPEG's first bytes": "picture.unreadable",
  "truncated JPEG": "picture.unreadable",
  "truncated PNG": "picture.unreadable",
  "1x1": "picture.too-small",
  "30000x30000 in a few bytes": "picture.too-large",
};
/** Per colour, on the mean: what print, grey, a palette and a see-through picture on white may change. */
const MOST_OFF = 40;

let pictures: BadPicture[] = [];

before(async () => {
  pictures = await badPictures();
});

test("what can't be looked at is refused with its reason, and nothing else is", async () => {
  for (const { name, bytes } of pictures) {
    const code = REFUSED[name];
    if (code) await refusedWith(code, openPicture(bytes), name);
    else await assert.doesNotReject(openPicture(bytes), name);
  }
  const names = pictures.map(({ name }) => name);
  assert.deepEqual(
    Object.keys(REFUSED).filter((name) => !names.includes(name)),
    [],
  );
});

test("unusual forms of a picture look like the picture, upright", async () => {
  const { jpeg } = await drawBib({ seed: 7, kind: "plain" });
  const { data: wanted, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
  const upsideDown = await sharp(jpeg).rotate(180).raw().toBuffer();
  const unusual = pictures.filter(({ number }) => number !== undefined);
  assert.ok(unusual.length >= 9);
  for (const { name, bytes } of unusual) {
    const { width, height, levels } = await openPicture(bytes);
    assert.deepEqual([width, height], [info.width, info.height], name);
    const pixels = levels[0]?.data ?? [];
    const off = meanOff(pixels, wanted);
    assert.ok(off < MOST_OFF, `${name}: ${off}`);
    assert.ok(2 * off < meanOff(pixels, upsideDown), `${name}: ${off}, upside down ${meanOff(pixels, upsideDown)}`);
  }
});

function meanOff(one: ArrayLike<number>, other: Uint8Array): number {
  return other.reduce((sum, value, i) => sum + Math.abs(value - (one[i] ?? Number.NaN)), 0) / other.length;
}
