/** What is drawn is where it was found, and is there to be seen without any font. */

import assert from "node:assert/strict";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import sharp from "sharp";
import { temporaryFolder } from "../../../tests/harness/temporary-folder.ts";
import { drawFound, type Found, overlay } from "./draw-found.ts";

const found: Found = {
  bibs: [{ bib: "207", confidence: 1, box: { left: 0.5, top: 0.5, width: 0.25, height: 0.25 } }],
  partial: [{ text: "?1", confidence: 1, box: { left: 0.1, top: 0, width: 0.2, height: 0.2 } }],
  faces: [{ box: { left: 0.5, top: 0.2, width: 0.1, height: 0.1 } }],
};

/** How far a pixel is from grey: the picture has no colour, all that is drawn has. */
async function colourAt(file: string, x: number, y: number): Promise<number> {
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
  const start = (y * info.width + x) * info.channels;
  const [r = 0, g = 0, b = 0] = data.subarray(start, start + 3);
  return Math.max(r, g, b) - Math.min(r, g, b);
}

test("the copy is turned as a viewer shows it, with frames around what was found", async (t) => {
  const folder = await temporaryFolder(t);
  const stored = sharp({ create: { width: 400, height: 800, channels: 3, background: "#808080" } });
  const image = await stored.withMetadata({ orientation: 6 }).jpeg().toBuffer();
  const file = join(folder, "drawn.jpg");
  await drawFound(image, found, file);
  const { format, width, height, orientation } = await sharp(file).metadata();
  assert.deepEqual([format, width, height, orientation ?? 1], ["jpeg", 800, 400, 1]);
  for (const [x, y] of [
    [400, 250],
    [599, 250],
    [500, 299],
    [400, 100],
    [160, 79],
  ] as const) {
    assert.ok((await colourAt(file, x, y)) > 25, `nothing is drawn at ${x},${y}`);
  }
  for (const [x, y] of [
    [500, 250],
    [420, 100],
    [20, 200],
  ] as const) {
    assert.ok((await colourAt(file, x, y)) < 15, `something is drawn at ${x},${y}`);
  }
  assert.deepEqual(await readdir(folder), ["drawn.jpg"]);
});

test("every form of picture becomes a JPEG", async (t) => {
  const folder = await temporaryFolder(t);
  const grey = () =>
    sharp({ create: { width: 90, height: 60, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0.5 } } });
  const forms = {
    alpha: grey().png(),
    deep: grey().toColourspace("rgb16").png(),
    single: grey().flatten().toColourspace("b-w").jpeg(),
    print: grey().flatten().toColourspace("cmyk").jpeg(),
    wide: sharp({ create: { width: 20_000, height: 50, channels: 3, background: "#888" } }).jpeg(),
  };
  for (const [name, picture] of Object.entries(forms)) {
    const file = join(folder, `${name}.jpg`);
    await drawFound(await picture.toBuffer(), found, file);
    const { format, space, width } = await sharp(file).metadata();
    assert.deepEqual([name, format, space, width], [name, "jpeg", "srgb", name === "wide" ? 4096 : 90]);
  }
});

test("a file that can't be written is told, and leaves nothing behind", async (t) => {
  const folder = await temporaryFolder(t);
  await mkdir(join(folder, "a.jpg"));
  const image = await sharp({ create: { width: 40, height: 40, channels: 3, background: "#888" } })
    .png()
    .toBuffer();
  await assert.rejects(drawFound(image, found, join(folder, "a.jpg")), { code: "file.not-writable" });
  assert.deepEqual(await readdir(folder), ["a.jpg"]);
});

test("labels stay in the picture, and need no text elements", () => {
  const corner = { left: 0.99, top: 0.99, width: 0.01, height: 0.01 };
  const bibs = [{ bib: "ZW-19가?", confidence: 1, box: corner }];
  const svg = overlay({ bibs, partial: [], faces: [] }, { width: 1000, height: 800 });
  assert.doesNotMatch(svg, /<text|font|NaN|undefined/);
  const [, x, y, width, height] =
    /x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" fill="#/.exec(svg) ?? [];
  assert.ok(Number(x) + Number(width) <= 1000.01 && Number(y) + Number(height) <= 800.01, svg);
  const strokes = [...svg.matchAll(/ d="([^"]+)"/g)].map(([, path]) => path);
  assert.equal(strokes.length, 7);
  assert.equal(new Set(strokes).size, 7, "letters look different");
});

test("the letters are strokes that a reader can tell apart", async () => {
  const letters = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ?-"];
  const pictures = await Promise.all(
    letters.map(async (letter) => {
      const box = { left: 0.1, top: 0.6, width: 0.1, height: 0.1 };
      const svg = overlay(
        { bibs: [{ bib: letter, confidence: 1, box }], partial: [], faces: [] },
        { width: 200, height: 100 },
      );
      return (await sharp(Buffer.from(svg)).raw().toBuffer()).toString("base64");
    }),
  );
  assert.equal(new Set(pictures).size, letters.length);
});
