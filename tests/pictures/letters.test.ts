/** Outlines are sound at every size: a broken one would leave characters out of a picture that the truth says are there. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../simulation/random.ts";
import { designBib, printBib } from "./bib-art.ts";
import { fitHeight, outline, textSvg } from "./letters.ts";

test("no outline has a coordinate that is no number", () => {
  for (const face of ["noto", "black", "anton", "oswald", "narrow", "slanted"] as const) {
    for (let height = 20; height < 400; height += 7.31) {
      const svg = textSvg("A0123456789 한글", 500, 400, { face, height, spacing: 0.01 }, "");
      assert.doesNotMatch(svg, /NaN|undefined|Infinity/, `${face} at ${height}`);
    }
  }
});

test("text stands in the middle, as high as asked and no wider than its room", () => {
  const shape = { face: "black" as const, height: 100 };
  const lines = outline("88", 300, 200, shape);
  assert.equal((lines.left + lines.right) / 2, 300);
  assert.deepEqual([lines.top, lines.bottom], [150, 250]);
  const height = fitHeight("88888888", 200, shape);
  const fitted = outline("88888888", 0, 0, { ...shape, height });
  assert.ok(height < 100 && Math.abs(fitted.right - fitted.left - 200) < 0.01);
});

test("every character of a bib leaves its ink, each in its own stretch", async () => {
  for (let seed = 1; seed <= 30; seed++) {
    const design = designBib(new Random(seed), "A8046", "number");
    const art = await printBib(design, 300);
    for (const [n, span] of design.spans.entries()) {
      let [count, sum] = [0, 0];
      art.ink.forEach((character, at) => {
        if (character !== n + 1) return;
        count++;
        sum += ((at % art.width) + 0.5) / art.width;
      });
      assert.ok(count > 60, `seed ${seed}, character ${n + 1}: ${count} pixels`);
      assert.ok(sum / count > span.from && sum / count < span.to, `seed ${seed}, character ${n + 1} at ${sum / count}`);
    }
  }
});
