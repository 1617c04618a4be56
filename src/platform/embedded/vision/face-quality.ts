/** How well a face can be told from others: as large, as surely a face and as much from the front as it is seen. */

import type { DetectedFace } from "./face-detector.ts";
import type { Landmarks } from "./face-embedder.ts";

/** Larger ones are not told apart any better. */
const GOOD_HEIGHT_PIXELS = 80;

export function faceQuality(face: DetectedFace, landmarks: Landmarks): number {
  const size = Math.min(1, face.height / GOOD_HEIGHT_PIXELS);
  return face.score * Math.sqrt(size) * frontality(landmarks);
}

/** 1 when the nose is in the middle between the eyes, 0 when it is below or beyond one of them. */
function frontality([left, right, nose]: Landmarks): number {
  const apart = right.x - left.x;
  if (apart <= 0) return 0;
  const place = (nose.x - left.x) / apart;
  return Math.max(0, 1 - Math.abs(place - 0.5) * 2);
}
