/** Heads with faces: a skull's height with nose, brows, lips and sockets, painted with eyes, mouth and hair. */

import { drawLimb, type Lit, type Stage, shade } from "./body.ts";
import { type Colour, clip, light, paint } from "./canvas.ts";
import { clamp, mix, ramp } from "./noise.ts";

export type HeadLook = {
  skin: Colour;
  hair: Colour;
  hairline: number;
  /** How far the hair lies to one side. */
  part: number;
  sides: number;
  cap?: Colour;
  glasses: boolean;
  smile: number;
  jaw: number;
  eyes: number;
};

/** `tall` is from crown to chin; yaw turns to the side, roll tilts, both in radians. */
export type HeadPlace = { x: number; y: number; z: number; tall: number; yaw: number; roll: number };

const LIP = light("#a8483f");
const TEETH = light("#e8e2d8");
const WHITE = light("#e4ddd3");
const IRIS = light("#2c1a10");
const LENS = light("#101317");
const DARK = light("#1d120d");

/** How far the face stands out at a place: u to its left and right, v from crown -1 to chin 1. */
function relief(u: number, v: number, look: HeadLook): number {
  const a = Math.abs(u);
  const nose = 0.27 * bump(u / (0.1 + 0.07 * ramp(0, 0.4, v))) * ramp(-0.12, 0.36, v) * (1 - ramp(0.38, 0.46, v));
  const brow = 0.05 * bump((v + 0.12) / 0.13) * bump((a - 0.26) / 0.3);
  const socket = -0.07 * bump((v - 0.06) / 0.13) * bump((a - 0.3) / 0.17);
  const cheek = 0.06 * bump((v - 0.33) / 0.24) * bump((a - 0.38) / 0.2);
  const lips = 0.05 * bump((v - 0.62) / 0.1) * bump(u / (0.24 + 0.05 * look.smile));
  const chin = 0.06 * bump((v - 0.88) / 0.14) * bump(u / 0.22);
  const crease = -0.025 * look.smile * bump((a - 0.27 - (v - 0.45) * 0.3) / 0.05) * bump((v - 0.52) / 0.16);
  return nose + brow + socket + cheek + lips + chin + crease;
}

function bump(distance: number): number {
  const square = distance * distance;
  return square > 6 ? 0 : Math.exp(-square);
}

/** Half the head's width at v, against half its height. */
function widthAt(v: number, jaw: number): number {
  const skull = Math.sqrt(Math.max(0, 1 - (v < 0 ? v * v : (v * 0.97) ** 2.6)));
  return 0.745 * skull * (1 - (1 - jaw) * ramp(0.1, 0.95, v));
}

type Paint = { colour: Colour; dull: number };

/** Colour of the face at a place, with the shadows that a relief this coarse does not throw. */
function complexion(u: number, v: number, look: HeadLook, texture: number): Paint {
  const a = Math.abs(u);
  let colour = tint(look.skin, 1 + texture * 0.05);
  const flush = 0.14 * (bump((v - 0.36) / 0.2) * bump((a - 0.4) / 0.18) + bump((v - 0.38) / 0.09) * bump(u / 0.14));
  colour = blend(colour, [look.skin[0] * 1.05, look.skin[1] * 0.62, look.skin[2] * 0.55], flush * 2);
  let dull =
    1 - 0.35 * bump((v - 0.05) / 0.11) * bump((a - 0.27) / 0.16) - 0.42 * bump((v - 0.455) / 0.03) * bump(u / 0.13);
  dull -=
    0.5 * bump((v - 0.435) / 0.022) * bump((a - 0.075) / 0.032) + 0.25 * bump((v - 0.76) / 0.035) * bump(u / 0.16);
  dull -= 0.12 * bump((a - 0.15) / 0.045) * bump((v - 0.4) / 0.06);
  colour = blend(colour, look.hair, 0.9 * browAt(a, v));
  colour = mouthAt(colour, u, v, look);
  colour = eyeAt(colour, a - 0.295, v - 0.05, u < 0 ? -1 : 1, look.eyes);
  if (look.glasses) colour = blend(colour, LENS, lensAt(a, v));
  return { colour, dull };
}

function browAt(a: number, v: number): number {
  const arc = v + 0.135 + 0.05 * (1 - ((a - 0.3) / 0.2) ** 2);
  return clamp((0.034 - Math.abs(arc)) / 0.02, 0, 1) * ramp(0.1, 0.14, a) * (1 - ramp(0.44, 0.5, a));
}

