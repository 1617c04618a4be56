/** A picture in the making: linear light, how near each pixel is, and which bib's ink it shows. */

import { clamp } from "./noise.ts";

export type Colour = readonly [number, number, number];

export type Canvas = {
  width: number;
  height: number;
  /** Three per pixel, 1 is white paper in full light. */
  light: Float32Array;
  depth: Float32Array;
  /** 0, or the bib's place in the scene times 16, plus 1 and the character's place where its ink is. */
  marks: Uint16Array;
};

export function makeCanvas(width: number, height: number): Canvas {
  const size = width * height;
  return {
    width,
    height,
    light: new Float32Array(size * 3),
    depth: new Float32Array(size).fill(Number.NEGATIVE_INFINITY),
    marks: new Uint16Array(size),
  };
}

const LINEAR = Float32Array.from({ length: 256 }, (_, value) => (value / 255) ** 2.2);
const CURVE_STEPS = 32768;
const CURVE = Uint8Array.from({ length: CURVE_STEPS + 1 }, (_, step) =>
  Math.round(255 * (step / CURVE_STEPS) ** (1 / 2.2)),
);

/** A colour as designers write it, `#rrggbb`, as light. */
export function light(hex: string): Colour {
  const value = Number.parseInt(hex.slice(1), 16);
  return [LINEAR[value >> 16] as number, LINEAR[(value >> 8) & 255] as number, LINEAR[value & 255] as number];
}

export function lightOf(byte: number): number {
  return LINEAR[byte] as number;
}

/** Blends a colour over what is there. */
export function paint(canvas: Canvas, pixel: number, red: number, green: number, blue: number, cover: number): void {
  const at = pixel * 3;
  const values = canvas.light;
  const rest = 1 - cover;
  values[at] = (values[at] as number) * rest + red * cover;
  values[at + 1] = (values[at + 1] as number) * rest + green * cover;
  values[at + 2] = (values[at + 2] as number) * rest + blue * cover;
}

/** The region a shape with these edges covers, inside the canvas. */
export function clip(canvas: Canvas, left: number, top: number, right: number, bottom: number) {
  return {
    left: clamp(Math.floor(left), 0, canvas.width),
    top: clamp(Math.floor(top), 0, canvas.height),
    right: clamp(Math.ceil(right), 0, canvas.width),
    bottom: clamp(Math.ceil(bottom), 0, canvas.height),
  };
}

/** Three bytes per pixel, as pictures are stored. Bright light rolls off instead of clipping hard. */
export function toBytes(values: Float32Array): Uint8Array {
  const bytes = new Uint8Array(values.length);
  for (let n = 0; n < values.length; n++) {
    const value = values[n] as number;
    const soft = value > 0.8 ? 0.8 + 0.2 * (1 - 1 / (1 + (value - 0.8) * 5)) : value;
    bytes[n] = CURVE[(clamp(soft, 0, 1) * CURVE_STEPS) | 0] as number;
  }
  return bytes;
}

export function fromBytes(bytes: Uint8Array, values: Float32Array): void {
  for (let n = 0; n < values.length; n++) values[n] = LINEAR[bytes[n] as number] as number;
}
