/** Smooth noise for leaves, cloth, asphalt and camera grain, from one table per seed. */

import { Random } from "../simulation/random.ts";

const SIDE = 256;
const MASK = SIDE - 1;

export type Noise = {
  /** From -1 to 1, one bump per unit. */
  at(x: number, y: number): number;
  /** Bumps of several sizes, from about -1 to 1. */
  rough(x: number, y: number, octaves: number): number;
  /** The nth of a long row of values with deviation 1. */
  grain(n: number): number;
};

export function makeNoise(seed: number): Noise {
  const random = new Random(seed);
  const table = Float32Array.from({ length: SIDE * SIDE }, () => random.fraction() * 2 - 1);
  // The sum of three even values is close enough to a bell.
  const bell = Float32Array.from(
    { length: SIDE * SIDE },
    () => (random.fraction() + random.fraction() + random.fraction() - 1.5) * 2,
  );
  const at = (x: number, y: number) => {
    const left = Math.floor(x);
    const top = Math.floor(y);
    const fx = x - left;
    const fy = y - top;
    const u = fx * fx * (3 - 2 * fx);
    const row = (top & MASK) * SIDE;
    const below = ((top + 1) & MASK) * SIDE;
    const column = left & MASK;
    const beside = (left + 1) & MASK;
    const upper = mix(table[row + column] as number, table[row + beside] as number, u);
    const lower = mix(table[below + column] as number, table[below + beside] as number, u);
    return mix(upper, lower, fy * fy * (3 - 2 * fy));
  };
  const rough = (x: number, y: number, octaves: number) => {
    let sum = 0;
    let weight = 0.55;
    let scale = 1;
    for (let octave = 0; octave < octaves; octave++) {
      sum += weight * at(x * scale + octave * 17.3, y * scale - octave * 31.7);
      weight *= 0.55;
      scale *= 2.03;
    }
    return sum;
  };
  const grain = (n: number) => bell[(Math.imul(n ^ (n >>> 15), 0x2c1b3c6d) >>> 12) & (SIDE * SIDE - 1)] as number;
  return { at, rough, grain };
}

export function mix(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}

export function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}

/** From 0 at `from` to 1 at `to` without corners. */
export function ramp(from: number, to: number, value: number): number {
  const share = clamp((value - from) / (to - from), 0, 1);
  return share * share * (3 - 2 * share);
}

/** A number between the two, by chance. */
export function amount(random: Random, least: number, most: number): number {
  return mix(least, most, random.fraction());
}