function mouthAt(colour: Colour, u: number, v: number, look: HeadLook): Colour {
  const half = 0.2 + 0.07 * look.smile;
  const share = clamp(u / half, -1, 1);
  const middle = 0.62 - 0.05 * look.smile * share * share + 0.01;
  const open = 0.055 * look.smile * (1 - share * share);
  const lip = 0.062 * Math.sqrt(1 - share * share);
  const off = Math.abs(v - middle);
  if (Math.abs(u) > half) return colour;
  if (off < open) return v < middle + open * 0.4 ? TEETH : DARK;
  const line = clamp((0.014 - Math.abs(off - open)) / 0.008, 0, 1);
  const lips = blend(colour, blend(LIP, look.skin, 0.35), clamp((open + lip - off) / 0.018, 0, 1) * 0.9);
  return blend(lips, DARK, line * 0.75);
}

function eyeAt(colour: Colour, x: number, y: number, side: number, wide: number): Colour {
  const share = x / 0.125;
  if (Math.abs(share) > 1.25) return colour;
  const lid = 0.055 * wide * Math.max(0, 1 - share * share);
  const fringe = clamp((0.016 - Math.abs(y + lid)) / 0.01, 0, 1) * (1 - ramp(1, 1.25, Math.abs(share)));
  const crease = 0.35 * clamp((0.012 - Math.abs(y + lid + 0.035)) / 0.01, 0, 1) * (1 - ramp(0.8, 1.1, Math.abs(share)));
  let eye = blend(colour, DARK, crease);
  if (y > -lid && y < lid * 0.75) {
    const iris = Math.hypot(x - side * 0.008, y + 0.004) / 0.052;
    eye = blend(WHITE, IRIS, 1 - ramp(0.85, 1.1, iris));
    const glint = Math.hypot(x - 0.018, y + 0.02) / 0.016;
    eye = blend(eye, [1, 1, 1], 1 - ramp(0.6, 1.1, glint));
    eye = tint(eye, 1 - 0.45 * ramp(0.02, 0, y + lid));
  }
  return blend(eye, DARK, fringe);
}

function lensAt(a: number, v: number): number {
  const lens = ((a - 0.31) / 0.24) ** 4 + ((v - 0.05) / 0.14) ** 4;
  const bridge = a < 0.1 && Math.abs(v + 0.02) < 0.035 ? 1 : 0;
  const temple = a > 0.5 && Math.abs(v + 0.02) < 0.03 ? 1 : 0;
  return Math.max(1 - ramp(0.85, 1.1, lens), bridge, temple);
}

function blend(from: Colour, to: Colour, share: number): Colour {
  if (share <= 0) return from;
  return [mix(from[0], to[0], share), mix(from[1], to[1], share), mix(from[2], to[2], share)];
}

function tint(colour: Colour, by: number): Colour {
  return [colour[0] * by, colour[1] * by, colour[2] * by];
}

/** Whether hair or cap covers this place, from 0 to 1; cap first. */
function coverAt(u: number, v: number, front: number, look: HeadLook, strand: number): { cap: number; hair: number } {
  const line = look.hairline + 0.5 * u * u - look.part * u + 0.05 * strand;
  const temple = ramp(0.52, 0.66, Math.abs(u) + 0.05 * strand - 0.1 * v) * (1 - ramp(look.sides, look.sides + 0.12, v));
  const hair = Math.max(1 - ramp(line - 0.03, line + 0.05, v), temple, front < 0 ? 1 - ramp(0.5, 0.7, v) : 0);
  const cap = look.cap ? 1 - ramp(-0.36, -0.33, v + 0.1 * u * u) : 0;
  return { cap, hair };
}

