/** What the model is shown of a line's characters. What it makes of them: see eye.test.ts and the bench. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { coveredCharacters } from "./covered-characters.ts";
import { buildPyramid } from "./raster.ts";

const [WIDTH, ROWS] = [140, 84];
const PLANE = WIDTH * ROWS;
/** Where the character is in each view. */
const PLACE = { x: 98, y: 42 };
/** Of each character, from both sides. */
const VIEWS = 2;
const LINE = { area: { x: 120, y: 100, width: 80, height: 28, angle: 0 }, text: "12" };

/** `likely`: of each character, seen towards the start and towards the end. */
async function shownOf(middles: number[], likely: number[]) {
  const picture = await buildPyramid({ width: 250, height: 250, data: new Uint8Array(250 * 250 * 3) });
  let views = new Float32Array();
  const model = {
    run: async (input: Float32Array, shape: number[]) => {
      assert.deepEqual(shape, [VIEWS * middles.length, 4, ROWS, WIDTH]);
      views = Float32Array.from(input);
      return [Float32Array.from(likely)];
    },
  };
  const covered = await coveredCharacters(model, picture, { ...LINE, middles });
  /** The columns in which a character is marked most. */
  const marks = (character: number, side: number) => {
    const view = VIEWS * character + side;
    const row = [...views.subarray((view * 4 + 3) * PLANE).subarray(0, WIDTH)];
    return row.flatMap((mark, x) => (mark > 0.93 * 255 ? [x] : []));
  };
  return { covered, marks };
}

test("each character is looked at from both sides, the others marked too", async () => {
  const { marks } = await shownOf([-10, 5], [0, 0, 0, 0]);
  // Between two columns, so that both are marked.
  assert.deepEqual(marks(0, 0), [PLACE.x - 16, PLACE.x - 15, PLACE.x - 1, PLACE.x]);
  assert.deepEqual(marks(0, 1), [PLACE.x - 1, PLACE.x, PLACE.x + 14, PLACE.x + 15]);
  assert.deepEqual(marks(1, 1), [PLACE.x - 16, PLACE.x - 15, PLACE.x - 1, PLACE.x]);
});

test("a character is covered where both sides together are sure", async () => {
  assert.deepEqual((await shownOf([-10, 4], [0.1, 0.2, 0.99, 0.97])).covered, [1]);
  assert.deepEqual((await shownOf([-10, 4], [0.9, 0.999, 0.99, 0.1])).covered, [0]);
  assert.deepEqual((await shownOf([-10, 4], [0.93, 0.93, 0.87, 0.87])).covered, [0]);
});

test("the characters of a whole sentence are not looked at", async () => {
  const nobody = { run: () => Promise.reject(new Error("It was looked at.")) };
  const picture = await buildPyramid({ width: 250, height: 250, data: new Uint8Array(250 * 250 * 3) });
  const middles = Array.from({ length: 9 }, (_, n) => 8 * n - 32);
  assert.deepEqual(await coveredCharacters(nobody, picture, { ...LINE, text: "RUN 10 KM", middles }), []);
});
