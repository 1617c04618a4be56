/** What the model is shown of a line's ends. What it makes of them: see eye.test.ts and the bench. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { TurnedArea } from "./areas.ts";
import { hiddenEnds } from "./line-ends.ts";
import { buildPyramid, type Pyramid } from "./raster.ts";

const [WIDTH, ROWS] = [140, 84];
/** Where the line ends in each view. */
const END = { x: 98, y: 42 };
const PLANE = WIDTH * ROWS;

/** Red says how far right a pixel is, green how far down. */
function slopes(size: number): Promise<Pyramid> {
  const data = new Uint8Array(size * size * 3);
  for (let i = 0; i < size * size; i += 1) data.set([i % size, Math.floor(i / size), 0], i * 3);
  return buildPyramid({ width: size, height: size, data });
}

async function viewsOf(area: TurnedArea, { middles = [0], likely = [0, 0], text = "12" } = {}) {
  let views = new Float32Array();
  const ends = await hiddenEnds(
    {
      run: async (input, shape) => {
        assert.deepEqual(shape, [6, 4, ROWS, WIDTH]);
        views = Float32Array.from(input);
        return [Float32Array.from(likely.flatMap((each) => [each, each, each]))];
      },
    },
    await slopes(250),
    { area, text, middles },
  );
  const middle = (end: number) => (3 * end + 1) * 4 * PLANE;
  /** The place in the picture, of a pixel in the view of the middle size. */
  const at = (end: number, x: number, y: number) => {
    const pixel = middle(end) + y * WIDTH + x;
    return [views[pixel], views[pixel + PLANE]].map((value) => Math.round(value as number));
  };
  /** The columns in which a character is marked most. */
  const marks = (end: number) => {
    const row = [...views.subarray(middle(end) + 3 * PLANE).subarray(0, WIDTH)];
    return row.flatMap((mark, x) => (mark > 0.93 * 255 ? [x] : []));
  };
  return { ends, at, marks, views };
}

test("an end is always at the same place, the line to the left of it", async () => {
  const { at } = await viewsOf({ x: 120, y: 100, width: 80, height: 28, angle: 0 });
  assert.deepEqual(at(1, END.x, END.y), [160, 100]);
  assert.deepEqual(at(1, END.x - 30, END.y - 20), [130, 80]);
  assert.deepEqual(at(1, END.x + 30, END.y + 20), [190, 120]);
});

test("a start is mirrored, and not upside down", async () => {
  const { at } = await viewsOf({ x: 120, y: 100, width: 80, height: 28, angle: 0 });
  const [x, y] = at(0, END.x, END.y) as [number, number];
  assert.ok(Math.abs(x - 80) <= 1 && y === 100);
  assert.deepEqual(at(0, END.x - 30, END.y - 20), [x + 30, 80]);
});

test("a view is turned and as large as its line", async () => {
  const { at } = await viewsOf({ x: 120, y: 100, width: 80, height: 14, angle: Math.PI / 2 });
  const [x, y] = at(1, END.x, END.y) as [number, number];
  assert.ok(Math.abs(x - 120) <= 1 && Math.abs(y - 140) <= 1);
  assert.deepEqual(at(1, END.x - 40, END.y + 20), [x - 10, y - 20]);
});

test("an end is shown larger and smaller too, at the same place", async () => {
  const { views } = await viewsOf({ x: 120, y: 100, width: 80, height: 28, angle: 0 });
  const red = (view: number, x: number) => Math.round(views[view * 4 * PLANE + END.y * WIDTH + x] as number);
  assert.deepEqual(
    [3, 4, 5].map((view) => red(view, END.x)),
    [160, 160, 160],
  );
  assert.deepEqual(
    [3, 4, 5].map((view) => red(view, END.x - 50)),
    [116, 110, 104],
  );
});

test("characters are marked where they were read, seen from each end", async () => {
  const { marks } = await viewsOf({ x: 120, y: 100, width: 80, height: 28, angle: 0 }, { middles: [-20.5, 9.5] });
  assert.deepEqual(marks(0), [END.x - 50, END.x - 20]);
  assert.deepEqual(marks(1), [END.x - 61, END.x - 31]);
});

test("what is likely enough is hidden", async () => {
  const area = { x: 120, y: 100, width: 80, height: 28, angle: 0 };
  assert.deepEqual((await viewsOf(area, { likely: [0.99, 0.01] })).ends, { start: true, end: false });
  assert.deepEqual((await viewsOf(area, { likely: [0.5, 0.98] })).ends, { start: false, end: true });
});

test("before a zero, hardly likely is enough", async () => {
  const area = { x: 120, y: 100, width: 80, height: 28, angle: 0 };
  assert.deepEqual((await viewsOf(area, { likely: [0.2, 0.2], text: "012" })).ends, { start: true, end: false });
  assert.deepEqual((await viewsOf(area, { likely: [0.05, 0.2], text: "012" })).ends, { start: false, end: false });
});
