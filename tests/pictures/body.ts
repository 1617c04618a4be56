/** Rounded bodies under a light: limbs and trunks as heights over the picture, so that they shade like solid things. */

import { type Canvas, type Colour, clip, paint } from "./canvas.ts";
import { clamp, type Noise } from "./noise.ts";

/** x to the right, y down, z towards the viewer, in pixels; r is the radius. */
export type Joint = { x: number; y: number; z: number; r: number };

export type Light = {
  /** Where the main light comes from, of length 1. */
  from: Colour;
  key: Colour;
  sky: Colour;
  ground: Colour;
};

export type Cloth = {
  colour: Colour;
  /** The colour at a place of the surface, where it is not one colour; `along` runs from 0 to 1, `across` from -1 to 1. */
  pattern?: (along: number, across: number) => Colour | undefined;
  /** How deep the folds are: 0 for skin. */
  folds: number;
  shine: number;
};

export type Stage = { canvas: Canvas; light: Light; noise: Noise };

/** What a surface sends to the viewer: per colour the share of its own, and the shine on top. */
export type Lit = { red: number; green: number; blue: number; gloss: number };

/** Lights a surface whose normal has length 1. Writes into `lit`: one object per pixel would cost more than the sums. */
export function shade(light: Light, nx: number, ny: number, nz: number, shine: number, lit: Lit): void {
  const facing = nx * light.from[0] + ny * light.from[1] + nz * light.from[2];
  // Light wraps a little around: air and ground scatter it.
  const key = Math.max(0, (facing + 0.18) / 1.18);
  const up = 0.5 - 0.5 * ny;
  const rim = 0.72 + 0.28 * nz;
  lit.red = key * light.key[0] + (up * light.sky[0] + (1 - up) * light.ground[0]) * rim;
  lit.green = key * light.key[1] + (up * light.sky[1] + (1 - up) * light.ground[1]) * rim;
  lit.blue = key * light.key[2] + (up * light.sky[2] + (1 - up) * light.ground[2]) * rim;
  const half = Math.max(0, facing * 0.55 + nz * 0.45);
  const eighth = half * half * half * half * half * half * half * half;
  lit.gloss = shine * eighth * eighth * eighth;
}

/** A limb from one joint to the other. `flat` below 1 makes it shallower than it is wide. */
export function drawLimb(stage: Stage, a: Joint, b: Joint, cloth: Cloth, flat = 1): void {
  const { canvas, noise } = stage;
  const box = clipAround(canvas, a, b, Math.max(a.r, b.r) + 1);
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = dx * dx + dy * dy || 1;
  const wave = 1.6 / Math.max(a.r, 4);
  for (let y = box.top; y < box.bottom; y++) {
    for (let x = box.left; x < box.right; x++) {
      const along = clamp(((x - a.x) * dx + (y - a.y) * dy) / length, 0, 1);
      const r = a.r + (b.r - a.r) * along;
      const ox = x - a.x - dx * along;
      const oy = y - a.y - dy * along;
      const distance = Math.sqrt(ox * ox + oy * oy);
      if (distance > r + 0.5) continue;
      const height = Math.sqrt(Math.max(0, r * r - distance * distance));
      const z = a.z + (b.z - a.z) * along + height * flat;
      const pixel = y * canvas.width + x;
      if (z < (canvas.depth[pixel] as number)) continue;
      const fold = cloth.folds && cloth.folds * noise.rough(x * wave, y * wave, 2);
      const cover = clamp(r + 0.5 - distance, 0, 1);
      put(stage, pixel, ox / r + fold, oy / r + fold * 0.6, height / r / flat, cloth.colour, cloth.shine, cover);
      canvas.depth[pixel] = z;
    }
  }
}

function clipAround(canvas: Canvas, a: Joint, b: Joint, reach: number) {
  const [left, right] = [Math.min(a.x, b.x), Math.max(a.x, b.x)];
  const [top, bottom] = [Math.min(a.y, b.y), Math.max(a.y, b.y)];
  return clip(canvas, left - reach, top - reach, right + reach, bottom + reach);
}

const lit: Lit = { red: 0, green: 0, blue: 0, gloss: 0 };

