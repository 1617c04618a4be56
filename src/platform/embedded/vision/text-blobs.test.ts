/** Maps with known rectangles of text give those rectangles back, grown as the model wants it, and nothing else. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { TurnedArea } from "./areas.ts";
import { textBlobs } from "./text-blobs.ts";

const [WIDTH, HEIGHT] = [160, 120];
const AS_IT_IS = { longSide: WIDTH, grow: 0 };

type Painted = TurnedArea & { probability?: number };

/** A pixel is text when its middle lies in a rectangle. */
function mapOf(...areas: Painted[]): Float32Array {
  const map = new Float32Array(WIDTH * HEIGHT);
  for (const { x, y, width, height, angle, probability = 0.9 } of areas) {
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    for (let i = 0; i < map.length; i += 1) {
      const [dx, dy] = [(i % WIDTH) + 0.5 - x, Math.floor(i / WIDTH) + 0.5 - y];
      const isInside = Math.abs(dx * cos + dy * sin) <= width / 2 && Math.abs(dy * cos - dx * sin) <= height / 2;
      if (isInside) map[i] = probability;
    }
  }
  return map;
}

function upright(left: number, top: number, width: number, height: number, probability = 0.9): Painted {
  return { x: left + width / 2, y: top + height / 2, width, height, angle: 0, probability };
}

function find(map: Float32Array, ask: Partial<Parameters<typeof textBlobs>[3]> = {}) {
  return textBlobs(map, WIDTH, HEIGHT, { ...AS_IT_IS, ...ask });
}

/** The score is a sum of 32-bit floats. */
function rounded<T extends { score: number }>(areas: T[]): T[] {
  return areas.map((area) => ({ ...area, score: Math.round(area.score * 1e6) / 1e6 }));
}

describe("upright rectangles", () => {
  test("are found where they are, each once", () => {
    const found = rounded(find(mapOf(upright(10, 10, 40, 12), upright(60, 50, 30, 20, 0.8))));
    assert.deepEqual(found, [
      { x: 30, y: 16, width: 40, height: 12, angle: 0, score: 0.9 },
      { x: 75, y: 60, width: 30, height: 20, angle: 0, score: 0.8 },
    ]);
  });

  test("at any place, also at the border", () => {
    const side = (size: number) => fc.tuple(fc.nat(size - 3), fc.integer({ min: 3, max: size }));
    fc.assert(
      fc.property(side(WIDTH), side(HEIGHT), ([left, wide], [top, high]) => {
        const [width, height] = [Math.min(wide, WIDTH - left), Math.min(high, HEIGHT - top)];
        const found = find(mapOf(upright(left, top, width, height)));
        const { x, y } = upright(left, top, width, height);
        assert.deepEqual(
          found.map(({ score: _, ...area }) => area),
          [{ x, y, width, height, angle: 0 }],
        );
      }),
      { numRuns: 40 },
    );
  });

  test("as large as the map are one", () => {
    const [all, ...others] = find(mapOf(upright(0, 0, WIDTH, HEIGHT)));
    assert.deepEqual([all?.x, all?.y, all?.width, all?.height], [WIDTH / 2, HEIGHT / 2, WIDTH, HEIGHT]);
    assert.deepEqual(others, []);
  });

  test("that touch, even by a corner, are one", () => {
    assert.equal(find(mapOf(upright(10, 10, 20, 10), upright(30, 20, 20, 10))).length, 1);
    assert.equal(find(mapOf(upright(10, 10, 20, 10), upright(31, 20, 20, 10))).length, 2);
  });

  test("at the right border do not go on at the left one", () => {
    assert.equal(find(mapOf(upright(WIDTH - 10, 10, 10, 10), upright(0, 11, 10, 10))).length, 2);
  });
});

describe("turned rectangles", () => {
  for (const degrees of [-40, -20, -7, 5, 15, 30, 42]) {
    test(`by ${degrees} degrees`, () => {
      const angle = (degrees * Math.PI) / 180;
      const [found, ...others] = find(mapOf({ x: 80, y: 60, width: 70, height: 20, angle }));
      assert.deepEqual(others, []);
      const { x, y, width, height, angle: turn } = found as TurnedArea;
      const said = JSON.stringify(found);
      assert.ok(Math.abs(x - 80) <= 1 && Math.abs(y - 60) <= 1, said);
      assert.ok(Math.abs(width - 70) <= 2.5 && Math.abs(height - 20) <= 2.5, said);
      assert.ok(Math.abs(turn - angle) < 0.04, said);
    });
  }

  test("keep their angle within 45 degrees: a line that climbs more steeply is high rather than wide", () => {
    const [found] = find(mapOf({ x: 80, y: 60, width: 70, height: 20, angle: (70 * Math.PI) / 180 }));
    assert.ok(found && found.height > 60 && found.width < 25, JSON.stringify(found));
    assert.ok(Math.abs(found.angle + (20 * Math.PI) / 180) < 0.04, JSON.stringify(found));
  });
});

describe("what is no text", () => {
  test("an empty map has none", () => assert.deepEqual(find(mapOf()), []));

  test("what is less likely than asked is not seen", () => {
    const map = mapOf(upright(10, 10, 40, 12, 0.25));
    assert.deepEqual(find(map, { minScore: 0 }), []);
    assert.equal(find(map, { minScore: 0, minProbability: 0.2 }).length, 1);
  });

  test("what is on the whole less sure than asked is left out", () => {
    const map = mapOf(upright(10, 10, 40, 12, 0.55));
    assert.deepEqual(find(map), []);
    assert.equal(find(map, { minScore: 0.5 }).length, 1);
  });

  test("specks and hairlines are left out", () => {
    assert.deepEqual(find(mapOf(upright(5, 5, 1, 1), upright(20, 20, 2, 2), upright(40, 40, 80, 2))), []);
    assert.equal(find(mapOf(upright(40, 40, 80, 3))).length, 1);
  });
});

test("areas grow on all sides by the same, which is more the more area they have for their length", () => {
  const [found] = find(mapOf(upright(40, 40, 60, 20)), { grow: 1.6 });
  const distance = (60 * 20 * 1.6) / (2 * (60 + 20));
  assert.deepEqual([found?.x, found?.y, found?.width, found?.height], [70, 50, 60 + 2 * distance, 20 + 2 * distance]);
});
