/** Finds lines of text in a part of a picture: for each a rectangle, turned as the text is. */

import type { Area, TurnedArea } from "./areas.ts";
import { look, type Pyramid, partView } from "./raster.ts";
import type { Model } from "./session.ts";
import { textBlobs } from "./text-blobs.ts";

export type TextArea = TurnedArea & { /** How sure it is that this is text. */ score: number };

const NORMALISE = { mean: [123.675, 116.28, 103.53], scale: [1 / 58.395, 1 / 57.12, 1 / 57.375] } as const;
const STEP = 32;

export type DetectAsk = { longSide: number; minProbability?: number; minScore?: number; grow?: number };

export async function detectTextAreas(model: Model, picture: Pyramid, part: Area, ask: DetectAsk): Promise<TextArea[]> {
  const scale = ask.longSide / Math.max(part.width, part.height);
  const width = Math.max(STEP, Math.round((part.width * scale) / STEP) * STEP);
  const height = Math.max(STEP, Math.round((part.height * scale) / STEP) * STEP);
  const input = look(picture, partView(part, width, height), width, height, NORMALISE);
  const [probabilities] = (await model.run(input, [1, 3, height, width])) as [Float32Array];
  const sx = part.width / width;
  const sy = part.height / height;
  return textBlobs(probabilities, width, height, ask).map((blob) => ({
    ...blob,
    x: part.left + blob.x * sx,
    y: part.top + blob.y * sy,
    width: blob.width * sx,
    height: blob.height * sy,
  }));
}
