/** Where a line goes on out of sight, behind an arm, a strap, another runner or a fold: judged by what is around its ends and its wide gaps. */

import { BOTH, judge, type Line, type Place } from "./line-views.ts";
import type { Pyramid } from "./raster.ts";
import { readBeyond } from "./read-beyond.ts";
import type { Model } from "./session.ts";
import type { TextReader } from "./text-reader.ts";

type EndModels = { lineEnds: Model; reader: TextReader };

/** `inside`: after how many characters one is missing. */
export type HiddenParts = { start: boolean; end: boolean; inside: number[] };

const HIDDEN = 0.65;
/** A line of so many pixels shows what hides it. In smaller ones what is whole looks hidden more often. */
const LARGE = 48;
const HIDDEN_LARGE = 0.3;
/** Few numbers begin with a zero, so that one before it is missing more often than not. */
const HIDDEN_BEFORE_ZERO = 0.05;
const HIDDEN_INSIDE = 0.5;
/** Less is enough where the reader sees something there too: neither alone can be trusted, both together can. */
const DOUBTFUL = 0.08;
const SEEN_BEYOND = 0.25;
const NOTHING = { start: 0, end: 0 };
/** Of the middles of two characters, in heights of the line: where one is missing between them, they are no closer. */
const WIDE_STEP = 0.6;

export async function hiddenParts({ lineEnds, reader }: EndModels, picture: Pyramid, line: Line): Promise<HiddenParts> {
  const half = line.area.width / 2;
  const gaps = wideGaps(line);
  const places = [{ along: -half, sides: [-1] }, { along: half, sides: [1] }, ...gaps.map((gap) => between(line, gap))];
  const likely = await judge(lineEnds, picture, line, { places, sizes: "three" });
  const [start, end, ...inside] = likely as [number, number, ...number[]];
  const enough = line.area.height < LARGE ? HIDDEN : HIDDEN_LARGE;
  const least = { start: line.text.startsWith("0") ? HIDDEN_BEFORE_ZERO : enough, end: enough };
  const isInDoubt = isBetween(start, DOUBTFUL, least.start) || isBetween(end, DOUBTFUL, least.end);
  const beyond = isInDoubt ? await readBeyond(reader, picture, line) : NOTHING;
  return {
    start: start > least.start || (start > DOUBTFUL && beyond.start > SEEN_BEYOND),
    end: end > least.end || (end > DOUBTFUL && beyond.end > SEEN_BEYOND),
    inside: gaps.filter((_, n) => (inside[n] as number) > HIDDEN_INSIDE),
  };
}

function isBetween(likely: number, above: number, most: number): boolean {
  return likely > above && likely <= most;
}

/** After how many characters there is room for one more. */
function wideGaps({ area, middles }: Line): number[] {
  const steps = middles.slice(1).map((middle, n) => (middle - (middles[n] as number)) / area.height);
  return steps.flatMap((step, n) => (step >= WIDE_STEP ? [n + 1] : []));
}

function between({ middles }: Line, gap: number): Place {
  return { along: ((middles[gap - 1] as number) + (middles[gap] as number)) / 2, sides: BOTH };
}
