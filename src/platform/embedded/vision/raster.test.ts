/** A known gradient seen through views: as it is, scaled, turned, from smaller levels, and beyond its border. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { between } from "../../../../tests/harness/between.ts";
import { buildPyramid, look, type Pyramid, partView, type Raster, type View } from "./raster.ts";

const AS_BYTES = { mean: [0, 0, 0], scale: [1, 1, 1] } as const;
const IDENTITY: View = { ax: 1, bx: 0, cx: 0, ay: 0, by: 1, cy: 0 };
const [WIDTH, HEIGHT] = [100, 60];

/** Red grows by 2 with x, green by 3 with y, blue is the same everywhere. */
function gradient(width: number, height: number, [red, green] = [2, 3]): Raster {
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) data.set([red * x, green * y, 77], (y * width + x) * 3);
  }
  return { width, height, data };
}

/** Only its full size, so that what is seen can be told to a hair. */
function flat(raster: Raster): Pyramid {
  return { width: raster.width, height: raster.height, levels: [raster] };
}

const PICTURE = flat(gradient(WIDTH, HEIGHT));

type Colour = [number, number, number];

function pixel(planes: Float32Array, width: number, x: number, y: number): Colour {
  const size = planes.length / 3;
  return [0, 1, 2].map((plane) => planes[plane * size + y * width + x]) as Colour;
}

/** What bilinear looking must see at a place of the gradient; pixels have their middles at halves. */
function expected(x: number, y: number): Colour {
  const within = (value: number, size: number) => Math.min(size - 1, Math.max(0, value - 0.5));
  return [2 * within(x, WIDTH), 3 * within(y, HEIGHT), 77];
}

function assertNear(actual: Colour, wanted: Colour, tolerance: number, said: string): void {
  const isNear = actual.every((value, i) => Math.abs(value - (wanted[i] as number)) <= tolerance);
  assert.ok(isNear, `${said}: ${actual} instead of ${wanted}`);
}

function assertSees(view: View, width: number, height: number): void {
  const planes = look(PICTURE, view, width, height, AS_BYTES);
  assert.equal(planes.length, 3 * width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [px, py] = [x + 0.5, y + 0.5];
      const wanted = expected(view.ax * px + view.bx * py + view.cx, view.ay * px + view.by * py + view.cy);
      assertNear(pixel(planes, width, x, y), wanted, 1e-3, `(${x}, ${y})`);
    }
  }
}

describe("a view", () => {
  test("of the picture as it is has exactly its pixels, in planes", () => {
    const planes = look(PICTURE, IDENTITY, WIDTH, HEIGHT, AS_BYTES);
    assert.deepEqual(pixel(planes, WIDTH, 0, 0), [0, 0, 77]);
    assert.deepEqual(pixel(planes, WIDTH, 42, 17), [84, 51, 77]);
    assert.deepEqual(pixel(planes, WIDTH, WIDTH - 1, HEIGHT - 1), [198, 177, 77]);
    assertSees(IDENTITY, WIDTH, HEIGHT);
  });

  test("of a part, larger and smaller than it is", () => {
    assertSees(partView({ left: 20, top: 10, width: 30, height: 20 }, 60, 40), 60, 40);
    assertSees(partView({ left: 20, top: 10, width: 30, height: 20 }, 24, 16), 24, 16);
    assertSees(partView({ left: 5.25, top: 7.5, width: 31, height: 11 }, 40, 30), 40, 30);
  });

  test("turned by a quarter", () => {
    const view = { ax: 0, bx: -1, cx: 80, ay: 1, by: 0, cy: 10 };
    assertSees(view, 40, 50);
    const planes = look(PICTURE, view, 40, 50, AS_BYTES);
    assert.deepEqual(pixel(planes, 40, 0, 0), [2 * 79, 3 * 10, 77]);
  });

  test("turned and scaled anyhow, also beyond the border, where the border repeats", () => {
    const turn = between(-Math.PI, Math.PI);
    const scale = between(0.2, 3);
    const shift = between(-80, 150);
    fc.assert(
      fc.property(turn, scale, shift, shift, (angle, by, cx, cy) => {
        const [cos, sin] = [by * Math.cos(angle), by * Math.sin(angle)];
        assertSees({ ax: cos, bx: -sin, cx, ay: sin, by: cos, cy }, 16, 12);
      }),
    );
  });

  test("far outside shows the nearest corner", () => {
    const outside = { left: 500, top: -400, width: 10, height: 10 };
    const planes = look(PICTURE, partView(outside, 4, 4), 4, 4, AS_BYTES);
    for (const [x, y] of [
      [0, 0],
      [3, 3],
    ] as const) {
      assert.deepEqual(pixel(planes, 4, x, y), [198, 0, 77]);
    }
  });

  test("has the mean taken off and is scaled, each colour by its own", () => {
    const planes = look(PICTURE, IDENTITY, WIDTH, HEIGHT, { mean: [10, 20, 70], scale: [1, 0.5, 2] });
    assertNear(pixel(planes, WIDTH, 30, 20), [50, 20, 14], 1e-4, "normalised");
  });
});

