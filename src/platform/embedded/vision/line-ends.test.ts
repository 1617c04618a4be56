/** What the model is shown of a line's ends and gaps. What it makes of them: see eye.test.ts and the bench. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { TurnedArea } from "./areas.ts";
import { hiddenParts } from "./line-ends.ts";
import { buildPyramid, type Pyramid } from "./raster.ts";

const [WIDTH, ROWS] = [140, 84];
/** Where the line ends in each view, or the gap is. */
const END = { x: 98, y: 42 };
const PLANE = WIDTH * ROWS;
/** More would take too much of a worker's memory. */
const AT_ONCE = 6;
const AREA = { x: 120, y: 100, width: 80, height: 28, angle: 0 };

/** Red says how far right a pixel is, green how far down. */
function slopes(size: number): Promise<Pyramid> {
  const data = new Uint8Array(size * size * 3);
  for (let i = 0; i < size * size; i += 1) data.set([i % size, Math.floor(i / size), 0], i * 3);
  return buildPyramid({ width: size, height: size, data });
}

const LETTERS = ["", "1", "2", "3", "7", " "];

/** Reads `text` in every view, with that much of a 7 before it and behind it. */
function readerOf(text: string, beyond: { start: number; end: number }) {
  const step = (letter: string, sure: number) =>
    LETTERS.map((each) => (each === letter ? sure : each === "" ? 1 - sure : 0));
  const steps = [step("7", beyond.start), ...[...text].map((letter) => step(letter, 1)), step("7", beyond.end)];
  let readings = 0;
  const run = async () => {
    readings += 1;
    return [new Float32Array(steps.flat())];
  };
  return { reader: { model: { run }, letters: LETTERS }, readings: () => readings };
}

/** `likely`: of the start, the end, and each gap as seen towards the start and towards the end. */
async function viewsOf(
  area: TurnedArea,
  { middles = [0], likely = [0, 0], text = "12", reader = readerOf(text, { start: 0, end: 0 }).reader } = {},
) {
  const parts: Float32Array<ArrayBuffer>[] = [];
  const answers = likely.flatMap((each) => [each, each, each]);
  const hidden = await hiddenParts(
    {
      lineEnds: {
        run: async (input, [count, ...view]) => {
          assert.ok(count !== undefined && count <= AT_ONCE, `${count} views at once`);
          assert.deepEqual(view, [4, ROWS, WIDTH]);
          parts.push(Float32Array.from(input));
          return [Float32Array.from(answers.splice(0, count))];
        },
      },
      reader,
    },
    await slopes(250),
    { area, text, middles },
  );
  assert.equal(answers.length, 0);
  const views = new Float32Array(await new Blob(parts).arrayBuffer());
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
  return { hidden, at, marks, views };
}

test("an end is always at the same place, the line to the left of it", async () => {
  const { at } = await viewsOf(AREA);
  assert.deepEqual(at(1, END.x, END.y), [160, 100]);
  assert.deepEqual(at(1, END.x - 30, END.y - 20), [130, 80]);
  assert.deepEqual(at(1, END.x + 30, END.y + 20), [190, 120]);
});

test("a start is mirrored, and not upside down", async () => {
  const { at } = await viewsOf(AREA);
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
  const { views } = await viewsOf(AREA);
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
  const { marks } = await viewsOf(AREA, { middles: [-20.5, -5.5] });
  assert.deepEqual(marks(0), [END.x - 35, END.x - 20]);
  assert.deepEqual(marks(1), [END.x - 61, END.x - 46]);
});

test("what is likely enough is hidden", async () => {
  const hiddenAt = async (likely: number[]) => (await viewsOf(AREA, { likely, text: "123" })).hidden;
  assert.deepEqual(await hiddenAt([0.99, 0.01]), { start: true, end: false, inside: [] });
  assert.deepEqual(await hiddenAt([0.6, 0.98]), { start: false, end: true, inside: [] });
});

test("less is enough where the reader sees something beyond that end as well", async () => {
  const { reader } = readerOf("123", { start: 0.1, end: 0.4 });
  const hiddenAt = async (likely: number[]) => (await viewsOf(AREA, { likely, text: "123", reader })).hidden;
  assert.deepEqual(await hiddenAt([0.3, 0.3]), { start: false, end: true, inside: [] });
  assert.deepEqual(await hiddenAt([0.3, 0.05]), { start: false, end: false, inside: [] });
});

test("the reader is asked only where there is a doubt, and counts only where it reads the same", async () => {
  const asked = async (likely: number[], read: string) => {
    const { reader, readings } = readerOf(read, { start: 0.4, end: 0.4 });
    const { hidden } = await viewsOf(AREA, { likely, text: "123", reader });
    return [hidden.end, readings() > 0];
  };
  assert.deepEqual(await asked([0.01, 0.01], "123"), [false, false]);
  assert.deepEqual(await asked([0.01, 0.99], "123"), [true, false]);
  assert.deepEqual(await asked([0.01, 0.3], "123"), [true, true]);
  assert.deepEqual(await asked([0.01, 0.3], "12"), [false, true]);
});

test("before a zero, hardly likely is enough", async () => {
  const hiddenAt = async (likely: number[]) => (await viewsOf(AREA, { likely, text: "012" })).hidden;
  assert.deepEqual(await hiddenAt([0.1, 0.1]), { start: true, end: false, inside: [] });
  assert.deepEqual(await hiddenAt([0.03, 0.1]), { start: false, end: false, inside: [] });
});

test("of a large line, less is enough than of a small one", async () => {
  const isHidden = async (height: number) => (await viewsOf({ ...AREA, height }, { likely: [0, 0.5] })).hidden.end;
  assert.deepEqual([await isHidden(28), await isHidden(47), await isHidden(48)], [false, false, true]);
});

test("a wide gap is looked at from both sides, the characters beyond it marked too", async () => {
  const { at, marks } = await viewsOf(AREA, { middles: [-20.5, -5.5, 15.5], likely: [0, 0, 0, 0] });
  assert.deepEqual(at(3, END.x, END.y), [125, 100]);
  assert.deepEqual(marks(2), [END.x - 11, END.x + 10, END.x + 25]);
  assert.deepEqual(marks(3), [END.x - 26, END.x - 11, END.x + 10]);
});

test("a character is missing where both sides together say so", async () => {
  const insideAt = async (likely: number[]) => (await viewsOf(AREA, { middles: [-20, 0, 20], likely })).hidden.inside;
  assert.deepEqual(await insideAt([0, 0, 0.9, 0.9, 0.1, 0.1]), [1]);
  assert.deepEqual(await insideAt([0, 0, 0.9, 0.1, 0.6, 0.99]), [2]);
});
