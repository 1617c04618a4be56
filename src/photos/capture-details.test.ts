/** Time and camera come out of an EXIF block clean, and nothing in it can break or stall the reader. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import sharp from "sharp";
import { captureDetails } from "./capture-details.ts";

type Exif = { IFD0?: { [name: string]: string }; IFD2?: { [name: string]: string } };

const WHOLE: Exif = {
  IFD0: { Make: "Canon", Model: "Canon EOS R6", DateTime: "2026:05:01 09:00:00" },
  IFD2: {
    DateTimeOriginal: "2026:04:05 10:03:21",
    OffsetTimeOriginal: "+09:00",
    LensModel: "RF70-200mm F2.8 L IS USM",
  },
};

async function exifOf(exif: Exif): Promise<Buffer> {
  const blank = sharp({ create: { width: 8, height: 8, channels: 3, background: "white" } });
  const { exif: block } = await sharp(await blank.withExif(exif).jpeg().toBuffer()).metadata();
  assert.ok(block);
  return block;
}

async function takenAt(IFD2: { [name: string]: string }): Promise<string | undefined> {
  return captureDetails(await exifOf({ IFD2 })).takenAt;
}

/** A block of one directory, in the order of bytes that Nikon and Canon's older cameras use. */
function bigEndianMake(make: Buffer): Buffer {
  const head = Buffer.from("4d4d002a00000008000" + "1010f0002", "hex");
  const [count, at, end] = [Buffer.alloc(4), Buffer.alloc(4), Buffer.alloc(4)];
  count.writeUInt32BE(make.length);
  at.writeUInt32BE(head.length + 12);
  return Buffer.concat([head, count, at, end, make]);
}

test("time, zone, camera and lens", async () => {
  assert.deepEqual(captureDetails(await exifOf(WHOLE)), {
    takenAt: "2026-04-05T10:03:21+09:00",
    camera: { make: "Canon", model: "Canon EOS R6", lens: "RF70-200mm F2.8 L IS USM" },
  });
});

test("the time has a zone only if the camera noted a sound one", async () => {
  const DateTimeOriginal = "2026:04:05 10:03:21";
  assert.equal(await takenAt({ DateTimeOriginal }), "2026-04-05T10:03:21");
  assert.equal(await takenAt({ DateTimeOriginal, OffsetTimeOriginal: "-03:30" }), "2026-04-05T10:03:21-03:30");
  for (const OffsetTimeOriginal of ["+99:00", "Seoul", "+9"]) {
    assert.equal(await takenAt({ DateTimeOriginal, OffsetTimeOriginal }), "2026-04-05T10:03:21");
  }
});

test("a time that is none is left out, and the scan's time stands in", async () => {
  for (const bad of [
    "0000:00:00 00:00:00",
    "2026:02:30 10:00:00",
    "2026:04:05 25:00:00",
    "yesterday",
    "    :  :     :  :  ",
  ]) {
    assert.equal(await takenAt({ DateTimeOriginal: bad }), undefined, bad);
    assert.equal(
      await takenAt({ DateTimeOriginal: bad, DateTimeDigitized: "2026:04:05 10:00:00" }),
      "2026-04-05T10:00:00",
    );
  }
  assert.equal(captureDetails(await exifOf({ IFD0: { DateTime: "2026:05:01 09:00:00" } })).takenAt, undefined);
});

test("texts come without controls, without marks that turn text around, and short", () => {
  const make = (text: string | Buffer) => captureDetails(bigEndianMake(Buffer.from(text))).camera?.make;
  assert.equal(make("NIKON CORPORATION\0"), "NIKON CORPORATION");
  assert.equal(make("  A\x07B\x1b[31m\r\nC  \0hidden"), "A B [31m C");
  assert.equal(make("abc\u202Edef\u200B"), "abc def");
  assert.equal(make(Buffer.from([0x41, 0xff, 0xfe, 0x42, 0x43])), "A BC");
  assert.equal(make("x".repeat(1000)), "x".repeat(100));
  assert.equal(make(" \0   "), undefined);
});

test("of a cut block the rest is still told", async () => {
  const block = await exifOf(WHOLE);
  for (let length = 0; length < block.length; length += 1) captureDetails(block.subarray(0, length));
  const { takenAt: _, camera } = captureDetails(block.subarray(0, block.length - 40));
  assert.equal(camera?.make, "Canon");
});

test("whatever the bytes are, they do no harm", async () => {
  const block = await exifOf(WHOLE);
  const changes = fc.array(fc.tuple(fc.nat(block.length - 1), fc.nat(255)), { maxLength: 12 });
  fc.assert(
    fc.property(changes, (edits) => {
      const changed = Buffer.from(block);
      for (const [at, value] of edits) changed[at] = value;
      const { camera = {} } = captureDetails(changed);
      for (const text of Object.values(camera)) assert.match(text, /^\P{C}{1,100}$/u);
    }),
    { numRuns: 2000 },
  );
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void captureDetails(bytes)));
});

test("a block that claims thousands of long values is read in no time and little memory", () => {
  const entries = 5000;
  const block = Buffer.alloc(10 + entries * 12, 1);
  block.write("II*\0", "latin1");
  block.writeUInt32LE(8, 4);
  block.writeUInt16LE(entries, 8);
  for (let n = 0; n < entries; n += 1) {
    const at = 10 + n * 12;
    block.writeUInt16LE(0x010f, at);
    block.writeUInt16LE(2, at + 2);
    block.writeUInt32LE(0xffff_ffff, at + 4);
    block.writeUInt32LE(10, at + 8);
  }
  assert.ok((captureDetails(block).camera?.make?.length ?? 0) <= 100);
});
