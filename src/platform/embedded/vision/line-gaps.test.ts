/** A gap inside a line is told from digits that are wide, narrow or far apart. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { gapsIn } from "./line-gaps.ts";
import type { ReadLine } from "./text-reader.ts";

/** Digits with their middles there, in heights of a line that is 4 heights long. */
function line(...middles: number[]): ReadLine {
  const characters = middles.map((middle) => ({
    text: "8",
    confidence: 1,
    from: (middle - 0.1) / 4,
    to: (middle + 0.1) / 4,
    others: [],
  }));
  return { text: "8".repeat(middles.length), confidence: 1, characters };
}

test("where a character is missing, there is a gap", () => {
  assert.deepEqual(gapsIn(line(0.5, 1, 2, 2.5), 4), [2]);
  assert.deepEqual(gapsIn(line(0.5, 1.5, 2, 2.5), 4), [1]);
  assert.deepEqual(gapsIn(line(0.3, 0.8, 1.3, 1.8, 2.8, 3.8), 4), [4, 5]);
});

test("narrow digits beside wide ones leave none", () => {
  assert.deepEqual(gapsIn(line(0.5, 0.9, 1.3, 2), 4), []);
  assert.deepEqual(gapsIn(line(0.5, 0.9, 1.7), 4), []);
});

test("digits that are all far apart leave none", () => assert.deepEqual(gapsIn(line(0.5, 1.5, 2.5, 3.5), 4), []));

test("two digits are measured by the line's height alone", () => {
  assert.deepEqual(gapsIn(line(1, 1.9), 4), []);
  assert.deepEqual(gapsIn(line(1, 2), 4), [1]);
});

test("in one digit and in none there is no gap", () => {
  assert.deepEqual(gapsIn(line(1), 4), []);
  assert.deepEqual(gapsIn(line(), 4), []);
});
