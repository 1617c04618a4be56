/** Whether a line of text goes on out of sight, behind an arm, another runner or a fold: judged by what is around its ends. */

import type { TurnedArea } from "./areas.ts";
import { look, type Pyramid, type View } from "./raster.ts";
import type { Model } from "./session.ts";

export type LineEnds = { start: boolean; end: boolean };
/** `middles`: where its characters were read, in pixels of the picture along the line from its middle. */
export type Line = { area: TurnedArea; text: string; middles: number[] };

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
const HIDDEN = 0.88;
/** Few numbers begin with a zero, so that one before it is missing more often than not. */
const HIDDEN_BEFORE_ZERO = 0.1;

/** Each end is shown at three sizes: the height of a line is the detector's guess. */
const SIZES = [0.88, 1, 1.13];
/** Of a single character its rectangle is closer around the ink. */
const SINGLE_SIZES = [1.06, 1.2, 1.36];

export async function hiddenEnds(model: Model, picture: Pyramid, line: Line): Promise<LineEnds> {
  const sizes = line.text.length === 1 ? SINGLE_SIZES : SIZES;
  const steps = sizes.map((size) => (size * line.area.height) / HEIGHT);
  const shown = [-1, 1].flatMap((side) => steps.map((step) => viewOf(picture, line, side, step)));
  const views = new Float32Array(shown.length * PLANES * PLANE);
  for (const [index, view] of shown.entries()) views.set(view, index * PLANES * PLANE);
  const [likely] = (await model.run(views, [shown.length, PLANES, ROWS, WIDTH])) as [Float32Array];
  const [start, end] = [together(likely.subarray(0, steps.length)), together(likely.subarray(steps.length))];
  return { start: start > (line.text.startsWith("0") ? HIDDEN_BEFORE_ZERO : HIDDEN), end: end > HIDDEN };
}

/** The mean of what speaks for it and against it. */
function together(likely: Float32Array): number {
  const sure = 1e-6;
  const odds = likely.map((each) => Math.log((each + sure) / (1 - each + sure)));
  return 1 / (1 + Math.exp(-odds.reduce((sum, each) => sum + each, 0) / odds.length));
}

/** `step`: how many of the picture's pixels one of the view's is. */
function viewOf(picture: Pyramid, line: Line, side: number, step: number): Float32Array {
  const view = new Float32Array(PLANES * PLANE);
  view.set(look(picture, endView(line.area, side, step), WIDTH, ROWS, AS_THEY_ARE));
  markCharacters(view.subarray(3 * PLANE), line, side, step);
  return view;
}

/** Turned as the line is; the start is mirrored, so that every line comes from the left and ends at the same place. */
function endView(area: TurnedArea, side: number, step: number): View {
  const [cos, sin] = [Math.cos(area.angle), Math.sin(area.angle)];
  const [ax, ay, bx, by] = [side * cos * step, side * sin * step, -sin * step, cos * step];
  const [x, y] = [INSIDE * HEIGHT, BESIDE * HEIGHT];
  const reach = (side * area.width) / 2;
  return { ax, ay, bx, by, cx: area.x + reach * cos - ax * x - bx * y, cy: area.y + reach * sin - ay * x - by * y };
}

/** So that the rest of a character can be told from one that was read. */
function markCharacters(plane: Float32Array, { area, middles }: Line, side: number, step: number): void {
  const places = middles.map((middle) => INSIDE * HEIGHT + (side * middle - area.width / 2) / step);
  for (let x = 0; x < WIDTH; x += 1) {
    const away = Math.min(...places.map((place) => Math.abs(x + 0.5 - place)));
    const mark = 255 * Math.max(0, 1 - away / MARK);
    for (let y = 0; y < ROWS; y += 1) plane[y * WIDTH + x] = mark;
  }
}
