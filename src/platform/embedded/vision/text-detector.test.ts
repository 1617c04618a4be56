/** Text that the model sees in a part of the picture is told in pixels of the whole picture. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Pyramid } from "./raster.ts";
import { detectTextAreas } from "./text-detector.ts";

const PICTURE: Pyramid = {
  width: 400,
  height: 300,
  levels: [{ width: 400, height: 300, data: new Uint8Array(400 * 300 * 3) }],
};

/** A model that sees one line of text: from a quarter to three quarters of the width, in the second quarter of the height. */
function oneLineModel() {
  const shapes: (readonly number[])[] = [];
  const run = async (_input: Float32Array, shape: readonly number[]) => {
    shapes.push(shape);
    const [, , height = 0, width = 0] = shape;
    const map = new Float32Array(width * height);
    for (let y = height / 4; y < height / 2; y += 1) map.fill(0.9, y * width + width / 4, y * width + (3 * width) / 4);
    return [map];
  };
  return { shapes, model: { run } };
}

test("an area has the place and size that it has in the picture, whatever the size of the view", async () => {
  const { model } = oneLineModel();
  const part = { left: 100, top: 50, width: 200, height: 100 };
  for (const longSide of [128, 256, 640]) {
    const [area, ...others] = await detectTextAreas(model, PICTURE, part, { longSide, grow: 0 });
    assert.deepEqual(others, []);
    const { x, y, width, height, angle, score } = area ?? { x: 0, y: 0, width: 0, height: 0, angle: 1, score: 0 };
    assert.deepEqual([x, y, width, height, angle], [200, 87.5, 100, 25, 0]);
    assert.ok(Math.abs(score - 0.9) < 1e-6);
  }
});

test("the view has sides of whole 32 pixels, and at least so many", async () => {
  const { model, shapes } = oneLineModel();
  await detectTextAreas(model, PICTURE, { left: 0, top: 0, width: 400, height: 300 }, { longSide: 480 });
  await detectTextAreas(model, PICTURE, { left: 0, top: 0, width: 400, height: 5 }, { longSide: 480 });
  assert.deepEqual(shapes, [
    [1, 3, 352, 480],
    [1, 3, 32, 480],
  ]);
});

test("what is asked about sureness is handed on", async () => {
  const { model } = oneLineModel();
  const part = { left: 0, top: 0, width: 400, height: 300 };
  assert.deepEqual(await detectTextAreas(model, PICTURE, part, { longSide: 256, minScore: 0.95 }), []);
});
