/** Where a character is missing inside a line that was read: two of its characters stand too far apart. */

import type { ReadLine } from "./text-reader.ts";

/** Of the middles of two characters, in heights of the detector's rectangle; the widest digits of whole numbers were 0.81 apart. */
const TOO_FAR = 0.87;
const TOO_FAR_OF_TWO = 0.95;
/** Than what is usual in the line: some bibs are printed with much air. */
const TOO_FAR_TIMES = 1.45;

/** After how many characters. `length` is the read view's length in heights of the line. */
export function gapsIn({ characters }: ReadLine, length: number): number[] {
  const middles = characters.map(({ from, to }) => ((from + to) / 2) * length);
  const steps = middles.slice(1).map((middle, n) => middle - (middles[n] as number));
  const usual = steps.toSorted((a, b) => a - b)[(steps.length - 1) >> 1];
  if (usual === undefined) return [];
  const tooFar = steps.length === 1 ? TOO_FAR_OF_TWO : Math.max(TOO_FAR, TOO_FAR_TIMES * usual);
  return steps.flatMap((step, n) => (step >= tooFar ? [n + 1] : []));
}
