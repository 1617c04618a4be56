/** What a runner's fields take, and how they are kept. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { RunnerFields } from "./runner.ts";

const { name, gender, team, age, finishTime, timingResult } = RunnerFields.shape;

test("text is trimmed and composed, and nothing is null", () => {
  assert.equal(name.parse("  김민수 ".normalize("NFD")), "김민수");
  assert.equal(team.parse(" \u3000 "), null);
  assert.equal(name.parse(null), null);
});

test("text has a longest length, counted as it is kept", () => {
  assert.equal(name.parse(` ${"각".repeat(200).normalize("NFD")} `), "각".repeat(200));
  assert.equal(name.safeParse("a".repeat(201)).success, false);
  assert.equal(team.safeParse("a".repeat(201)).success, false);
  assert.equal(gender.safeParse("a".repeat(21)).success, false);
});

test("text is one line of whole characters", () => {
  for (const bad of ["a\nb", "a\u0000b", "a\u2028b", "a\ud800b", "a\u0085b"]) {
    assert.equal(name.safeParse(bad).success, false, JSON.stringify(bad));
  }
  assert.equal(name.parse("👩‍👩‍👧 O'Brien"), "👩‍👩‍👧 O'Brien");
});

test("a finish time is filled up", () => {
  assert.equal(finishTime.parse("03:25:10"), "03:25:10");
  assert.equal(finishTime.parse(" 3:25:10.5 "), "03:25:10.500");
  assert.equal(finishTime.parse("０３：２５：１０"), "03:25:10");
  assert.equal(finishTime.parse(""), null);
  for (const bad of ["25:10", "03:60:00", "03:25:60", "003:25:10", "3h25", "03:25:10.1234", "DNF"]) {
    assert.equal(finishTime.safeParse(bad).success, false, bad);
  }
});

test("an age is a whole number from 0 to 130", () => {
  assert.deepEqual(
    [0, 130, null].map((value) => age.parse(value)),
    [0, 130, null],
  );
  for (const bad of [-1, 131, 1.5, Number.NaN, "30"]) assert.equal(age.safeParse(bad).success, false, String(bad));
});

test("a timing result is JSON that the database can keep", () => {
  for (const good of [null, 0, false, "", "\\u0000", { split: [1, "2", null] }, "a".repeat(3998), "😀"]) {
    assert.equal(timingResult.safeParse(good).success, true, JSON.stringify(good));
  }
  const deep: unknown = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
  for (const bad of [undefined, "a".repeat(3999), "\u0000", { "\u0000": 1 }, ["\\\u0000"], "\ud800", deep]) {
    assert.equal(timingResult.safeParse(bad).success, false);
  }
});

test("a field that is not known is refused", () => {
  assert.equal(RunnerFields.partial().safeParse({ bib: "1", shoe: 42 }).success, false);
});
