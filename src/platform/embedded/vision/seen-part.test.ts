/** What is left of a word without its covered characters, and that it says where they were. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { seenPart } from "./seen-part.ts";
import type { Verdict } from "./vote.ts";

function word(text: string, cut: Partial<Verdict["cut"]> = {}): Verdict {
  const alternatives = [...text].map((character) => [{ text: `not ${character}`, confidence: 0.1 }]);
  return { text, confidence: 0.9, alternatives, cut: { start: false, end: false, ...cut } };
}

test("a word is left as it is where nothing is covered", () => {
  for (const whole of [word("9140"), word("9140", { start: true, inside: [2] })]) {
    assert.deepEqual(seenPart(whole, []), whole);
  }
});

test("at an end it is cut there", () => {
  const { text, cut, alternatives } = seenPart(word("9140"), [3]);
  assert.deepEqual([text, cut], ["914", { start: false, end: true }]);
  assert.deepEqual(
    alternatives.map(([other]) => other?.text),
    ["not 9", "not 1", "not 4"],
  );
  assert.deepEqual(seenPart(word("9140"), [0, 1]).cut, { start: true, end: false });
});

test("inside, one is missing after those before it", () => {
  const { text, cut } = seenPart(word("53188"), [2]);
  assert.deepEqual([text, cut], ["5388", { start: false, end: false, inside: [2] }]);
});

test("gaps known before stay between the same characters", () => {
  assert.deepEqual(seenPart(word("1234", { inside: [1, 3] }), [0]).cut, { start: true, end: false, inside: [2] });
  assert.deepEqual(seenPart(word("1234", { inside: [2] }), [2]).cut, { start: false, end: false, inside: [2] });
});

test("a word that is covered everywhere goes on at both ends", () => {
  const { text, cut } = seenPart(word("12", { inside: [1] }), [0, 1]);
  assert.deepEqual([text, cut], ["12", { start: true, end: true, inside: [1] }]);
});

test("as many characters as alternatives, and nothing covered comes out as whole", () => {
  const covered = fc.uniqueArray(fc.nat(4), { minLength: 1 });
  fc.assert(
    fc.property(fc.stringMatching(/^\d{5}$/), covered, fc.subarray([1, 2, 3, 4]), (text, places, inside) => {
      const seen = seenPart(word(text, { inside }), places);
      assert.equal(seen.alternatives.length, seen.text.length);
      assert.ok(seen.cut.start || seen.cut.end || (seen.cut.inside?.length ?? 0) > 0);
      for (const gap of seen.cut.inside ?? []) assert.ok(gap > 0 && gap < seen.text.length);
    }),
  );
});
