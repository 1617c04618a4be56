/** Numbers that are partly behind an arm, a strap, a fold or somebody else come out as parts, and whole ones as whole. */

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { type HiddenOutcome, outcomeOf } from "../../bench/vision/hidden.ts";
import { type BibReading, DEFAULT_MIN_CONFIDENCE, DEFAULT_WATERMARK_ZONES, readBibs } from "../../src/photos/bibs.ts";
import { type Eye, openEye } from "../../src/platform/embedded/vision/eye.ts";
import { readModels } from "../../src/platform/embedded/vision/models.ts";
import type { Word } from "../../src/platform/ports.ts";
import { type Drawn, drawScene } from "../pictures/scene.ts";

const SEEDS = [101, 102, 103, 104, 105, 106, 107, 108];
const RULES = { watermarkZones: DEFAULT_WATERMARK_ZONES, minConfidence: DEFAULT_MIN_CONFIDENCE };

type Looked = { truth: Drawn["truth"]; words: Word[]; faces: Awaited<ReturnType<Eye["look"]>>["faces"] };

const scenes: Looked[] = [];

before(async () => {
  const eye = await openEye(readModels());
  for (const seed of SEEDS) {
    const { jpeg, truth } = await drawScene({ seed, kind: "hidden", width: 1200 });
    scenes.push({ truth, ...(await eye.look(jpeg, "everything")) });
  }
});

/** `see`: what is known of each word's ends. */
function outcomes(see: (word: Word) => Word): HiddenOutcome[] {
  return scenes.flatMap(({ truth, words, faces }) => {
    const reading: BibReading = readBibs(
      words.map(see),
      faces.map(({ box }) => box),
      RULES,
    );
    return truth.bibs.filter(({ hidden }) => hidden).map((bib) => outcomeOf(bib, reading));
  });
}

function shareOf(outcome: HiddenOutcome, all: HiddenOutcome[]): number {
  return all.filter((each) => each === outcome).length / all.length;
}

test("a part of a number is told as a part", () => {
  const all = outcomes((word) => word);
  assert.ok(all.length >= SEEDS.length, `${all.length} numbers are hidden`);
  assert.ok(shareOf("partial", all) >= 0.85, all.join(", "));
  assert.ok(shareOf("another number", all) <= 0.06, all.join(", "));
});

test("who does not look at the ends takes most parts for other numbers", () => {
  const all = outcomes(({ cut: _, ...word }) => word);
  assert.ok(shareOf("another number", all) > 0.5, all.join(", "));
});

test("the whole numbers beside them are whole", () => {
  const numbers = scenes.flatMap(({ truth, words, faces }) => {
    const { bibs } = readBibs(
      words,
      faces.map(({ box }) => box),
      RULES,
    );
    const whole = truth.bibs.filter(({ hidden }) => !hidden);
    return whole.map(({ number }) => bibs.some(({ bib }) => bib === number));
  });
  assert.ok(numbers.length >= 4, `${numbers.length} numbers are whole`);
  assert.ok(numbers.filter(Boolean).length / numbers.length >= 0.8, numbers.join(", "));
});
