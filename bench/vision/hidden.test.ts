/** What is said of a partly hidden bib, told apart. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { BibReading } from "../../src/photos/bibs.ts";
import type { BibTruth } from "../../tests/pictures/scene.ts";
import { outcomeOf } from "./hidden.ts";

const HERE = { left: 0.42, top: 0.42, width: 0.1, height: 0.1 };
const ELSEWHERE = { left: 0.8, top: 0.42, width: 0.1, height: 0.1 };
const HIDDEN: BibTruth = {
  number: "4712",
  visible: "?712",
  hidden: true,
  box: { left: 0.4, top: 0.4, width: 0.2, height: 0.2 },
  kind: "hidden",
};

const bib = (number: string, box = HERE): Partial<BibReading> => ({ bibs: [{ bib: number, confidence: 1, box }] });
const partial = (text: string, box = HERE): Partial<BibReading> => ({ partial: [{ text, confidence: 1, box }] });
const outcome = (...said: Partial<BibReading>[]) =>
  outcomeOf(HIDDEN, {
    bibs: said.flatMap(({ bibs = [] }) => bibs),
    partial: said.flatMap(({ partial: parts = [] }) => parts),
    refused: [],
  });

test("what can be its number is a partial", () => {
  assert.equal(outcome(partial("?712")), "partial");
  assert.equal(outcome(partial("?71?")), "partial");
  assert.equal(outcome(partial("7?"), partial("?12")), "partial");
});

test("what can't be its number is no help to anybody", () => {
  assert.equal(outcome(partial("712?")), "impossible partial");
  assert.equal(outcome(partial("?71")), "impossible partial");
});

test("another number is the worst, whatever else is said", () => {
  assert.equal(outcome(bib("712")), "another number");
  assert.equal(outcome(bib("712"), bib("4712"), partial("?712")), "another number");
});

test("its own number is whole", () => {
  assert.equal(outcome(bib("4712"), partial("?712")), "whole");
});

test("what is said of other places does not count", () => {
  assert.equal(outcome(), "nothing");
  assert.equal(outcome(bib("712", ELSEWHERE), partial("?712", ELSEWHERE)), "nothing");
});
