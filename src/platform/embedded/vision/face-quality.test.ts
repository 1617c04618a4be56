/** A face counts the less the smaller, the more doubtful and the more turned away it is. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { between } from "../../../../tests/harness/between.ts";
import type { Landmarks } from "./face-embedder.ts";
import { faceQuality, selfieQuality } from "./face-quality.ts";

const face = (height: number, score = 1) => ({ left: 0, top: 0, width: height * 0.8, height, score });

/** Eyes at 100 and 140; `nose` is 0 below the left eye and 1 below the right one. */
function looking(nose: number, apart = 40): Landmarks {
  const y = 100;
  return [
    { x: 100, y },
    { x: 100 + apart, y },
    { x: 100 + nose * apart, y: 120 },
    { x: 105, y: 140 },
    { x: 135, y: 140 },
  ];
}

test("a large, sure face from the front is as good as can be", () => {
  assert.equal(faceQuality(face(80), looking(0.5)), 1);
  assert.equal(faceQuality(face(800), looking(0.5)), 1);
});

describe("it counts less", () => {
  test("the smaller it is below what is large enough", () => {
    assert.equal(faceQuality(face(20), looking(0.5)), 0.5);
    assert.ok(faceQuality(face(40), looking(0.5)) < faceQuality(face(60), looking(0.5)));
  });

  test("the less sure it is", () => assert.equal(faceQuality(face(80, 0.7), looking(0.5)), 0.7));

  test("the more it looks to a side, to either one alike", () => {
    assert.equal(faceQuality(face(80), looking(0.25)), 0.5);
    assert.equal(faceQuality(face(80), looking(0.75)), 0.5);
  });

  test("until nothing is left where the nose is below an eye, beyond it, or the eyes are in each other's place", () => {
    for (const nose of [0, 1, -0.5, 1.5]) assert.equal(faceQuality(face(80), looking(nose)), 0);
    assert.equal(faceQuality(face(80), looking(0.5, 0)), 0);
    assert.equal(faceQuality(face(80), looking(0.5, -40)), 0);
  });
});

test("it is from 0 to 1 for whatever is seen, and never falls when the face is larger", () => {
  const height = between(1, 2000);
  const unit = between(0, 1);
  const nose = between(-2, 3);
  fc.assert(
    fc.property(height, height, unit, nose, (one, other, score, place) => {
      const [small, large] = one < other ? [one, other] : [other, one];
      const quality = faceQuality(face(small, score), looking(place));
      assert.ok(quality >= 0 && quality <= 1);
      assert.ok(quality <= faceQuality(face(large, score), looking(place)));
    }),
  );
});

describe("a face that is searched with", () => {
  const SIDE = 112;
  /** Waves so many pixels long; a blurred face has only long ones. */
  const seenWith = (wavePixels: number, contrast = 0.5) => {
    const plane = Float32Array.from({ length: SIDE * SIDE }, (_, i) => {
      const turn = (2 * Math.PI) / wavePixels;
      return contrast * Math.sin((i % SIDE) * turn) * Math.sin(Math.floor(i / SIDE) * turn);
    });
    return { landmarks: looking(0.5), planes: Float32Array.from([...plane, ...plane, ...plane]) };
  };
  const qualityWith = (wavePixels: number, contrast?: number) =>
    selfieQuality(face(80), seenWith(wavePixels, contrast));

  test("is as good as any other while it is sharp, in strong light and in weak", () => {
    for (const wavePixels of [4, 8, 16]) assert.equal(qualityWith(wavePixels), 1);
    assert.equal(qualityWith(8, 0.05), 1);
    assert.equal(selfieQuality(face(80, 0.7), seenWith(8)), 0.7);
  });

  test("is the worse the more it is blurred", () => {
    const qualities = [30, 40, 60, 100].map((wavePixels) => qualityWith(wavePixels));
    assert.deepEqual(
      qualities,
      qualities.toSorted((a, b) => b - a),
    );
    assert.ok((qualities[0] as number) < 1 && (qualities[3] as number) < 0.05, qualities.join(" "));
  });

  test("is no good when nothing is seen of it", () => assert.equal(qualityWith(8, 0), 0));
});
