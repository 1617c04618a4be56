/** What happens between the scene and the file: shake, dim corners, grain, a watermark, JPEG and the camera's turn. */

import sharp from "sharp";
import type { Random } from "../simulation/random.ts";
import { type Canvas, toBytes } from "./canvas.ts";
import { fitHeight, textSvg } from "./letters.ts";
import { clamp, type Noise } from "./noise.ts";

/** Smears the picture along a line of this length in pixels, as a shutter that is too slow does. */
export function smear(canvas: Canvas, length: number, angle: number): void {
  const { width, height } = canvas;
  const source = canvas.light.slice();
  const steps = Math.max(2, Math.ceil(length / 1.2));
  canvas.light.fill(0);
  for (let step = 0; step < steps; step++) {
    const along = (step / (steps - 1) - 0.5) * length;
    const [right, down] = [Math.round(along * Math.cos(angle)), Math.round(along * Math.sin(angle))];
    for (let y = 0; y < height; y++) {
      const from = clamp(y + down, 0, height - 1) * width;
      addShifted(canvas.light, y * width * 3, source, from * 3, right * 3, width * 3, 1 / steps);
    }
  }
}

/** Adds a row of the source, moved sideways; beyond its ends the row continues as it is at the other row's place. */
function addShifted(
  target: Float32Array,
  at: number,
  source: Float32Array,
  from: number,
  shift: number,
  size: number,
  weight: number,
): void {
  for (let n = 0; n < size; n++) {
    const there = n + shift;
    const value = source[from + (there < 0 || there >= size ? n : there)] as number;
    target[at + n] = (target[at + n] as number) + value * weight;
  }
}

export type Exposure = {
  brightness: number;
  /** How much darker the corners are. */
  vignette: number;
  /** The grain's deviation at middle grey. */
  grain: number;
  /** The part of the picture that gets the most light, and how fast it falls off, for a flash or a lamp. */
  pool?: { x: number; y: number; fall: number };
};

export function expose(canvas: Canvas, noise: Noise, exposure: Exposure): void {
  const { width, height, light } = canvas;
  const { pool } = exposure;
  for (let y = 0; y < height; y++) {
    const v = y / height;
    for (let x = 0; x < width; x++) {
      const u = x / width;
      const corner = (u - 0.5) ** 2 + (v - 0.5) ** 2;
      const away = pool ? ((u - pool.x) ** 2 + (v - pool.y) ** 2) * pool.fall : 0;
      const gain = (exposure.brightness * (1 - exposure.vignette * corner)) / (1 + away);
      const pixel = y * width + x;
      for (let n = 0; n < 3; n++) {
        const value = (light[pixel * 3 + n] as number) * gain;
        // Shot noise grows with the root of the light; a floor stays in the dark.
        const deviation = exposure.grain * (0.12 + Math.sqrt(Math.max(0, value)));
        light[pixel * 3 + n] = value + deviation * noise.grain(pixel * 3 + n);
      }
    }
  }
}

export type Finish = {
  quality: number;
  /** Blur of the lens, in pixels. */
  lens: number;
  watermark?: { text: string; left: boolean };
  /** As EXIF counts: how a viewer has to turn the stored picture. */
  orientation: 1 | 3 | 6 | 8;
};

const STORED_TURN = { 1: 0, 3: 180, 6: 270, 8: 90 };

/** The pixels as the lens and the photographer's program leave them, upright. */
export async function develop(canvas: Canvas, finish: Finish): Promise<Buffer> {
  const { width, height } = canvas;
  const image = sharp(toBytes(canvas.light), { raw: { width, height, channels: 3 } }).blur(finish.lens);
  if (!finish.watermark) return image.raw().toBuffer();
  const { text, left } = finish.watermark;
  const [wide, tall] = [Math.round(width * 0.3), Math.round(height * 0.06)];
  const letters = fitHeight(text, wide * 0.9, { face: "noto", height: tall * 0.38 });
  const paint = 'fill="#fff" fill-opacity="0.75"';
  const words = textSvg(text, wide / 2, tall / 2, { face: "noto", height: letters }, paint);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${tall}">${words}</svg>`;
  const layer = { input: Buffer.from(svg), left: left ? 0 : width - wide, top: height - Math.round(tall * 1.2) };
  return image.composite([layer]).removeAlpha().raw().toBuffer();
}

export function encode(pixels: Buffer, width: number, height: number, finish: Finish): Promise<Buffer> {
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .rotate(STORED_TURN[finish.orientation])
    .withMetadata({ orientation: finish.orientation })
    .jpeg({ quality: finish.quality })
    .toBuffer();
}

export function watermark(random: Random): { text: string; left: boolean } {
  return {
    text: random.pick(["© SNAP PHOTO 2026", "RACE PHOTO 0417", "사진 제공 달빛스튜디오", "PROOF 1024"]),
    left: random.chance(0.5),
  };
}
