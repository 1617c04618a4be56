/** Pairs of faces and the share of them that is accepted. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { acceptedAt, allPairs } from "./verification.ts";

const face = (person: string, ...embedding: number[]) => ({ person, embedding: Float32Array.from(embedding) });

test("each two faces are a pair once, of one person or of two", () => {
  const { same, different } = allPairs([face("a", 1, 0), face("a", 0.6, 0.8), face("b", 0, 1), face("c", -1, 0)]);
  assert.deepEqual(
    [...same].map((value) => value.toFixed(3)),
    ["0.600"],
  );
  assert.deepEqual(
    [...different].map((value) => value.toFixed(3)),
    ["-1.000", "-0.600", "0.000", "0.000", "0.800"],
  );
});

test("with no wrong pair allowed, the best of them is the bar", () => {
  const cosines = { same: Float64Array.of(0.2, 0.5, 0.7, 0.9), different: Float64Array.of(-0.1, 0.1, 0.5) };
  assert.deepEqual(acceptedAt(cosines, 1e-3), { share: 0.5, above: 0.5 });
});

test("one wrong pair in three allowed lets the best wrong pair through", () => {
  const cosines = { same: Float64Array.of(0.2, 0.5, 0.7, 0.9), different: Float64Array.of(-0.1, 0.1, 0.5) };
  assert.deepEqual(acceptedAt(cosines, 1 / 3), { share: 1, above: 0.1 });
});

test("no bar that keeps the share of wrong pairs accepts more right ones", () => {
  const values = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(values, values, fc.constantFrom(0.01, 0.1, 0.3), (right, wrong, falseShare) => {
      const cosines = { same: Float64Array.from(right).sort(), different: Float64Array.from(wrong).sort() };
      const { share, above } = acceptedAt(cosines, falseShare);
      const shareAbove = (list: number[], bar: number) => list.filter((value) => value > bar).length / list.length;
      assert.ok(shareAbove(wrong, above) <= falseShare);
      const keeping = [-2, ...wrong].filter((bar) => shareAbove(wrong, bar) <= falseShare);
      assert.equal(share, Math.max(...keeping.map((bar) => shareAbove(right, bar))));
    }),
  );
});
