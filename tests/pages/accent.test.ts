/** Any colour an organizer may choose stays readable: as text, as a wash behind it, and filled with text on it. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { accentColours, contrast, parse } from "../../web/src/theme/accent.ts";

const AA = 4.5;
const colour = (hex: string) => parse(hex) ?? assert.fail(`${hex} is no colour`);

test("text in it can be read on light and dark pages, and on it", () => {
  const anyColour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);
  fc.assert(
    fc.property(anyColour, (hex) => {
      const made = accentColours(hex);
      assert.ok(made);
      for (const [text, ground] of [
        [made.light, "#ffffff"],
        [made.light, "#f2f2f0"],
        [made.dark, "#0f1113"],
        [made.dark, "#1f2227"],
        [made.onFill, made.fill],
      ] as const) {
        assert.ok(contrast(colour(text), colour(ground)) >= AA, `${hex}: ${text} on ${ground}`);
      }
    }),
  );
});

test("a colour that is readable already stays as it is", () => {
  assert.equal(accentColours("#b00000")?.light, "#b00000");
  assert.equal(accentColours("#b00000")?.fill, "#b00000");
});

test("what is no colour gives none", () => assert.equal(accentColours("red"), undefined));
