/** Similarity grows with the cosine, and each can be had from the other. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { between } from "../../../../tests/harness/between.ts";
import { cosineOf, similarityOf } from "./similarity.ts";

const cosine = between(-1, 1);

test("the more alike, the more similar, always between 0 and 1", () => {
  fc.assert(
    fc.property(cosine, cosine, (a, b) => {
      const [low, high] = a < b ? [a, b] : [b, a];
      assert.ok(similarityOf(low) <= similarityOf(high));
      if (high - low > 1e-6) assert.ok(similarityOf(low) < similarityOf(high));
      assert.ok(similarityOf(a) > 0 && similarityOf(a) < 1);
    }),
  );
});

test("each gives the other back", () => {
  fc.assert(
    fc.property(cosine, (each) => {
      assert.ok(Math.abs(cosineOf(similarityOf(each)) - each) < 1e-6, String(each));
    }),
  );
  fc.assert(
    fc.property(between(1e-6, 1 - 1e-6), (similarity) => {
      assert.ok(Math.abs(similarityOf(cosineOf(similarity)) - similarity) < 1e-9, String(similarity));
    }),
  );
});

test("a similarity of 0 or less takes every face, one of 1 or more takes none", () => {
  for (const similarity of [0, -0.5]) assert.ok(cosineOf(similarity) <= -1);
  for (const similarity of [1, 1.5]) assert.ok(cosineOf(similarity) > 1);
});

test("one face in two pictures is similar, two strangers are not", () => {
  assert.ok(similarityOf(0.7) > 0.95);
  assert.ok(similarityOf(0.1) < 0.05);
});
