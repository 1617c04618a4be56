/** Pixels in memory, at full size and at halves of it, and the one way to look at a part of them: turned, scaled, as floats. */

import sharp from "sharp";

export type Raster = { width: number; height: number /** Red, green, blue of each pixel. */; data: Uint8Array };

/** The first level is the largest; each next one has half its width and height. */
export type Pyramid = { width: number; height: number; levels: Raster[] };

/** Where a view's pixel (x, y) lies in the picture: (ax·x + bx·y + cx, ay·x + by·y + cy). */
export type View = { ax: number; bx: number; cx: number; ay: number; by: number; cy: number };

export type Normalise = { mean: readonly [number, number, number]; scale: readonly [number, number, number] };

const SMALLEST_LEVEL = 64;

export async function buildPyramid(raster: Raster): Promise<Pyramid> {
  const levels = [raster];
  let last = raster;
  while (Math.min(last.width, last.height) >= 2 * SMALLEST_LEVEL) {
    last = await halve(last);
    levels.push(last);
  }
  return { width: raster.width, height: raster.height, levels };
}

async function halve({ width, height, data }: Raster): Promise<Raster> {
  const half = { width: width >> 1, height: height >> 1 };
  const smaller = await sharp(data, { raw: { width, height, channels: 3 } })
    .resize(half.width, half.height, { fit: "fill", kernel: "linear" })
    .raw()
    .toBuffer();
  return { ...half, data: smaller };
}

/** An upright part of the picture. */
export function partView(
  part: { left: number; top: number; width: number; height: number },
  width: number,
  height: number,
): View {
  return { ax: part.width / width, bx: 0, cx: part.left, ay: 0, by: part.height / height, cy: part.top };
}

/** Planes of red, green and blue, bilinear from the level nearest to the view's scale. Beyond the border it repeats. */
export function look(pyramid: Pyramid, view: View, width: number, height: number, normalise: Normalise): Float32Array {
  const { raster, factor } = levelFor(pyramid, Math.min(Math.hypot(view.ax, view.ay), Math.hypot(view.bx, view.by)));
  const out = new Float32Array(3 * width * height);
  const [stepX, stepY] = [view.ax * factor, view.ay * factor];
  for (let y = 0; y < height; y += 1) {
    // The middle of a pixel stays the middle on every level.
    const x0 = (view.ax / 2 + view.bx * (y + 0.5) + view.cx) * factor - 0.5;
    const y0 = (view.ay / 2 + view.by * (y + 0.5) + view.cy) * factor - 0.5;
    lookAlong(raster, { x: x0, y: y0, stepX, stepY }, out, y * width, width);
  }
  return normalised(out, normalise);
}

type Line = { x: number; y: number; stepX: number; stepY: number };

/** Plain loops over numbers: this runs for a million pixels of every photo. */
function lookAlong({ data, width, height }: Raster, line: Line, out: Float32Array, from: number, count: number): void {
  const plane = out.length / 3;
  const [maxX, maxY] = [width - 1, height - 1];
  const stride = width * 3;
  for (let i = 0; i < count; i += 1) {
    const sx = Math.min(maxX, Math.max(0, line.x + i * line.stepX));
    const sy = Math.min(maxY, Math.max(0, line.y + i * line.stepY));
    const left = sx | 0;
    const top = sy | 0;
    const fx = sx - left;
    const fy = sy - top;
    const p = top * stride + left * 3;
    const q = top < maxY ? p + stride : p;
    const next = left < maxX ? 3 : 0;
    for (let c = 0; c < 3; c += 1) {
      const a = data[p + c] as number;
      const b = data[q + c] as number;
      const above = a + fx * ((data[p + next + c] as number) - a);
      const below = b + fx * ((data[q + next + c] as number) - b);
      out[c * plane + from + i] = above + fy * (below - above);
    }
  }
}

function normalised(planes: Float32Array, { mean, scale }: Normalise): Float32Array {
  const plane = planes.length / 3;
  for (let c = 0; c < 3; c += 1) {
    const [m, s] = [mean[c] as number, scale[c] as number];
    for (let i = c * plane; i < (c + 1) * plane; i += 1) planes[i] = ((planes[i] as number) - m) * s;
  }
  return planes;
}

/** As bright as people see it. */
export function toGrey(planes: Float32Array, scale = 1): Float32Array {
  const size = planes.length / 3;
  const grey = new Float32Array(size);
  for (let i = 0; i < size; i += 1) {
    const [red, green, blue] = [planes[i], planes[size + i], planes[2 * size + i]] as [number, number, number];
    grey[i] = (0.299 * red + 0.587 * green + 0.114 * blue) * scale;
  }
  return grey;
}

function levelFor({ levels }: Pyramid, step: number): { raster: Raster; factor: number } {
  const depth = Math.max(0, Math.min(levels.length - 1, Math.round(Math.log2(Math.max(step, 1e-6)) - 0.2)));
  return { raster: levels[depth] as Raster, factor: 1 / 2 ** depth };
}
