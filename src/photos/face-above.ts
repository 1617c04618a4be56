/** Whose bib is it: the face that a bib hangs below. */

import type { Box } from "../platform/ports.ts";

/** In widths and heights of the face: how far to the side, and how far below its lower edge, a bib's middle can be. */
const REACH = { beside: 1.8, from: 0.1, to: 5 };
/** Where it usually is. */
const USUAL_BELOW = 2;

/** The place of the face in the list. Boxes are of one picture, so their fractions compare along each axis. */
export function faceAbove(bib: Box, faces: Box[]): number | undefined {
  const x = bib.left + bib.width / 2;
  const y = bib.top + bib.height / 2;
  let best: { index: number; distance: number } | undefined;
  for (const [index, face] of faces.entries()) {
    const beside = Math.abs(x - (face.left + face.width / 2)) / face.width;
    const below = (y - (face.top + face.height)) / face.height;
    if (beside > REACH.beside || below < REACH.from || below > REACH.to) continue;
    const distance = beside + Math.abs(below - USUAL_BELOW) / 2;
    if (!best || distance < best.distance) best = { index, distance };
  }
  return best?.index;
}
