/** Counters become rates: per second or minute, over a while, with a break where nobody looked. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  addSample,
  latestAndPeak,
  NO_RATES,
  type Rates,
  type Sample,
} from "../../web/src/pages/organizer/dashboard/rates.ts";

const PER_SECOND = { perMs: 1000, overMs: 500, keepMs: 10_000, gapMs: 3000 };
const samples = (...counts: number[]): Sample[] => counts.map((count, i) => ({ at: 1000 * i, counts: [count] }));
const follow = (all: Sample[], settings = PER_SECOND) =>
  all.reduce<Rates>((rates, sample) => addSample(rates, sample, settings), NO_RATES);
const shown = ({ points }: Rates) => points.map(({ at, values }) => [at, ...values]);

test("one look tells no rate, the next ones do", () => {
  assert.deepEqual(shown(follow(samples(5))), []);
  assert.deepEqual(shown(follow(samples(5, 25, 25))), [
    [1000, 20],
    [2000, 0],
  ]);
});

test("the time between looks counts, however long it was", () => {
  const rates = follow([
    { at: 0, counts: [0] },
    { at: 2500, counts: [10] },
  ]);
  assert.deepEqual(shown(rates), [[2500, 4]]);
});

test("a look right after another is left out, and takes nothing from the next", () => {
  const rates = follow([...samples(0, 10), { at: 1100, counts: [15] }, { at: 2000, counts: [30] }]);
  assert.deepEqual(shown(rates), [
    [1000, 10],
    [2000, 20],
  ]);
});

test("over a longer while, single ones do not look like a flood", () => {
  const rates = follow(samples(0, 1, 1, 1, 1), { ...PER_SECOND, perMs: 60_000, overMs: 4000 });
  assert.deepEqual(
    shown(rates).map(([, value]) => value),
    [60, 30, 20, 15],
  );
});

test("where nobody looked, the line breaks and begins anew", () => {
  const rates = follow([...samples(0, 10), { at: 9000, counts: [500] }, { at: 10_000, counts: [503] }]);
  assert.deepEqual(shown(rates), [
    [1000, 10],
    [1001, null],
    [10_000, 3],
  ]);
  assert.deepEqual(latestAndPeak(rates.points, 0), { now: 3, peak: 10 });
});

test("what is older than is kept goes, and no counter goes backwards", () => {
  const rates = follow(samples(...Array.from({ length: 15 }, (_, i) => i * i), 0));
  assert.deepEqual(shown(rates).at(-1), [15_000, 0]);
  assert.equal(rates.points.length, 10);
  assert.ok(rates.samples.length <= 2);
});
