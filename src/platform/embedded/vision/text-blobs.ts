/** From a map of how likely each pixel is text to turned rectangles, as the differentiable binarisation model wants it read. */

import type { DetectAsk, TextArea } from "./text-detector.ts";

type Point = { x: number; y: number };

const MIN_SIDE = 3;

export function textBlobs(map: Float32Array, width: number, height: number, ask: DetectAsk): TextArea[] {
  const { minProbability = 0.3, minScore = 0.6, grow = 1.6 } = ask;
  const seen = new Uint8Array(width * height);
  const areas: TextArea[] = [];
  const stack: number[] = [];
  for (let start = 0; start < map.length; start += 1) {
    if (seen[start] || (map[start] as number) < minProbability) continue;
    const edge: Point[] = [];
    let sum = 0;
    let count = 0;
    stack.push(start);
    seen[start] = 1;
    while (stack.length > 0) {
      const at = stack.pop() as number;
      const x = at % width;
      const y = (at - x) / width;
      sum += map[at] as number;
      count += 1;
      let inside = 0;
      for (let dy = -1; dy <= 1; dy += 1) {
        for (let dx = -1; dx <= 1; dx += 1) {
          const nx = x + dx;
          const ny = y + dy;
          if (nx < 0 || ny < 0 || nx >= width || ny >= height) continue;
          const next = ny * width + nx;
          if ((map[next] as number) < minProbability) continue;
          inside += 1;
          if (seen[next]) continue;
          seen[next] = 1;
          stack.push(next);
        }
      }
      if (inside < 9) edge.push({ x, y });
    }
    const score = sum / count;
    if (score < minScore) continue;
    const box = smallestRectangle(edge);
    if (Math.min(box.width, box.height) < MIN_SIDE) continue;
    const distance = (box.width * box.height * grow) / (2 * (box.width + box.height));
    areas.push({ ...box, width: box.width + 2 * distance, height: box.height + 2 * distance, score });
  }
  return areas;
}

/** Its width is the side nearer to the x axis, so that the angle is within 45 degrees. */
function smallestRectangle(points: Point[]): Omit<TextArea, "score"> {
  const hull = convexHull(points);
  let best: Omit<TextArea, "score"> = { x: 0, y: 0, width: 0, height: 0, angle: 0 };
  let bestArea = Number.POSITIVE_INFINITY;
  for (let i = 0; i < hull.length; i += 1) {
    const a = hull[i] as Point;
    const b = hull[(i + 1) % hull.length] as Point;
    let angle = Math.atan2(b.y - a.y, b.x - a.x);
    // A quarter turn swaps the sides of the rectangle and nothing else.
    angle -= (Math.PI / 2) * Math.round(angle / (Math.PI / 2));
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    let minU = Number.POSITIVE_INFINITY;
    let maxU = Number.NEGATIVE_INFINITY;
    let minV = Number.POSITIVE_INFINITY;
    let maxV = Number.NEGATIVE_INFINITY;
    for (const { x, y } of hull) {
      const u = x * cos + y * sin;
      const v = y * cos - x * sin;
      if (u < minU) minU = u;
      if (u > maxU) maxU = u;
      if (v < minV) minV = v;
      if (v > maxV) maxV = v;
    }
    const width = maxU - minU + 1;
    const height = maxV - minV + 1;
    if (width * height >= bestArea) continue;
    bestArea = width * height;
    const u = (minU + maxU) / 2;
    const v = (minV + maxV) / 2;
    best = { x: u * cos - v * sin + 0.5, y: u * sin + v * cos + 0.5, width, height, angle };
  }
  return best;
}

/** Counter-clockwise by Andrew's monotone chain. */
function convexHull(points: Point[]): Point[] {
  const sorted = points.toSorted((a, b) => a.x - b.x || a.y - b.y);
  const half = (list: Point[]) => {
    const chain: Point[] = [];
    for (const point of list) {
      while (chain.length >= 2 && !turnsLeft(chain.at(-2) as Point, chain.at(-1) as Point, point)) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  const hull = [...half(sorted), ...half(sorted.toReversed())];
  return hull.length > 0 ? hull : sorted;
}

function turnsLeft(a: Point, b: Point, c: Point): boolean {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) > 0;
}
