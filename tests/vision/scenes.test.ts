/** The embedded models read the numbers of drawn race pictures, and photos tell whose they are. */

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { DEFAULT_MIN_CONFIDENCE, DEFAULT_WATERMARK_ZONES, readBibs } from "../../src/photos/index.ts";
import { type Eye, openEye } from "../../src/platform/embedded/vision/eye.ts";
import { readModels } from "../../src/platform/embedded/vision/models.ts";
import type { Box } from "../../src/platform/ports.ts";
import { drawScene, type SceneAsk } from "../pictures/scene.ts";

const SCENES: SceneAsk[] = [
  { kind: "plain", seed: 1, runners: 2, width: 900 },
  { kind: "korean", seed: 1, runners: 2, width: 900 },
  { kind: "two-line", seed: 6, runners: 1, width: 900 },
  { kind: "rotated", seed: 2, runners: 1, width: 900 },
];
const RULES = { watermarkZones: DEFAULT_WATERMARK_ZONES, minConfidence: DEFAULT_MIN_CONFIDENCE };

let eye: Eye;

before(async () => {
  eye = await openEye(readModels());
});

for (const ask of SCENES) {
  test(`every number of a ${ask.kind} scene is read at its bib and belongs to the face above it`, async () => {
    const { jpeg, truth } = await drawScene(ask);
    const { words, faces } = await eye.look(jpeg, "everything");
    const { bibs } = readBibs(
      words,
      faces.map(({ box }) => box),
      RULES,
    );
    assert.deepEqual(bibs.map(({ bib }) => bib).sort(), truth.bibs.map(({ number }) => number).sort());
    for (const { bib, box, face } of bibs) {
      const worn = truth.bibs.find(({ number }) => number === bib);
      assert.ok(worn?.faceBox && holdsMiddle(worn.box, box), bib);
      const above = faces[face ?? -1];
      assert.ok(above && holdsMiddle(above.box, worn.faceBox), `${bib} belongs to ${JSON.stringify(above?.box)}`);
    }
  });
}

function holdsMiddle({ left, top, width, height }: Box, inner: Box): boolean {
  const [x, y] = [inner.left + inner.width / 2, inner.top + inner.height / 2];
  return x >= left && x <= left + width && y >= top && y <= top + height;
}
