/** What is around a place of a line of text, as models are shown it to tell whether something is out of sight there. */

import type { TurnedArea } from "./areas.ts";
import { look, type Pyramid, type View } from "./raster.ts";
import type { Model } from "./session.ts";

/** `middles`: where its characters are, in pixels of the picture along the line from its middle. */
export type Line = { area: TurnedArea; text: string; middles: number[] };
/** `along`: in pixels of the picture from the line's middle. `sides`: which way it is looked at, -1 towards the start and 1 towards the end. */
export type Place = { along: number; sides: number[] };

/** What is inside a line is seen from both sides: either may show best what is before it. */
export const BOTH = [-1, 1];

/** What the models were trained on (training/line-ends/draw.py): pixels to a line's height, and heights in each direction. */
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

/** The height of a line is the detector's guess: ends and gaps are judged better at three sizes, characters are not. */
const SIZES = { one: [1], three: [0.88, 1, 1.13] };
/** Of a single character its rectangle is closer around the ink. */
const SINGLE_SIZES = { one: [1.2], three: [1.06, 1.2, 1.36] };

/** More of them take more memory and no less time. */
const AT_ONCE = 6;

/** How likely it is, of each place, that something is out of sight there. */
export async function judge(
  model: Model,
  picture: Pyramid,
  line: Line,
  { places, sizes }: { places: Place[]; sizes: keyof typeof SIZES },
): Promise<number[]> {
  const shares = (line.text.length === 1 ? SINGLE_SIZES : SIZES)[sizes];
  const steps = shares.map((size) => (size * line.area.height) / HEIGHT);
  const shown = places.flatMap(({ along, sides }) =>
    sides.flatMap((side) => steps.map((step) => () => viewOf(picture, line, along, side, step))),
  );
  const likely = new Float32Array(shown.length);
  for (let from = 0; from < shown.length; from += AT_ONCE) {
    likely.set(await judgeViews(model, shown.slice(from, from + AT_ONCE)), from);
  }
  let next = 0;
  return places.map(({ sides }) => {
    const count = sides.length * steps.length;
    next += count;
    return together(likely.subarray(next - count, next));
  });
}

async function judgeViews(model: Model, shown: (() => Float32Array)[]): Promise<Float32Array> {
  const views = new Float32Array(shown.length * PLANES * PLANE);
  for (const [index, view] of shown.entries()) views.set(view(), index * PLANES * PLANE);
  const [likely] = (await model.run(views, [shown.length, PLANES, ROWS, WIDTH])) as [Float32Array];
  return likely;
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
