/** What readings say together: who wins, how sure that is, what else it could be, and whether more of it is hidden. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { between } from "../../../../tests/harness/between.ts";
import type { ReadLine } from "./text-reader.ts";
import { vote } from "./vote.ts";

type Other = { text: string; confidence: number };

function line(text: string, sure: number | number[] = 0.9, others: { [place: number]: Other[] } = {}): ReadLine {
  const all = [...text];
  const characters = all.map((character, place) => ({
    text: character,
    confidence: typeof sure === "number" ? sure : (sure[place] ?? 0),
    from: place / all.length,
    to: (place + 1) / all.length,
    others: others[place] ?? [],
  }));
  const sum = characters.reduce((total, { confidence }) => total + confidence, 0);
  return { text, confidence: sum / (characters.length || 1), characters, beyond: { start: 0, end: 0 } };
}

function near(actual: number | undefined, expected: number): void {
  assert.ok(Math.abs((actual ?? Number.NaN) - expected) < 1e-9, `${actual} instead of ${expected}`);
}

describe("the text", () => {
  test("is that of most readings", () => {
    assert.equal(vote([line("1234"), line("1284"), line("1234")])?.text, "1234");
  });

  test("is that of one sure reading rather than of two that are not", () => {
    assert.equal(vote([line("1234", 0.95), line("1284", 0.4), line("1284", 0.4)])?.text, "1234");
  });

  test("is as sure as its weakest character", () => {
    assert.equal(vote([line("1234", [1, 1, 1, 0.3]), line("1284", 0.5)])?.text, "1284");
  });

  test("is digits where letters are but a little surer", () => {
    assert.equal(vote([line("S1527", 0.9), line("61527", 0.8)])?.text, "61527");
    assert.equal(vote([line("S1527", 0.9), line("61527", 0.6)])?.text, "S1527");
  });

  test("is the first in the alphabet among equals, in whatever order they come", () => {
    assert.equal(vote([line("12"), line("34")])?.text, "12");
    assert.equal(vote([line("34"), line("12")])?.text, "12");
  });

  test("is none where nothing was read", () => {
    assert.equal(vote([]), undefined);
    assert.equal(vote([line(""), line("")]), undefined);
    assert.equal(vote([line(""), line("7")])?.text, "7");
  });
});

describe("the confidence", () => {
  test("is higher than the share of those who agree, and 1 when all are certain", () => {
    near(vote([line("12", 1), line("12", 1)])?.confidence, 1);
    near(vote([line("12", 0.9), line("12", 0.9), line("17", 0.9)])?.confidence, 1 - (1 - 0.6) ** 2);
    near(vote([line("12", [0.5, 1])])?.confidence, 0.75);
  });

  test("falls with each reading that says something else, or nothing", () => {
    const agreeing = [line("12"), line("12")];
    const alone = vote(agreeing)?.confidence ?? 0;
    assert.ok((vote([...agreeing, line("17", 0.2)])?.confidence ?? 1) < alone);
    assert.ok((vote([...agreeing, line("")])?.confidence ?? 1) < alone);
  });
});

describe("the alternatives", () => {
  test("stand for each character, best first, from other readings and from doubts", () => {
    const doubtful = line("1234", 0.8, { 2: [{ text: "8", confidence: 0.15 }] });
    const verdict = vote([doubtful, line("1234"), line("1284", 0.6, { 0: [{ text: "7", confidence: 0.3 }] })]);
    assert.deepEqual(
      verdict?.alternatives.map((each) => each.map(({ text }) => text)),
      [["7"], [], ["8"], []],
    );
    near(verdict?.alternatives[2]?.[0]?.confidence, (0.15 + 0.6) / 3);
    near(verdict?.alternatives[0]?.[0]?.confidence, 0.3 / 3);
  });

  test("come from readings of the same length only", () => {
    const verdict = vote([line("1234"), line("1234"), line("91234", 0.3), line("987", 0.3)]);
    assert.deepEqual(verdict?.alternatives, [[], [], [], []]);
  });

  test("are three at most", () => {
    const others = ["2", "3", "4", "5"].map((text, i) => ({ text, confidence: 0.1 - i / 100 }));
    const [only] = vote([line("1", 0.5, { 0: others })])?.alternatives ?? [];
    assert.deepEqual(
      only?.map(({ text }) => text),
      ["2", "3", "4"],
    );
  });
});

describe("more of it is hidden", () => {
  const cutOf = (...readings: ReadLine[]) => vote([line("123"), line("123"), ...readings])?.cut;

  test("at the end where another reading shows one more character", () => {
    assert.deepEqual(cutOf(line("9123", [0.6, 0.4, 0.4, 0.4])), { start: true, end: false });
    assert.deepEqual(cutOf(line("1239", [0.4, 0.4, 0.4, 0.6])), { start: false, end: true });
    assert.deepEqual(cutOf(line("B123", 0.6), line("1239", 0.6)), { start: true, end: true });
  });

  test("but not where that character is a guess, or no letter and no digit", () => {
    const none = { start: false, end: false };
    assert.deepEqual(cutOf(line("9123", [0.4, 0.9, 0.9, 0.9])), none);
    assert.deepEqual(cutOf(line("-123", 0.6), line("123.", 0.6)), none);
    assert.deepEqual(cutOf(line("9124", 0.6)), none);
    assert.deepEqual(cutOf(), none);
  });
});

const reading = fc
  .tuple(fc.stringMatching(/^[0-9A-C]{0,5}$/), fc.array(between(0, 1), { minLength: 5 }))
  .map(([text, sure]) => line(text, sure));

test("every verdict is one of the readings, with a confidence from 0 to 1 and a list for each character", () => {
  fc.assert(
    fc.property(fc.array(reading, { maxLength: 8 }), (readings) => {
      const verdict = vote(readings);
      if (!verdict) return readings.every(({ text }) => text === "");
      assert.ok(readings.some(({ text }) => text === verdict.text && text !== ""));
      assert.ok(verdict.confidence >= 0 && verdict.confidence <= 1);
      assert.equal(verdict.alternatives.length, verdict.text.length);
      return verdict.alternatives.every((each, place) => each.every(({ text }) => text !== verdict.text[place]));
    }),
  );
});

test("in what order they were read does not matter to the text", () => {
  // Halves add up exactly in any order.
  const sureness = fc.constantFrom(0.25, 0.5, 1);
  const numbers = fc.tuple(fc.stringMatching(/^[0-9]{1,3}$/), sureness).map(([text, sure]) => line(text, sure));
  fc.assert(
    fc.property(fc.array(numbers, { maxLength: 8 }), (readings) => {
      assert.equal(vote(readings)?.text, vote(readings.toReversed())?.text);
    }),
  );
});
