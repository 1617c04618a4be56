/** Pictures of what went wrong: the photo, the place in it, and the words that were seen there. */

import sharp from "sharp";
import type { Box } from "../../src/platform/ports.ts";
import { holdsMiddle, widened } from "./places.ts";
import type { JudgedWord } from "./reading.ts";
import type { Case, Mistake } from "./report.ts";

export type Slip = Pick<Mistake, "kind" | "number" | "note" | "box">;

const OVERVIEW_HEIGHT = 260;
const CROP_HEIGHT = 110;
const CROP_MAX_WIDTH = 360;
const AROUND = { beside: 0.6, above: 0.7 };

export async function describeCase(
  { title, expected, image }: { title: string; expected: string; image: Uint8Array },
  slips: Slip[],
  words: JudgedWord[],
): Promise<Case> {
  const overview = await sharp(image).autoOrient().resize({ height: OVERVIEW_HEIGHT }).jpeg({ quality: 70 }).toBuffer();
  const mistakes: Mistake[] = [];
  for (const slip of slips) mistakes.push(await describeSlip(image, slip, words));
  return { title, expected, overview: addressOf(overview), mistakes };
}

/** Without a place, any word with a digit may be the number. */
async function describeSlip(image: Uint8Array, slip: Slip, words: JudgedWord[]): Promise<Mistake> {
  if (!slip.box) return { ...slip, words: words.filter(({ text }) => /\d/.test(text)) };
  const around = widened(slip.box, AROUND.beside, AROUND.above);
  const crop = addressOf(await cropOf(image, around));
  return { ...slip, crop, words: words.filter(({ box }) => holdsMiddle(around, box)) };
}

async function cropOf(image: Uint8Array, box: Box): Promise<Buffer> {
  const { autoOrient: size } = await sharp(image).metadata();
  const left = Math.floor(box.left * size.width);
  const top = Math.floor(box.top * size.height);
  const width = Math.min(size.width - left, Math.max(1, Math.round(box.width * size.width)));
  const height = Math.min(size.height - top, Math.max(1, Math.round(box.height * size.height)));
  return sharp(image)
    .autoOrient()
    .extract({ left, top, width, height })
    .resize({ width: CROP_MAX_WIDTH, height: CROP_HEIGHT, fit: "inside" })
    .jpeg({ quality: 80 })
    .toBuffer();
}

function addressOf(jpeg: Buffer): string {
  return `data:image/jpeg;base64,${jpeg.toString("base64")}`;
}
