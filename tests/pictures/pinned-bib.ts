/** A printed bib pinned to a shirt: bent around the chest, turned, creased and lit, with a count of each character's ink. */

import type { BibArt } from "./bib-art.ts";
import { type Lit, type Stage, shade } from "./body.ts";
import { type Canvas, clip, lightOf, paint } from "./canvas.ts";
import { clamp, type Noise, ramp } from "./noise.ts";

export type Pin = {
  /** The bib's place in the scene, from 1. */
  place: number;
  /** Its middle, width and depth in pixels. */
  x: number;
  y: number;
  z: number;
  width: number;
  /** In radians, clockwise. */
  angle: number;
  shear: number;
  /** How much nearer the right and the lower edge is. */
  near: { right: number; bottom: number };
  /** The bend around the chest, in radians from the middle to an edge. */
  bend: number;
  crease: { depth: number; size: number; seed: number };
  /** Paper beyond this line (over -1 to 1 in both directions) is folded over to the front. */
  fold?: { x: number; y: number; at: number };
  /** Light that paper sends back to a flash. */
  glare: number;
};

export type Spot = { s: number; t: number };

/** Pixels that show the bib, from edge to edge, and how many belong to each character if nothing hides them. */
export type Pinned = { left: number; top: number; right: number; bottom: number; expected: number[] };

/** Pixels whose middle is just beyond the edge still show some paper. */
const EDGE = 1.06;

type Mapper = (x: number, y: number, spot: Spot) => void;

/** Finds the place on the bib, over -1 to 1 both ways, that is seen at a pixel. */
function mapperOf(pin: Pin, ratio: number, noise: Noise): Mapper {
  const cos = Math.cos(pin.angle);
  const sin = Math.sin(pin.angle);
  const half = pin.width / 2;
  const edge = Math.sin(pin.bend);
  const { depth, size, seed } = pin.crease;
  return (x, y, spot) => {
    const dx = x - pin.x;
    const dy = y - pin.y;
    const b = (dy * cos - dx * sin) / (half * ratio);
    const a = (dx * cos + dy * sin) / half - pin.shear * b;
    const far = 1 + pin.near.right * a + pin.near.bottom * b;
    const bent = Math.asin(Math.max(-1, Math.min(1, (a / far) * edge))) / pin.bend;
    spot.s = bent + depth * 0.16 * noise.at(bent * size + seed, b * size * 0.7);
    spot.t = b / far + depth * 0.16 * noise.at(bent * size * 0.7 - seed, b * size);
  };
}

/** The pixel where a place on the bib is seen, found by correcting a first guess. */
export function pixelOf(pin: Pin, ratio: number, noise: Noise, s: number, t: number): { x: number; y: number } {
  const half = pin.width / 2;
  const [cos, sin] = [Math.cos(pin.angle), Math.sin(pin.angle)];
  const spot = { s: 0, t: 0 };
  const find = mapperOf(pin, ratio, noise);
  let [x, y] = [pin.x, pin.y];
  for (let round = 0; round < 12; round++) {
    find(x, y, spot);
    const [right, down] = [(s - spot.s) * half * 0.8, (t - spot.t) * half * ratio * 0.8];
    x += right * cos - down * sin;
    y += right * sin + down * cos;
  }
  return { x, y };
}

export function pinBib(stage: Stage, art: BibArt, pin: Pin, characters: number): Pinned {
  const { canvas, noise } = stage;
  const find = mapperOf(pin, art.height / art.width, noise);
  const reach = pin.width * 0.9;
  const box = clip(canvas, pin.x - reach, pin.y - reach, pin.x + reach, pin.y + reach);
  const found: Pinned = {
    left: canvas.width,
    top: canvas.height,
    right: 0,
    bottom: 0,
    expected: Array(characters).fill(0),
  };
  dropShadow(stage, pin, find, box);
  const spot = { s: 0, t: 0 };
  for (let y = box.top; y < box.bottom; y++) {
    for (let x = box.left; x < box.right; x++) {
      const pixel = y * canvas.width + x;
      find(x + 0.5, y + 0.5, spot);
      if (Math.abs(spot.s) > EDGE || Math.abs(spot.t) > EDGE || (canvas.depth[pixel] as number) > pin.z) continue;
      countInk(canvas, art, pin, spot, pixel, found);
      shadePaper(stage, pin, spot);
      const cover = sample(art, pin, find, x, y);
      if (cover === 0) continue;
      paint(
        canvas,
        pixel,
        red * lit.red + lit.gloss,
        green * lit.green + lit.gloss,
        blue * lit.blue + lit.gloss,
        cover,
      );
      canvas.depth[pixel] = pin.z;
      found.left = Math.min(found.left, x);
      found.top = Math.min(found.top, y);
      found.right = Math.max(found.right, x + 1);
      found.bottom = Math.max(found.bottom, y + 1);
    }
  }
  return found;
}

// The colour that `sample` and `read` add up: a returned object per sample would cost more than all the rest.
let red = 0;
let green = 0;
let blue = 0;
const lit: Lit = { red: 0, green: 0, blue: 0, gloss: 0 };

