/** Where characters of a line are out of sight, behind an arm, a strap, another runner or a fold: judged by what is around its ends and its wide gaps. */

import type { TurnedArea } from "./areas.ts";
import { look, type Pyramid, type View } from "./raster.ts";
import type { Model } from "./session.ts";

/** `inside`: after how many characters one is missing. */
export type HiddenParts = { start: boolean; end: boolean; inside: number[] };
/** `middles`: where its characters are, in pixels of the picture along the line from its middle. */
export type Line = { area: TurnedArea; text: string; middles: number[] };
/** `along`: in pixels of the picture from the line's middle. `sides`: which way it is looked at, -1 towards the start and 1 towards the end. */
type Place = { along: number; sides: number[] };

/** What the model was trained on (training/line-ends/draw.py): pixels to a line's height, and heights in each direction. */
const HEIGHT = 28;
const INSIDE = 3.5;
const OUTSIDE = 1.5;
const BESIDE = 1.5;
const WIDTH = (INSIDE + OUTSIDE) * HEIGHT;
const ROWS = 2 * BESIDE * HEIGHT;
/** Half the width of the mark for a character. */
const MARK = 0.3 * HEIGHT;
const PLANES = 4;
const PLANE = WIDTH * ROWS;
/** From 0 to 255: the model's own first step is to normalise them. */
const AS_THEY_ARE = { mean: [0, 0, 0], scale: [1, 1, 1] } as const;
const HIDDEN = 0.8;
/** Few numbers are so short, and what is left of a longer one often is. */
const SHORT = 2;
const HIDDEN_SHORT = 0.5;
/** Few numbers begin with a zero, so that one before it is missing more often than not. */
const HIDDEN_BEFORE_ZERO = 0.1;
const HIDDEN_INSIDE = 0.7;
/** Of the middles of two characters, in heights of the line: where one is missing between them, they are no closer. */
const WIDE_STEP = 0.6;

/** Each place is shown at three sizes: the height of a line is the detector's guess. */
const SIZES = [0.88, 1, 1.13];
/** Of a single character its rectangle is closer around the ink. */
const SINGLE_SIZES = [1.06, 1.2, 1.36];

export async function hiddenParts(model: Model, picture: Pyramid, line: Line): Promise<HiddenParts> {
  const half = line.area.width / 2;
  const gaps = wideGaps(line);
  const places = [{ along: -half, sides: [-1] }, { along: half, sides: [1] }, ...gaps.map((gap) => between(line, gap))];
  const likely = await judge(model, picture, line, places);
  const [start, end, ...inside] = likely as [number, number, ...number[]];
  const enough = line.text.length <= SHORT ? HIDDEN_SHORT : HIDDEN;
  return {
    start: start > (line.text.startsWith("0") ? HIDDEN_BEFORE_ZERO : enough),
    end: end > enough,
    inside: gaps.filter((_, n) => (inside[n] as number) > HIDDEN_INSIDE),
  };
}

/** After how many characters there is room for one more. */
function wideGaps({ area, middles }: Line): number[] {
  const steps = middles.slice(1).map((middle, n) => (middle - (middles[n] as number)) / area.height);
  return steps.flatMap((step, n) => (step >= WIDE_STEP ? [n + 1] : []));
}

/** Seen from both sides: either may show best what is before it. */
function between({ middles }: Line, gap: number): Place {
  return { along: ((middles[gap - 1] as number) + (middles[gap] as number)) / 2, sides: [-1, 1] };
}

async function judge(model: Model, picture: Pyramid, line: Line, places: Place[]): Promise<number[]> {
  const sizes = line.text.length === 1 ? SINGLE_SIZES : SIZES;
  const steps = sizes.map((size) => (size * line.area.height) / HEIGHT);
  const shown = places.flatMap(({ along, sides }) =>
    sides.flatMap((side) => steps.map((step) => viewOf(picture, line, along, side, step))),
  );
  const views = new Float32Array(shown.length * PLANES * PLANE);
  for (const [index, view] of shown.entries()) views.set(view, index * PLANES * PLANE);
  const [likely] = (await model.run(views, [shown.length, PLANES, ROWS, WIDTH])) as [Float32Array];
  let next = 0;
  return places.map(({ sides }) => {
    const count = sides.length * steps.length;
    next += count;
    return together(likely.subarray(next - count, next));
  });
}

/** The mean of what speaks for it and against it. */
function together(likely: Float32Array): number {
  const sure = 1e-6;
  const odds = likely.map((each) => Math.log((each + sure) / (1 - each + sure)));
  return 1 / (1 + Math.exp(-odds.reduce((sum, each) => sum + each, 0) / odds.length));
}

/** `step`: how many of the picture's pixels one of the view's is. */
function viewOf(picture: Pyramid, line: Line, along: number, side: number, step: number): Float32Array {
  const view = new Float32Array(PLANES * PLANE);
  view.set(look(picture, viewAt(line.area, along, side, step), WIDTH, ROWS, AS_THEY_ARE));
  markCharacters(view.subarray(3 * PLANE), line.middles, along, side, step);
  return view;
}

/** Turned as the line is, the place always at the same spot; towards the start it is mirrored, so that every line comes from the left. */
function viewAt(area: TurnedArea, along: number, side: number, step: number): View {
  const [cos, sin] = [Math.cos(area.angle), Math.sin(area.angle)];
  const [ax, ay, bx, by] = [side * cos * step, side * sin * step, -sin * step, cos * step];
  const [x, y] = [INSIDE * HEIGHT, BESIDE * HEIGHT];
  return { ax, ay, bx, by, cx: area.x + along * cos - ax * x - bx * y, cy: area.y + along * sin - ay * x - by * y };
}

/** So that the rest of a character can be told from one that was read. */
function markCharacters(plane: Float32Array, middles: number[], along: number, side: number, step: number): void {
  const places = middles.map((middle) => INSIDE * HEIGHT + (side * (middle - along)) / step);
  for (let x = 0; x < WIDTH; x += 1) {
    const away = Math.min(...places.map((place) => Math.abs(x + 0.5 - place)));
    const mark = 255 * Math.max(0, 1 - away / MARK);
    for (let y = 0; y < ROWS; y += 1) plane[y * WIDTH + x] = mark;
  }
}
