/** Pictures open as a viewer shows them, in whatever form they come; what can't be looked at is refused with its reason. */

import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import sharp from "sharp";
import { formsOf, refusedPictures, turnedFor } from "../../contracts/recognition-forms.ts";
import { refusedWith } from "../../contracts/refused.ts";
import { openPicture } from "./picture.ts";
import type { Pyramid } from "./raster.ts";

const [WIDTH, HEIGHT] = [160, 120];
type Colour = [number, number, number];
const COLOURS: Colour[] = [
  [180, 80, 70],
  [70, 140, 90],
  [70, 90, 140],
  [230, 230, 230],
];
/** What the colours of print and a JPEG may change. */
const TOLERANCE = 20;

let quarters: Buffer;

before(async () => {
  const data = Buffer.alloc(WIDTH * HEIGHT * 3);
  for (let i = 0; i < WIDTH * HEIGHT; i += 1) {
    const quarter = (i % WIDTH < WIDTH / 2 ? 0 : 1) + (i < (WIDTH * HEIGHT) / 2 ? 0 : 2);
    data.set(COLOURS[quarter] as Colour, i * 3);
  }
  quarters = await sharp(data, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .png()
    .toBuffer();
});

/** The colours in the middles of the four quarters. */
function coloursOf({ width, height, levels: [largest] }: Pyramid): Colour[] {
  const middles = [0.25, 0.75].flatMap((y) => [0.25, 0.75].map((x) => ({ x, y })));
  return middles.map(({ x, y }) => {
    const at = (Math.floor(y * height) * width + Math.floor(x * width)) * 3;
    return [...(largest?.data.subarray(at, at + 3) ?? [])] as Colour;
  });
}

/** How light a colour is, with shares of linear light. */
function luma([red, green, blue]: Colour): number {
  return (0.2126 * red ** 2.2 + 0.7152 * green ** 2.2 + 0.0722 * blue ** 2.2) ** (1 / 2.2);
}

function assertQuarters(picture: Pyramid, said: string, wanted = COLOURS): void {
  assert.deepEqual([picture.width, picture.height], [WIDTH, HEIGHT], said);
  assert.equal(picture.levels[0]?.data.length, WIDTH * HEIGHT * 3, said);
  const colours = coloursOf(picture);
  const off = colours.flatMap((colour, i) => colour.map((value, c) => Math.abs(value - (wanted[i]?.[c] ?? 0))));
  assert.ok(Math.max(...off) <= TOLERANCE, `${said}: ${JSON.stringify(colours)}`);
}

describe("one picture", () => {
  test("without loss has exactly its pixels", async () => {
    assert.deepEqual(coloursOf(await openPicture(quarters)), COLOURS);
  });

  test("in colour in every form is the same; of an animation it is the first", async () => {
    const later = await sharp(quarters).negate().png().toBuffer();
    const { "greyscale JPEG": _, ...forms } = await formsOf(quarters, later);
    assert.ok(Object.keys(forms).length >= 10);
    for (const [form, bytes] of Object.entries(forms)) assertQuarters(await openPicture(bytes), form);
  });

  test("in grey, with 8 and 16 bits, has three equal colours", async () => {
    const grey = () => sharp(quarters).greyscale();
    const forms = [grey().jpeg(), grey().png(), grey().toColourspace("grey16").png(), grey().ensureAlpha().png()];
    const wanted = COLOURS.map((colour): Colour => [luma(colour), luma(colour), luma(colour)]);
    for (const form of forms) {
      const picture = await openPicture(await form.toBuffer());
      assertQuarters(picture, "grey", wanted);
      for (const [red, green, blue] of coloursOf(picture)) assert.deepEqual([green, blue], [red, red]);
    }
  });

  test("lies on white where it is transparent", async () => {
    const clear = await sharp({
      create: { width: 64, height: 64, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    })
      .png()
      .toBuffer();
    const half = await sharp({
      create: { width: 64, height: 64, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0.5 } },
    })
      .png()
      .toBuffer();
    assert.deepEqual(coloursOf(await openPicture(clear))[0], [255, 255, 255]);
    const [value = 0] = coloursOf(await openPicture(half))[0] ?? [];
    assert.ok(Math.abs(value - 128) <= 2, `${value}`);
  });

  for (const orientation of [2, 3, 6, 8]) {
    test(`is turned as EXIF orientation ${orientation} asks`, async () => {
      const stored = await turnedFor(orientation, quarters);
      assert.equal((await sharp(stored).metadata()).orientation, orientation);
      assertQuarters(await openPicture(stored), `orientation ${orientation}`);
    });
  }
});

describe("sizes", () => {
  const blank = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: "tan" } })
      .png()
      .toBuffer();
  const sizeOf = async (width: number, height: number) => {
    const picture = await openPicture(await blank(width, height));
    return [picture.width, picture.height];
  };

  test("of small pictures stay; large ones are made smaller with the same shape", async () => {
    assert.deepEqual(await sizeOf(2000, 90), [2000, 90]);
    assert.deepEqual(await sizeOf(200, 3840), [200, 3840], "as photos are stored");
    assert.deepEqual(await sizeOf(200, 3841), [156, 3000]);
    const [width = 0, height = 0] = await sizeOf(8000, 400);
    assert.ok(width >= 2000 && width < 4000, `${width}`);
    assert.equal(Math.round(width / 20), height);
    assert.deepEqual(await sizeOf(400, 8000), [height, width]);
  });

  test("from 32 pixels on are taken", async () => {
    assert.deepEqual(await sizeOf(32, 32), [32, 32]);
    await refusedWith("picture.too-small", openPicture(await blank(31, 400)));
    await refusedWith("picture.too-small", openPicture(await blank(400, 31)));
  });

  test("with a side that no JPEG has are refused", async () => {
    await assert.doesNotReject(sizeOf(65_500, 40));
    await refusedWith("picture.too-large", openPicture(await blank(65_501, 40)));
  });

  test("come with smaller levels to look at", async () => {
    const { levels } = await openPicture(await blank(600, 300));
    assert.deepEqual(
      levels.map(({ width, height }) => [width, height]),
      [
        [600, 300],
        [300, 150],
        [150, 75],
      ],
    );
  });
});

test("what is no picture, or none to look at, is refused with its reason", async () => {
  for (const { name, code, bytes } of await refusedPictures()) await refusedWith(code, openPicture(bytes), name);
});