describe("a pyramid", () => {
  test("has halves of the picture down to about 64 pixels, the largest first", async () => {
    const { width, height, levels } = await buildPyramid(gradient(641, 300, [0, 0]));
    assert.deepEqual([width, height], [641, 300]);
    assert.deepEqual(
      levels.map((level) => [level.width, level.height, level.data.length]),
      [
        [641, 300, 641 * 300 * 3],
        [320, 150, 320 * 150 * 3],
        [160, 75, 160 * 75 * 3],
      ],
    );
  });

  test("of a small picture has but the picture", async () => {
    const raster = gradient(500, 127, [0, 0]);
    assert.deepEqual((await buildPyramid(raster)).levels, [raster]);
  });

  test("shows places where they are on every level", async () => {
    const side = 512;
    // A gradient that stays within a byte: 255 at the far border.
    const data = new Uint8Array(side * side * 3);
    for (let i = 0; i < side * side; i += 1) data.set([(i % side) >> 1, Math.floor(i / side) >> 1, 77], i * 3);
    const pyramid = await buildPyramid({ width: side, height: side, data });
    assert.equal(pyramid.levels.length, 4);
    for (const size of [512, 256, 128, 64, 32]) {
      const planes = look(
        pyramid,
        partView({ left: 0, top: 0, width: side, height: side }, size, size),
        size,
        size,
        AS_BYTES,
      );
      for (const part of [0.125, 0.25, 0.5, 0.75]) {
        const [x, y] = [Math.floor(part * size), Math.floor((1 - part) * size)];
        const at = (place: number) => (((place + 0.5) * side) / size - 0.75) / 2;
        assertNear(pixel(planes, size, x, y), [at(x), at(y), 77], 1, `${size} pixels, (${x}, ${y})`);
      }
    }
  });

  test("is looked at on the level that fits: stripes too fine to be seen become grey", async () => {
    const side = 512;
    const data = new Uint8Array(side * side * 3);
    for (let i = 0; i < side * side; i += 1) data.fill((i + 2) % 8 < 4 ? 0 : 254, i * 3, i * 3 + 3);
    const pyramid = await buildPyramid({ width: side, height: side, data });
    const whole = partView({ left: 0, top: 0, width: side, height: side }, 64, 64);
    const [red] = pixel(look(pyramid, whole, 64, 64, AS_BYTES), 64, 30, 30);
    assert.ok(Math.abs(red - 127) < 8, `${red}`);
    const close = partView({ left: 100, top: 100, width: 64, height: 64 }, 64, 64);
    assert.equal(pixel(look(pyramid, close, 64, 64, AS_BYTES), 64, 31, 0)[0], 254);
  });
});
