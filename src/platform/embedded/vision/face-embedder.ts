/** Turns a face into a vector: two pictures of one person have vectors that point the same way. */

import type { Area } from "./areas.ts";
import { look, type Pyramid, partView, toGrey, type View } from "./raster.ts";
import type { Model } from "./session.ts";

export type FaceModels = { landmarks: Model; embedder: Model };
type Point = { x: number; y: number };
/** Both eyes, the nose and both corners of the mouth, from left to right in the picture. */
export type Landmarks = [Point, Point, Point, Point, Point];

const LANDMARK_SIDE = 64;
const FACE_SIDE = 112;
/** Where eyes, nose and corners of the mouth lie in the pictures that the embedder was trained on. */
const PLACES: Point[] = [
  { x: 38.2946, y: 51.6963 },
  { x: 73.5318, y: 51.5014 },
  { x: 56.0252, y: 71.7366 },
  { x: 41.5493, y: 92.3655 },
  { x: 70.7299, y: 92.2041 },
];
/** The pairs and quadruples among the 68 landmarks whose middles are those five points. */
const LANDMARKS = [[37, 38, 40, 41], [43, 44, 46, 47], [30], [48, 60], [54, 64]];
const AS_BYTES = { mean: [0, 0, 0], scale: [1, 1, 1] } as const;
const NORMALISE = { mean: [127, 127, 127], scale: [1 / 128, 1 / 128, 1 / 128] } as const;

/** Upright and of one size: its red, green and blue as planes of a square. */
export type AlignedFace = { landmarks: Landmarks; planes: Float32Array };
export type EmbeddedFace = AlignedFace & { embedding: Float32Array };

export async function embedFace(models: FaceModels, picture: Pyramid, face: Area): Promise<EmbeddedFace> {
  const aligned = await alignFace(models.landmarks, picture, face);
  const [raw] = (await models.embedder.run(aligned.planes, [1, 3, FACE_SIDE, FACE_SIDE])) as [Float32Array];
  return { ...aligned, embedding: toUnitLength(raw) };
}

export async function alignFace(model: Model, picture: Pyramid, face: Area): Promise<AlignedFace> {
  const landmarks = await findLandmarks(model, picture, face);
  return { landmarks, planes: look(picture, viewOnto(landmarks, PLACES), FACE_SIDE, FACE_SIDE, NORMALISE) };
}

/** The model wants a square around the face, as high as the face is. */
async function findLandmarks(model: Model, picture: Pyramid, face: Area): Promise<Landmarks> {
  const side = face.height;
  const square = { left: face.left + face.width / 2 - side / 2, top: face.top, width: side, height: side };
  const planes = look(picture, partView(square, LANDMARK_SIDE, LANDMARK_SIDE), LANDMARK_SIDE, LANDMARK_SIDE, AS_BYTES);
  const [found] = (await model.run(toGrey(planes, 1 / 256), [1, 1, LANDMARK_SIDE, LANDMARK_SIDE])) as [Float32Array];
  return LANDMARKS.map((group) => {
    const mean = (offset: number) =>
      group.reduce((sum, i) => sum + (found[2 * i + offset] as number), 0) / group.length;
    return { x: square.left + mean(0) * side, y: square.top + mean(1) * side };
  }) as Landmarks;
}

/** The turn, scale and shift that bring `places` onto `points` with the least squares of what is left. */
function viewOnto(points: Point[], places: Point[]): View {
  const from = middle(places);
  const to = middle(points);
  let a = 0;
  let b = 0;
  let size = 0;
  for (const [i, place] of places.entries()) {
    const point = points[i] as Point;
    const [px, py, qx, qy] = [place.x - from.x, place.y - from.y, point.x - to.x, point.y - to.y];
    a += px * qx + py * qy;
    b += px * qy - py * qx;
    size += px * px + py * py;
  }
  const cos = a / size;
  const sin = b / size;
  return {
    ax: cos,
    bx: -sin,
    cx: to.x - cos * from.x + sin * from.y,
    ay: sin,
    by: cos,
    cy: to.y - sin * from.x - cos * from.y,
  };
}

function middle(points: Point[]): Point {
  const sum = points.reduce((total, point) => ({ x: total.x + point.x, y: total.y + point.y }), { x: 0, y: 0 });
  return { x: sum.x / points.length, y: sum.y / points.length };
}

function toUnitLength(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
