/** The drawn scenes are what their truth says, and the same for the same seed. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import sharp from "sharp";
import type { Box } from "../../src/platform/ports.ts";
import { planScene } from "./plan.ts";
import { BIB_KINDS, type Drawn, drawBib, drawScene, type SceneAsk } from "./scene.ts";

/** Small enough that every kind is drawn in a moment. */
const WIDTH = 800;

async function pixelsOf(drawn: Drawn) {
  return sharp(drawn.jpeg).autoOrient().raw().toBuffer({ resolveWithObject: true });
}

async function hashOf(drawn: Drawn): Promise<string> {
  const { data } = await pixelsOf(drawn);
  return createHash("sha256").update(data).digest("hex");
}

function isInside({ left, top, width, height }: Box): boolean {
  return left >= 0 && top >= 0 && width > 0 && height > 0 && left + width <= 1 && top + height <= 1;
}

test("the same seed gives the same pixels, bytes and truth", async () => {
  const ask: SceneAsk = { seed: 5, kind: "night", width: WIDTH };
  const [first, second] = [await drawScene(ask), await drawScene(ask)];
  assert.equal(await hashOf(first), await hashOf(second));
  assert.ok(first.jpeg.equals(second.jpeg));
  assert.deepEqual(first.truth, second.truth);
});

test("other seeds give other pictures", async () => {
  const hashes = new Set<string>();
  for (const seed of [1, 2, 3]) hashes.add(await hashOf(await drawBib({ seed, kind: "plain" })));
  assert.equal(hashes.size, 3);
});

describe("every kind", () => {
  for (const kind of BIB_KINDS) {
    test(kind, async () => {
      for (const seed of [1, 2]) {
        const drawn = await drawScene({ seed, kind, width: WIDTH });
        const { info } = await pixelsOf(drawn);
        const { truth } = drawn;
        assert.deepEqual([info.width, info.height], [truth.width, truth.height]);
        assert.ok(truth.bibs.length >= 1 && truth.otherTexts.length >= 2);
        for (const bib of truth.bibs) {
          assert.match(bib.number, /^[A-Z]?\d{3,5}$/);
          assert.ok(isInside(bib.box), `seed ${seed}: ${JSON.stringify(bib)}`);
          assert.ok(bib.faceBox && isInside(bib.faceBox), `seed ${seed}: ${JSON.stringify(bib)}`);
          assert.equal(bib.hidden, bib.visible !== bib.number);
          if (bib.kind !== "hidden") assert.equal(bib.visible, bib.number, `seed ${seed}`);
        }
      }
    });
  }
});

test("a letter stands before the digits where asked", async () => {
  const { truth } = await drawBib({ seed: 11, kind: "letter" });
  assert.match(truth.bibs[0]?.number ?? "", /^[A-Z]\d+$/);
});

describe("a hidden bib says which characters are hidden", () => {
  for (const by of ["arm", "hand", "belt", "runner", "fold"]) {
    test(`by ${by}`, async () => {
      const asks = Array.from(
        { length: 60 },
        (_, seed): SceneAsk => ({ seed, kind: "hidden", runners: 1, width: 640 }),
      );
      const hidden = asks.filter((ask) => planScene(ask).runners[0]?.hiding?.by === by).slice(0, 3);
      assert.equal(hidden.length, 3);
      for (const ask of hidden) {
        const [bib] = (await drawScene(ask)).truth.bibs;
        const said = `seed ${ask.seed}: ${JSON.stringify(bib)}`;
        assert.ok(bib?.hidden && bib.kind === "hidden", said);
        assert.match(bib.visible, /\?/, said);
        assert.match(bib.visible, /[A-Z0-9]/, said);
        assert.ok(
          [...bib.visible].every((character, n) => character === "?" || character === bib.number[n]),
          said,
        );
        assert.equal(bib.visible.length, bib.number.length, said);
      }
    });
  }
});

/** How much of a box has the paper's hue, in whatever light; `down` looks that many heights below the box. */
async function paperShare(drawn: Drawn, box: Box, paper: string, down: number): Promise<number> {
  const { data, info } = await pixelsOf(drawn);
  const want = [1, 3, 5].map((at) => Number.parseInt(paper.slice(at, at + 2), 16));
  const size = Math.hypot(...want);
  let [hits, all] = [0, 0];
  const bottom = Math.min(1, box.top + box.height * (1 + down));
  for (let y = Math.floor((box.top + box.height * down) * info.height); y < bottom * info.height; y++) {
    for (let x = Math.floor(box.left * info.width); x < (box.left + box.width) * info.width; x++) {
      const [red = 0, green = 0, blue = 0] = data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3);
      const length = Math.hypot(red, green, blue) || 1;
      const alike = (red * (want[0] ?? 0) + green * (want[1] ?? 0) + blue * (want[2] ?? 0)) / (length * size);
      if (alike > 0.985 && length > size * 0.6 && length < size * 1.8) hits++;
      all++;
    }
  }
  return all ? hits / all : 0;
}

test("boxes hold the bib's paper, and places below them do not", async () => {
  const shares: { inside: number; below: number }[] = [];
  for (const seed of [1, 2, 3, 4, 6]) {
    const ask: SceneAsk = { seed, kind: "plain", width: WIDTH, quality: 95 };
    const drawn = await drawScene(ask);
    for (const [n, { design }] of planScene(ask).runners.entries()) {
      const box = drawn.truth.bibs[n]?.box as Box;
      const inside = await paperShare(drawn, box, design.paper, 0);
      assert.ok(inside > 0.25, `seed ${seed}, bib ${n + 1}: ${inside} of it is ${design.paper}`);
      shares.push({ inside, below: await paperShare(drawn, box, design.paper, 1.5) });
    }
  }
  assert.ok(
    shares.filter(({ inside, below }) => below < inside / 2).length > shares.length * 0.7,
    JSON.stringify(shares),
  );
});

test("a turned picture is stored on its side and shown as the upright one", async () => {
  const ask: SceneAsk = { seed: 4, kind: "plain", width: 640, quality: 95 };
  const upright = await drawScene(ask);
  for (const orientation of [3, 6, 8] as const) {
    const turned = await drawScene({ ...ask, orientation });
    const stored = await sharp(turned.jpeg).metadata();
    assert.equal(stored.orientation, orientation);
    if (orientation !== 3) assert.deepEqual([stored.width, stored.height], [upright.truth.height, upright.truth.width]);
    assert.deepEqual(turned.truth, upright.truth);
    const [one, other] = [await pixelsOf(upright), await pixelsOf(turned)];
    const off = one.data.reduce((sum, value, n) => sum + Math.abs(value - (other.data[n] ?? 0)), 0) / one.data.length;
    assert.ok(off < 4, `orientation ${orientation} is ${off} off per byte`);
  }
});