/** Paints one point of a surface whose normal need not have length 1 yet. */
function put(
  stage: Stage,
  pixel: number,
  x: number,
  y: number,
  z: number,
  colour: Colour,
  shine: number,
  cover: number,
): void {
  const size = Math.sqrt(x * x + y * y + z * z) || 1;
  const { canvas, light } = stage;
  shade(light, x / size, y / size, z / size, shine, lit);
  // Threads and pores.
  const grit = 1 + 0.05 * stage.noise.grain(pixel);
  const red = colour[0] * lit.red * grit + lit.gloss * light.key[0];
  const green = colour[1] * lit.green * grit + lit.gloss * light.key[1];
  paint(canvas, pixel, red, green, colour[2] * lit.blue * grit + lit.gloss * light.key[2], cover);
  if (cover > 0.5) canvas.marks[pixel] = 0;
}

/** The soft shadow a limb throws on what lies behind it, from `floor` up. */
export function shadeUnder(canvas: Canvas, a: Joint, b: Joint, floor: number, strength: number): void {
  const box = clipAround(canvas, a, b, Math.max(a.r, b.r) * 1.7);
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = dx * dx + dy * dy || 1;
  for (let y = box.top; y < box.bottom; y++) {
    for (let x = box.left; x < box.right; x++) {
      const pixel = y * canvas.width + x;
      if ((canvas.depth[pixel] as number) < floor) continue;
      const along = clamp(((x - a.x) * dx + (y - a.y) * dy) / length, 0, 1);
      const ox = x - a.x - dx * along;
      const oy = y - a.y - dy * along;
      const away = Math.sqrt(ox * ox + oy * oy) / (a.r + (b.r - a.r) * along);
      if (away >= 1.7) continue;
      const dark = 1 - strength * clamp((1.7 - away) / 0.9, 0, 1) ** 2;
      for (let n = pixel * 3; n < pixel * 3 + 3; n++) canvas.light[n] = (canvas.light[n] as number) * dark;
    }
  }
}

/** A trunk from the front, upright from `top` to `bottom`; `width` is half of it, at a share of its height. */
export type Trunk = {
  x: number;
  lean: number;
  top: number;
  bottom: number;
  z: number;
  width: (along: number) => number;
  depth: number;
  cloth: Cloth;
};

export function drawTrunk(stage: Stage, trunk: Trunk): void {
  const box = clip(stage.canvas, 0, trunk.top, stage.canvas.width, trunk.bottom);
  for (let y = box.top; y < box.bottom; y++) {
    const along = (y - trunk.top) / (trunk.bottom - trunk.top);
    const half = trunk.width(along);
    const middle = trunk.x + trunk.lean * (y - trunk.top);
    const row = clip(stage.canvas, middle - half, y, middle + half + 1, y + 1);
    for (let x = row.left; x < row.right; x++) drawCloth(stage, trunk, x, y, along, (x - middle) / half, half);
  }
}

/** One point of the shirt: folds run down from the shoulders, and the hem hangs in waves. */
function drawCloth(stage: Stage, trunk: Trunk, x: number, y: number, along: number, across: number, half: number) {
  const { canvas, noise } = stage;
  const { cloth } = trunk;
  if (along > 0.985 + 0.03 * noise.at(across * 3 + trunk.x, 5)) return;
  const bulge = Math.sqrt(Math.max(0, 1 - across * across));
  const z = trunk.z + trunk.depth * bulge;
  const pixel = y * canvas.width + x;
  if (z < (canvas.depth[pixel] as number)) return;
  const u = across * 1.6 + (along - 0.5) * across * 0.9;
  const rough = noise.rough(u * 3.4 + trunk.x, along * 3.4 + Math.abs(across) * 2.4, 3);
  const folds = cloth.folds * rough * (0.6 + along * 0.7);
  // Shoulders slope towards the light, the chest stands out.
  const slope = 0.8 * Math.max(0, 0.1 - along) * 10;
  const ny = 0.22 * Math.sin((along - 0.22) * 5) * bulge - slope + folds * 0.35;
  const colour = cloth.pattern?.(along, across) ?? cloth.colour;
  const cover = clamp(half + 0.5 - Math.abs(across * half), 0, 1);
  put(stage, pixel, across + folds, ny, 0.35 + bulge * 0.9, colour, cloth.shine, cover);
  canvas.depth[pixel] = z;
}