export function drawHead(stage: Stage, place: HeadPlace, look: HeadLook): void {
  const { canvas } = stage;
  const half = place.tall / 2;
  drawEars(stage, place, look);
  const box = clip(canvas, place.x - half, place.y - half * 1.1, place.x + half, place.y + half * 1.1);
  const [cos, sin] = [Math.cos(place.roll), Math.sin(place.roll)];
  for (let y = box.top; y < box.bottom; y++) {
    for (let x = box.left; x < box.right; x++) {
      const [px, py] = [(x - place.x) / half, (y - place.y) / half];
      const [u, v] = [px * cos + py * sin, py * cos - px * sin];
      const wide = v > -1 && v < 1 ? widthAt(v, look.jaw) : 0;
      const cover = clamp((wide - Math.abs(u)) * half + 0.5, 0, 1);
      const pixel = y * canvas.width + x;
      const z = place.z + half * 0.8 * Math.sqrt(Math.max(0, 1 - (u / (wide || 1)) ** 2));
      if (wide === 0 || cover === 0 || z < (canvas.depth[pixel] as number)) continue;
      drawPoint(stage, pixel, u, v, wide, place, look, cover);
      canvas.depth[pixel] = z;
      canvas.marks[pixel] = 0;
    }
  }
  if (look.cap) drawVisor(stage, place, look.cap);
}

const lit: Lit = { red: 0, green: 0, blue: 0, gloss: 0 };

function drawPoint(
  stage: Stage,
  pixel: number,
  u: number,
  v: number,
  wide: number,
  place: HeadPlace,
  look: HeadLook,
  cover: number,
): void {
  const across = clamp(u / wide, -1, 1);
  const turned = Math.asin(across) - place.yaw;
  const [fu, front] = [Math.sin(turned) * wide, Math.cos(turned)];
  const step = 0.015;
  const strand = stage.noise.rough(u * 26 + place.z, v * 5, 2);
  const covers = coverAt(fu, v, front, look, strand);
  const bare = (1 - covers.cap) * (1 - covers.hair);
  const here = bare > 0 ? relief(fu, v, look) : 0;
  const slopeU = bare > 0 ? (relief(fu + step, v, look) - here) / step : 0;
  const slopeV = bare > 0 ? (relief(fu, v + step, look) - here) / step : 0;
  const round = Math.sqrt(Math.max(0.02, 1 - across * across));
  const fuzz = covers.hair * (1 - covers.cap) * strand * 0.5;
  const nx = across * 0.95 - slopeU * bare * 0.8 + fuzz;
  const ny = v * 0.62 - slopeV * bare * 0.8;
  const size = Math.hypot(nx, ny, round);
  shade(stage.light, nx / size, ny / size, round / size, bare * 0.1 + 0.02, lit);
  const face = complexion(fu, v, look, stage.noise.rough(u * 9, v * 9, 2));
  const hair = tint(look.hair, 1 + strand * 0.7);
  const top = blend(blend(face.colour, hair, covers.hair), look.cap ?? look.hair, covers.cap);
  const dull =
    mix(1, face.dull, bare) *
    (1 - 0.5 * bare * bump((v - look.hairline - 0.06) / 0.08)) *
    (1 - 0.45 * ramp(0.75, 1, v) * bare);
  const { key } = stage.light;
  const red = top[0] * lit.red * dull + lit.gloss * key[0];
  const green = top[1] * lit.green * dull + lit.gloss * key[1];
  paint(stage.canvas, pixel, red, green, top[2] * lit.blue * dull + lit.gloss * key[2], cover);
}

function drawEars(stage: Stage, place: HeadPlace, look: HeadLook): void {
  const half = place.tall / 2;
  const cloth = { colour: tint(look.skin, 0.85), folds: 0, shine: 0.02 };
  for (const side of [-1, 1]) {
    const x = place.x + half * (side * 0.74 - Math.sin(place.yaw) * side * side * 0.25);
    const ear = {
      x,
      y: place.y + half * 0.02 + side * half * 0.7 * Math.sin(place.roll),
      z: place.z - half * 0.4,
      r: half * 0.1,
    };
    drawLimb(stage, ear, { ...ear, y: ear.y + half * 0.22, r: half * 0.07 }, cloth, 0.6);
  }
}

function drawVisor(stage: Stage, place: HeadPlace, colour: Colour): void {
  const half = place.tall / 2;
  const cloth = { colour: tint(colour, 0.75), folds: 0.05, shine: 0.03 };
  const at = (share: number) => ({
    x: place.x + half * (Math.sin(place.yaw) * 0.55 + share * 0.6),
    y: place.y - half * (0.37 - 0.05 * (1 - share * share) - place.roll * share * 0.6),
    z: place.z + half * 0.9,
    r: half * (0.1 - 0.05 * share * share),
  });
  for (let n = -4; n < 4; n++) drawLimb(stage, at(n / 4), at((n + 1) / 4), cloth, 0.5);
}
