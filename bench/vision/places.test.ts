/** Places in pictures: within, around, and from pixels. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { boxOfPlace, holdsMiddle, widened } from "./places.ts";

const BOX = { left: 0.25, top: 0.5, width: 0.25, height: 0.125 };

test("only the middle has to lie in the area", () => {
  assert.ok(holdsMiddle(BOX, { left: 0.125, top: 0.375, width: 0.5, height: 0.375 }));
  assert.ok(!holdsMiddle(BOX, { left: 0.45, top: 0.5, width: 0.25, height: 0.125 }));
  assert.ok(!holdsMiddle(BOX, { left: 0.25, top: 0.3, width: 0.25, height: 0.125 }));
});

test("a box grows on every side, as far as the picture goes", () => {
  assert.deepEqual(widened(BOX, 0.5, 1), { left: 0.125, top: 0.375, width: 0.5, height: 0.375 });
  assert.deepEqual(widened(BOX, 4, 8), { left: 0, top: 0, width: 1, height: 1 });
});

test("pixels become fractions of the picture", () => {
  assert.deepEqual(boxOfPlace([100, 200, 100, 50], { width: 400, height: 400 }), BOX);
});
