/** Scores and rosters of the vision benchmark. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { makeRoster, scoreOf, tallyPhoto } from "./score.ts";

test("a number that is visible but not labelled is neither missed nor, if visible ones count, wrong", () => {
  const expected = { numbers: ["12", "345"], alsoVisible: ["6789"] };
  assert.deepEqual(tallyPhoto(["12", "6789", "99"], expected), { read: 3, labelled: 2, right: 1, rightOrVisible: 2 });
  assert.deepEqual(tallyPhoto([], expected), { read: 0, labelled: 2, right: 0, rightOrVisible: 0 });
});

test("a number counts once per photo, however often it was read or labelled", () => {
  const tally = tallyPhoto(["12", "12"], { numbers: ["12", "12"], alsoVisible: ["12"] });
  assert.deepEqual(tally, { read: 1, labelled: 1, right: 1, rightOrVisible: 1 });
});

test("every number weighs the same, whichever photo it is in", () => {
  const score = scoreOf([
    { read: 1, labelled: 1, right: 1, rightOrVisible: 1 },
    { read: 4, labelled: 3, right: 1, rightOrVisible: 3 },
  ]);
  assert.deepEqual(score, { recall: 2 / 4, precision: 2 / 5, precisionWithVisible: 4 / 5, f: 0.4 / 0.9 });
});

test("a roster has every known number, as many as asked, and no leading zeros", () => {
  const known = ["3638", "7", "A12"];
  const roster = makeRoster(known, 5000, 1);
  assert.equal(roster.size, 5000);
  for (const number of known) assert.ok(roster.has(number), number);
  const drawn = [...roster].filter((number) => !known.includes(number));
  for (const number of drawn) assert.match(number, /^[1-9]\d{0,4}$/);
  assert.deepEqual([...new Set(drawn.map((number) => number.length))].sort(), [1, 2, 3, 4, 5]);
});

test("the same seed gives the same roster, another seed another", () => {
  assert.deepEqual(makeRoster(["1"], 500, 3), makeRoster(["1"], 500, 3));
  assert.notDeepEqual(makeRoster(["1"], 500, 3), makeRoster(["1"], 500, 4));
});
