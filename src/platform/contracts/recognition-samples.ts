/** Pictures for the recognition suite: drawn texts whose place is known, and photos with faces. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import opentype, { type Command, type Font } from "opentype.js";
import sharp from "sharp";
import type { Box } from "../ports.ts";

const FONT = import.meta.resolve("@fontsource/noto-sans-kr/files/noto-sans-kr-latin-900-normal.woff");
const PHOTOS = "@vladmandic/face-api/demo";

/** A text with its left end and base line in pixels; `colour` lets it be faint. */
export type DrawnText = { text: string; x: number; y: number; sizePixels: number; colour?: string };
export type Drawn = { png: Buffer; boxes: Box[] };

/** Text as outlines: a machine for tests may have no fonts. */
export async function drawTexts(width: number, height: number, texts: DrawnText[]): Promise<Drawn> {
  const outlines = texts.map(outline);
  const paths = outlines.map(({ path, colour }) => `<path d="${path}" fill="${colour}"/>`).join("");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>${paths}</svg>`;
  const png = await sharp(Buffer.from(svg)).removeAlpha().png().toBuffer();
  const boxes = outlines.map(({ x1, y1, x2, y2 }) => ({
    left: x1 / width,
    top: y1 / height,
    width: (x2 - x1) / width,
    height: (y2 - y1) / height,
  }));
  return { png, boxes };
}

function outline({ text, x, y, sizePixels, colour = "#000" }: DrawnText) {
  let advance = x;
  let path = "";
  const all = { x1: Number.POSITIVE_INFINITY, y1: Number.POSITIVE_INFINITY, x2: 0, y2: 0 };
  for (const character of text) {
    const glyph = font().charToGlyph(character);
    const drawn = glyph.getPath(advance, y, sizePixels);
    const box = drawn.getBoundingBox();
    path += drawn.commands.map(asSvg).join("");
    all.x1 = Math.min(all.x1, box.x1);
    all.y1 = Math.min(all.y1, box.y1);
    all.x2 = Math.max(all.x2, box.x2);
    all.y2 = Math.max(all.y2, box.y2);
    advance += (glyph.advanceWidth / font().unitsPerEm) * sizePixels;
  }
  return { ...all, path, colour };
}

function asSvg({ type, x1, y1, x2, y2, x, y }: Command): string {
  return type + [x1, y1, x2, y2, x, y].filter((value) => value !== undefined).join(" ");
}

let opened: Font | undefined;

function font(): Font {
  if (opened) return opened;
  const bytes = readFileSync(fileURLToPath(FONT));
  opened = opentype.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  return opened;
}

/** A photo of people who look into the camera, the part of it that shows one of them, and where that face's middle is. */
export type People = {
  photo(): Buffer;
  person: { left: number; top: number; width: number; height: number };
  face: { left: number; top: number };
};

export const THREE: People = {
  photo: () => photo(3),
  person: { left: 1003, top: 150, width: 380, height: 400 },
  face: { left: 0.612, top: 0.255 },
};
export const FOUR: People = {
  photo: () => photo(6),
  person: { left: 560, top: 230, width: 400, height: 420 },
  face: { left: 0.398, top: 0.31 },
};

function photo(number: number): Buffer {
  return readFileSync(fileURLToPath(import.meta.resolve(`${PHOTOS}/sample${number}.jpg`)));
}

/** One of the people alone, at another size and quality than in the photo. */
export function selfieOf({ photo, person }: People): Promise<Buffer> {
  return sharp(photo()).extract(person).resize(300).jpeg({ quality: 60 }).toBuffer();
}
