/** Finds faces in a picture, upright and at least about a thirtieth of the view's height. */

import { type Area, overlap } from "./areas.ts";
import { look, type Pyramid, partView } from "./raster.ts";
import type { Model } from "./session.ts";

export type DetectedFace = Area & { score: number };

const VIEW_WIDTH = 320;
const VIEW_HEIGHT = 240;
const NORMALISE = { mean: [127, 127, 127], scale: [1 / 128, 1 / 128, 1 / 128] } as const;
const SAME_FACE_OVERLAP = 0.4;

/** In pixels of the picture; the best first. */
export async function detectFaces(
  model: Model,
  picture: Pyramid,
  part: Area,
  minScore: number,
): Promise<DetectedFace[]> {
  const view = partView(part, VIEW_WIDTH, VIEW_HEIGHT);
  const input = look(picture, view, VIEW_WIDTH, VIEW_HEIGHT, NORMALISE);
  const [scores, boxes] = (await model.run(input, [1, 3, VIEW_HEIGHT, VIEW_WIDTH])) as [Float32Array, Float32Array];
  const found: DetectedFace[] = [];
  for (let i = 0; i < scores.length / 2; i += 1) {
    const score = scores[2 * i + 1] as number;
    if (score < minScore) continue;
    const [left, top, right, bottom] = boxes.subarray(4 * i, 4 * i + 4) as unknown as [number, number, number, number];
    found.push({
      left: part.left + left * part.width,
      top: part.top + top * part.height,
      width: (right - left) * part.width,
      height: (bottom - top) * part.height,
      score,
    });
  }
  return bestOfEach(found);
}

/** Of boxes that overlap, the one with the best score. */
function bestOfEach(found: DetectedFace[]): DetectedFace[] {
  const kept: DetectedFace[] = [];
  for (const face of found.toSorted((a, b) => b.score - a.score || a.left - b.left || a.top - b.top)) {
    if (kept.every((better) => overlap(better, face) < SAME_FACE_OVERLAP)) kept.push(face);
  }
  return kept;
}
