/** Numbers for properties, spread evenly: most doubles are next to zero, so drawing among those tries little else. */

import fc from "fast-check";

const STEPS = 100_000;

export function between(min: number, max: number): fc.Arbitrary<number> {
  return fc.integer({ min: 0, max: STEPS }).map((step) => min + ((max - min) * step) / STEPS);
}
