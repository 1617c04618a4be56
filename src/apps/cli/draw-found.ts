/** Draws what was found in a photo into a copy of it: bibs with their numbers, partial ones dashed, faces thin. */

import { Readable } from "node:stream";
import type { BibReading } from "../../photos/index.ts";
import { MAX_PIXELS } from "../../platform/picture-limits.ts";
import type { Box } from "../../platform/ports.ts";
import { strokesOf, textWidth } from "./draw-letters.ts";
import { writeWhole } from "./output-file.ts";

export type Found = Pick<BibReading, "bibs" | "partial"> & { faces: { box: Box }[] };
type Size = { width: number; height: number };
type Place = Size & { x: number; y: number };

/** More than what is looked at, and little enough for several at once. */
const LONGEST_SIDE = 4096;
const JPEG_QUALITY = 88;
const BIB_COLOUR = "#15803d";
const PARTIAL_COLOUR = "#b45309";
const FACE_COLOUR = "#38bdf8";

export async function drawFound(image: Uint8Array, found: Found, file: string): Promise<void> {
  const { default: sharp } = await import("sharp");
  const { data, info } = await sharp(image, { limitInputPixels: MAX_PIXELS })
    .autoOrient()
    .resize(LONGEST_SIDE, LONGEST_SIDE, { fit: "inside", withoutEnlargement: true })
    .flatten({ background: "white" })
    .toColourspace("srgb")
    .raw({ depth: "uchar" })
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const drawn = await sharp(data, { raw: { width, height, channels } })
    .composite([{ input: Buffer.from(overlay(found, info)) }])
    .jpeg({ quality: JPEG_QUALITY })
    .toBuffer();
  await writeWhole(file, Readable.from([drawn]));
}

/** As an SVG picture of that size. */
export function overlay({ bibs, partial, faces }: Found, size: Size): string {
  const line = Math.max(1.5, Math.max(size.width, size.height) / 600);
  const frame = (box: Box, colour: string, width: number, dashes = "") => {
    const { x, y, width: w, height: h } = placeOf(box, size);
    const place = `x="${x}" y="${y}" width="${w}" height="${h}"`;
    return `<rect ${place} fill="none" stroke="${colour}" stroke-width="${width.toFixed(1)}"${dashes}/>`;
  };
  const dashes = ` stroke-dasharray="${(line * 4).toFixed(1)} ${(line * 3).toFixed(1)}"`;
  const shapes = [
    ...faces.map(({ box }) => frame(box, FACE_COLOUR, Math.max(1, line / 2))),
    ...partial.map(({ box }) => frame(box, PARTIAL_COLOUR, line, dashes)),
    ...bibs.map(({ box }) => frame(box, BIB_COLOUR, line)),
    ...partial.map(({ box, text }) => label(text, box, size, PARTIAL_COLOUR)),
    ...bibs.map(({ box, bib }) => label(bib, box, size, BIB_COLOUR)),
  ];
  const { width, height } = size;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes.join("")}</svg>`;
}

/** Above the box, or below it where the picture ends; never beside the picture. */
function label(text: string, box: Box, size: Size, colour: string): string {
  const height = Math.max(9, Math.max(size.width, size.height) / 70);
  const pad = height / 2.5;
  const { x, y, height: boxHeight } = placeOf(box, size);
  const whole = { width: textWidth(text, height) + 2 * pad, height: height + 2 * pad };
  const above = y - whole.height;
  const left = Math.max(0, Math.min(x, size.width - whole.width));
  const top = Math.max(0, Math.min(above >= 0 ? above : y + boxHeight, size.height - whole.height));
  const place = `x="${left}" y="${top}" width="${whole.width}" height="${whole.height}"`;
  const letters = strokesOf(text, { x: left + pad, y: top + pad, height });
  return `<rect ${place} fill="${colour}"/>${letters}`;
}

function placeOf({ left, top, width, height }: Box, size: Size): Place {
  const pixels = (share: number, side: number) => Math.round(share * side * 10) / 10;
  return {
    x: pixels(left, size.width),
    y: pixels(top, size.height),
    width: pixels(width, size.width),
    height: pixels(height, size.height),
  };
}
