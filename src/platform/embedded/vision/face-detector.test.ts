/** Of the many boxes that a model puts around a face one stays, at its place in the whole picture. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { overlap } from "./areas.ts";
import { type DetectedFace, detectFaces } from "./face-detector.ts";
import type { Pyramid } from "./raster.ts";

const PICTURE: Pyramid = {
  width: 400,
  height: 300,
  levels: [{ width: 400, height: 300, data: new Uint8Array(400 * 300 * 3) }],
};

type Candidate = { score: number; corners: [number, number, number, number] };

/** Its boxes are corners as fractions of what it sees; before each score stands that of "no face". */
function modelOf(candidates: Candidate[]) {
  const scores = new Float32Array(candidates.flatMap(({ score }) => [1 - score, score]));
  const boxes = new Float32Array(candidates.flatMap(({ corners }) => corners));
  return { run: async () => [scores, boxes] };
}

describe("detecting", () => {
  const model = modelOf([
    { score: 0.625, corners: [0.5, 0.5, 0.75, 1] },
    { score: 0.875, corners: [0, 0.25, 0.25, 0.5] },
    { score: 0.5, corners: [0.75, 0, 1, 0.25] },
  ]);

  test("gives faces in pixels of the picture, the best first, without doubtful ones", async () => {
    const whole = { left: 0, top: 0, width: 400, height: 300 };
    assert.deepEqual(await detectFaces(model, PICTURE, whole, 0.6), [
      { left: 0, top: 75, width: 100, height: 75, score: 0.875 },
      { left: 200, top: 150, width: 100, height: 150, score: 0.625 },
    ]);
  });

  test("in a part of the picture gives their places in the whole", async () => {
    const part = { left: 100, top: 60, width: 200, height: 120 };
    assert.deepEqual(await detectFaces(model, PICTURE, part, 0.8), [
      { left: 100, top: 90, width: 50, height: 30, score: 0.875 },
    ]);
  });
});

describe("of boxes that overlap", () => {
  /** Fractions with a power of two below the line lose nothing on their way through the model. */
  const fraction = (most: number) => fc.integer({ min: 1, max: most }).map((n) => n / 64);
  const candidate = fc
    .record({ left: fraction(48), top: fraction(48), width: fraction(16), height: fraction(16), score: fraction(63) })
    .map(
      ({ left, top, width, height, score }): Candidate => ({ score, corners: [left, top, left + width, top + height] }),
    );
  const candidates = fc.array(candidate, { maxLength: 12 });
  const detect = (all: Candidate[]) =>
    detectFaces(modelOf(all), PICTURE, { left: 0, top: 0, width: 64, height: 64 }, 0);

  test("the best stays", async () => {
    const at = (left: number, score: number): Candidate => ({ score, corners: [left, 0.25, left + 0.25, 0.5] });
    const kept = await detect([at(0.125, 0.75), at(0.15625, 0.9375), at(0.1875, 0.875), at(0.625, 0.6875)]);
    assert.deepEqual(
      kept.map(({ left, score }) => [left, score]),
      [
        [10, 0.9375],
        [40, 0.6875],
      ],
    );
  });

  test("no two are left, and each that went has a better one in its place", async () => {
    await fc.assert(
      fc.asyncProperty(candidates, async (all) => {
        const kept = await detect(all);
        for (const [i, one] of kept.entries()) {
          assert.ok(kept.slice(i + 1).every((other) => overlap(one, other) < 0.4 && other.score <= one.score));
        }
        for (const each of all) {
          const [alone] = (await detect([each])) as [DetectedFace];
          assert.ok(kept.some((better) => better.score >= alone.score && overlap(better, alone) >= 0.4));
        }
      }),
      { numRuns: 40 },
    );
  });

  test("in what order they come does not matter", async () => {
    const distinct = fc.uniqueArray(candidate, {
      maxLength: 12,
      selector: ({ corners: [left, top] }) => `${left} ${top}`,
    });
    await fc.assert(
      fc.asyncProperty(distinct, async (all) => {
        assert.deepEqual(await detect(all), await detect(all.toReversed()));
      }),
    );
  });
});
