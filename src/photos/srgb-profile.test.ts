/** sRGB profiles are known as such; others, and broken ones, are not. */

import assert from "node:assert/strict";
import { test } from "node:test";
import sharp from "sharp";
import { isSrgb } from "./srgb-profile.ts";

async function profile(name: string): Promise<Buffer> {
  const blank = sharp({ create: { width: 8, height: 8, channels: 3, background: "white" } });
  const { icc } = await sharp(await blank.withIccProfile(name).tiff().toBuffer()).metadata();
  assert.ok(icc);
  return icc;
}

/** With the shortest curves there are: one gamma for each channel. */
function withGamma(icc: Buffer, gamma: number): Buffer {
  const changed = Buffer.concat([icc, Buffer.from("curv\0\0\0\0\0\0\0\x01\0\0", "latin1")]);
  changed.writeUInt16BE(Math.round(gamma * 256), changed.length - 2);
  for (const name of ["rTRC", "gTRC", "bTRC"]) {
    const at = changed.indexOf(name, 128, "latin1");
    changed.writeUInt32BE(icc.length, at + 4);
    changed.writeUInt32BE(14, at + 8);
  }
  return changed;
}

test("sRGB is, Display P3 and CMYK are not", async () => {
  assert.equal(isSrgb(await profile("srgb")), true);
  assert.equal(isSrgb(await profile("p3")), false);
  assert.equal(isSrgb(await profile("cmyk")), false);
});

test("the curve counts too", async () => {
  const srgb = await profile("srgb");
  assert.equal(isSrgb(withGamma(srgb, 2.2)), true);
  assert.equal(isSrgb(withGamma(srgb, 1.8)), false);
  assert.equal(isSrgb(withGamma(srgb, 1)), false);
});

test("a profile that is cut is none", async () => {
  const srgb = await profile("srgb");
  for (let length = 0; length < srgb.length - 32; length += 1) isSrgb(srgb.subarray(0, length));
  assert.equal(isSrgb(srgb.subarray(0, 300)), false);
  assert.equal(isSrgb(Buffer.alloc(400, 255)), false);
});
