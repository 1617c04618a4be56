/** Places in a picture: clipping, what is around a turned one, and whether two are one place. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { between } from "../../../../tests/harness/between.ts";
import { type Area, around, clip, overlap, samePlace, type TurnedArea, toBox, wholeOf } from "./areas.ts";

const length = between(1, 500);
const place = between(-300, 300);
const angle = between(-Math.PI, Math.PI);
const area: fc.Arbitrary<Area> = fc.record({ left: place, top: place, width: length, height: length });
const turned: fc.Arbitrary<TurnedArea> = fc.record({ x: place, y: place, width: length, height: length, angle });
const size = fc.record({ width: length, height: length });

const isNear = (a: number, b: number) => Math.abs(a - b) < 1e-6;

function holds({ left, top, width, height }: Area, x: number, y: number): boolean {
  return x >= left - 1e-6 && x <= left + width + 1e-6 && y >= top - 1e-6 && y <= top + height + 1e-6;
}

function cornersOf({ x, y, width, height, angle: turn }: TurnedArea): { x: number; y: number }[] {
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  return [
    [-width / 2, -height / 2],
    [width / 2, -height / 2],
    [width / 2, height / 2],
    [-width / 2, height / 2],
  ].map(([u = 0, v = 0]) => ({ x: x + u * cos - v * sin, y: y + u * sin + v * cos }));
}

describe("clipping", () => {
  test("keeps exactly the points that lie in both", () => {
    const point = fc.record({ x: place, y: place });
    fc.assert(
      fc.property(area, size, point, (one, picture, { x, y }) => {
        const { left, top, width, height } = clip(one, picture);
        const isInside = x > left && x < left + width && y > top && y < top + height;
        const inOne = x > one.left && x < one.left + one.width && y > one.top && y < one.top + one.height;
        assert.equal(isInside, inOne && x > 0 && x < picture.width && y > 0 && y < picture.height);
      }),
    );
  });

  test("leaves a side that is not positive where the area is outside", () => {
    const outside = [
      { left: -20, top: 10, width: 10, height: 10 },
      { left: 110, top: 10, width: 10, height: 10 },
      { left: 10, top: -20, width: 10, height: 10 },
      { left: 10, top: 60, width: 10, height: 10 },
    ];
    for (const each of outside) {
      const { width, height } = clip(each, { width: 100, height: 50 });
      assert.ok(Math.min(width, height) <= 0, JSON.stringify(each));
    }
  });

  test("leaves the whole picture as it is", () => {
    const whole = wholeOf({ width: 100, height: 50 });
    assert.deepEqual(whole, { left: 0, top: 0, width: 100, height: 50 });
    assert.deepEqual(clip(whole, { width: 100, height: 50 }), whole);
  });
});

test("a box tells fractions of the picture, and no more than is in it", () => {
  const half = { left: -10, top: 25, width: 60, height: 100 };
  assert.deepEqual(toBox(half, { width: 100, height: 50 }), { left: 0, top: 0.5, width: 0.5, height: 0.5 });
});

describe("around a turned area", () => {
  test("is the smallest upright one that holds its corners", () => {
    fc.assert(
      fc.property(turned, (one) => {
        const upright = around(one);
        const corners = cornersOf(one);
        assert.ok(corners.every(({ x, y }) => holds(upright, x, y)));
        assert.ok(isNear(upright.left, Math.min(...corners.map(({ x }) => x))));
        assert.ok(isNear(upright.top, Math.min(...corners.map(({ y }) => y))));
        assert.ok(isNear(upright.left + upright.width, Math.max(...corners.map(({ x }) => x))));
        assert.ok(isNear(upright.top + upright.height, Math.max(...corners.map(({ y }) => y))));
      }),
    );
  });
});

describe("overlap", () => {
  test("is alike from both sides, from 0 to 1", () => {
    fc.assert(
      fc.property(area, area, (a, b) => {
        const part = overlap(a, b);
        assert.ok(part >= 0 && part <= 1 + 1e-9, String(part));
        assert.equal(part, overlap(b, a));
      }),
    );
  });

  test("is 1 for one within the other, a half for half of it, and 0 for what only touches", () => {
    const large = { left: 0, top: 0, width: 100, height: 100 };
    assert.equal(overlap(large, { left: 10, top: 10, width: 20, height: 20 }), 1);
    assert.equal(overlap(large, { left: 90, top: 10, width: 20, height: 20 }), 0.5);
    assert.equal(overlap(large, { left: 100, top: 10, width: 20, height: 20 }), 0);
    assert.equal(overlap(large, { left: 10, top: 300, width: 20, height: 20 }), 0);
  });
});

describe("the same place", () => {
  test("is alike from both sides, and each area is at its own", () => {
    fc.assert(
      fc.property(turned, turned, (a, b) => {
        assert.equal(samePlace(a, b), samePlace(b, a));
        assert.ok(samePlace(a, a));
      }),
    );
  });

  test("is where the middle of one lies in the other, though the other's middle is not in it", () => {
    const [line, word] = [
      { x: 100, y: 50, width: 180, height: 20, angle: 0 },
      { x: 40, y: 50, width: 30, height: 20, angle: 0 },
    ];
    assert.ok(samePlace(line, word) && samePlace(word, line));
    assert.ok(!samePlace(line, { ...word, y: 65 }));
  });

  test("is told along the line: its own direction decides, whichever way everything is turned", () => {
    const shift = between(-1, 1);
    fc.assert(
      fc.property(turned, shift, shift, (line, along, down) => {
        fc.pre(Math.abs(Math.abs(along) - 0.5) > 1e-6 && Math.abs(Math.abs(down) - 0.5) > 1e-6);
        const [cos, sin] = [Math.cos(line.angle), Math.sin(line.angle)];
        const [u, v] = [along * line.width, down * line.height];
        const speck = { x: line.x + u * cos - v * sin, y: line.y + u * sin + v * cos, width: 0, height: 0, angle: 0 };
        assert.equal(samePlace(line, speck), Math.abs(along) < 0.5 && Math.abs(down) < 0.5);
      }),
    );
  });
});