/** Reads the colour of a pixel from four places in it; answers how much of it is paper. */
function sample(art: BibArt, pin: Pin, find: Mapper, x: number, y: number): number {
  red = 0;
  green = 0;
  blue = 0;
  let hits = 0;
  for (let n = 0; n < 4; n++) {
    find(x + 0.25 + 0.5 * (n & 1), y + 0.25 + 0.5 * (n >> 1), corner);
    if (read(art, pin, corner)) hits++;
  }
  const share = hits ? 1 / hits : 0;
  red *= share;
  green *= share;
  blue *= share;
  return hits / 4;
}

const corner = { s: 0, t: 0 };

/** Adds the paper's colour at a spot; false where there is no paper. */
function read(art: BibArt, pin: Pin, spot: Spot): boolean {
  if (Math.abs(spot.s) > 1 || Math.abs(spot.t) > 1) return false;
  const past = pin.fold ? spot.s * pin.fold.x + spot.t * pin.fold.y - pin.fold.at : -1;
  if (past > 0) return false;
  if (pin.fold && isUnderFlap(pin.fold, spot, past)) {
    // The back of the paper, darker towards the crease.
    const grey = 0.66 - 0.2 * ramp(-0.12, 0, past);
    red += grey;
    green += grey;
    blue += grey;
    return true;
  }
  const fx = clamp(((spot.s + 1) / 2) * art.width - 0.5, 0, art.width - 1.001);
  const fy = clamp(((spot.t + 1) / 2) * art.height - 0.5, 0, art.height - 1.001);
  const at = ((fy | 0) * art.width + (fx | 0)) * 4;
  const u = fx - (fx | 0);
  const v = fy - (fy | 0);
  red += between(art, at, u, v);
  green += between(art, at + 1, u, v);
  blue += between(art, at + 2, u, v);
  return true;
}

function between(art: BibArt, at: number, u: number, v: number): number {
  const below = at + art.width * 4;
  const upper = lightOf(art.pixels[at] as number) * (1 - u) + lightOf(art.pixels[at + 4] as number) * u;
  const lower = lightOf(art.pixels[below] as number) * (1 - u) + lightOf(art.pixels[below + 4] as number) * u;
  return upper * (1 - v) + lower * v;
}

/** Whether the folded paper lies over this spot: its mirror image beyond the fold is on the paper. */
function isUnderFlap(fold: { x: number; y: number; at: number }, spot: Spot, past: number): boolean {
  const s = spot.s - 2 * past * fold.x;
  const t = spot.t - 2 * past * fold.y;
  return Math.abs(s) <= 1 && Math.abs(t) <= 1;
}

function countInk(canvas: Canvas, art: BibArt, pin: Pin, spot: Spot, pixel: number, found: Pinned): void {
  if (Math.abs(spot.s) >= 1 || Math.abs(spot.t) >= 1) return;
  const x = (((spot.s + 1) / 2) * art.width) | 0;
  const y = (((spot.t + 1) / 2) * art.height) | 0;
  const character = art.ink[y * art.width + x] as number;
  if (character > 0) found.expected[character - 1] = (found.expected[character - 1] as number) + 1;
  const past = pin.fold ? spot.s * pin.fold.x + spot.t * pin.fold.y - pin.fold.at : -1;
  const folded = past > 0 || (pin.fold !== undefined && isUnderFlap(pin.fold, spot, past));
  canvas.marks[pixel] = folded ? 0 : pin.place * 16 + character;
}

/** Leaves the light on the paper in `lit`. */
function shadePaper(stage: Stage, pin: Pin, spot: Spot): void {
  const { depth, size, seed } = pin.crease;
  const x = spot.s * size + seed;
  const y = spot.t * size * 0.8 + spot.s * 0.6;
  const step = 0.03 * size;
  const here = stage.noise.rough(x, y, 3);
  const right = stage.noise.rough(x + step, y + 0.018, 3) - here;
  const down = stage.noise.rough(x, y + step * 0.8, 3) - here;
  const nx = Math.sin(pin.bend * spot.s) * 0.8 - right * depth * 11;
  const ny = -down * depth * 11 - 0.05;
  const length = Math.hypot(nx, ny, 1);
  shade(stage.light, nx / length, ny / length, 1 / length, 0.03 + pin.glare * 0.25, lit);
  lit.red *= 1 + pin.glare;
  lit.green *= 1 + pin.glare;
  lit.blue *= 1 + pin.glare;
}

function dropShadow(stage: Stage, pin: Pin, find: Mapper, box: ReturnType<typeof clip>): void {
  const { canvas, light } = stage;
  const drop = pin.width * 0.03;
  const spot = { s: 0, t: 0 };
  for (let y = box.top; y < box.bottom; y++) {
    for (let x = box.left; x < box.right; x++) {
      const pixel = y * canvas.width + x;
      if ((canvas.depth[pixel] as number) > pin.z) continue;
      find(x + light.from[0] * drop, y + light.from[1] * drop, spot);
      const edge = Math.max(Math.abs(spot.s), Math.abs(spot.t));
      if (edge > 1.04 || (canvas.depth[pixel] as number) < pin.z - pin.width * 3) continue;
      const dark = 0.55 + 0.45 * ramp(0.96, 1.04, edge);
      for (let n = pixel * 3; n < pixel * 3 + 3; n++) canvas.light[n] = (canvas.light[n] as number) * dark;
    }
  }
}
