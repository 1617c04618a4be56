/** Every rule by which a word in a photo is a bib, a part of one, or neither, and for which reason. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { between } from "../../tests/harness/between.ts";
import type { Box, Word } from "../platform/ports.ts";
import { type BibRules, DEFAULT_MIN_CONFIDENCE, DEFAULT_WATERMARK_ZONES, readBibs } from "./bibs.ts";

const RULES: BibRules = { watermarkZones: DEFAULT_WATERMARK_ZONES, minConfidence: DEFAULT_MIN_CONFIDENCE };
const CHEST: Box = { left: 0.45, top: 0.5, width: 0.1, height: 0.05 };
const FACE: Box = { left: 0.45, top: 0.2, width: 0.1, height: 0.1 };
/** The zeros before the number belong to it. */
const FOUR_DIGITS = /^\d{4}$/;

function word(text: string, rest: Partial<Word> = {}): Word {
  return { text, confidence: 0.9, box: CHEST, ...rest };
}

/** What became of one word: `12` a bib, `12?` a part of one, or the reason why it is neither. */
function fate(one: Word, rules: Partial<BibRules> = {}, faces: Box[] = []): string {
  const { bibs, partial, refused } = readBibs([one], faces, { ...RULES, ...rules });
  const all = [
    ...bibs.map(({ bib }) => bib),
    ...partial.map(({ text }) => text),
    ...refused.map(({ reason }) => reason),
  ];
  assert.equal(all.length, 1);
  return all[0] as string;
}

describe("the pattern", () => {
  test("by default is up to six digits with one letter before them", () => {
    for (const text of ["1", "12", "482917", "A1", "B48291", "Z482917"]) assert.equal(fate(word(text)), text);
    for (const text of ["", "A", "4829170", "AB12", "12A", "A-12", "RUN", "한12", "#12", "-12"]) {
      assert.equal(fate(word(text)), "pattern", text);
    }
  });

  test("refuses clocks, distances and dates", () => {
    for (const text of ["1:23:45", "12:30", "12.5", "3/4", "21,1", "10KM", "2026-11-16", "10%"]) {
      assert.equal(fate(word(text)), "pattern", text);
    }
  });

  test("may be the event's own", () => {
    const pattern = /^(?:VIP|[A-C])\d{2}$/u;
    assert.equal(fate(word("VIP12"), { pattern }), "VIP12");
    assert.equal(fate(word("b07"), { pattern }), "B07");
    assert.equal(fate(word("1207"), { pattern }), "pattern");
    assert.equal(fate(word("D12"), { pattern }), "pattern");
  });

  test("is asked of the number as it is meant: full-width digits, small letters, and no spaces", () => {
    assert.equal(fate(word("１２３４")), "1234");
    assert.equal(fate(word("Ａ７")), "A7");
    assert.equal(fate(word("a123")), "A123");
    assert.equal(fate(word(" 12 34\n")), "1234");
  });
});

describe("watermarks", () => {
  const at = (x: number, y: number) => ({ ...CHEST, left: x - CHEST.width / 2, top: y - CHEST.height / 2 });

  test("in the lower corners are no bibs by default, and bibs elsewhere are", () => {
    for (const [x, y] of [
      [0.1, 0.96],
      [0.9, 0.96],
      [0.19, 0.94],
    ] as const) {
      assert.equal(fate(word("2026", { box: at(x, y) })), "watermark", `${x}, ${y}`);
    }
    for (const [x, y] of [
      [0.5, 0.96],
      [0.1, 0.92],
      [0.9, 0.89],
      [0.79, 0.96],
    ] as const) {
      assert.equal(fate(word("2026", { box: at(x, y) })), "2026", `${x}, ${y}`);
    }
  });

  test("are told by the middle of the word", () => {
    const watermarkZones = [{ left: 0, top: 0, width: 0.5, height: 1 }];
    assert.equal(fate(word("12", { box: at(0.499, 0.5) }), { watermarkZones }), "watermark");
    assert.equal(fate(word("12", { box: at(0.501, 0.5) }), { watermarkZones }), "12");
    assert.equal(fate(word("12", { box: at(0.1, 0.96) }), { watermarkZones: [] }), "12");
  });
});

test("a word less sure than asked is none", () => {
  assert.equal(fate(word("12", { confidence: 0.599 })), "confidence");
  assert.equal(fate(word("12", { confidence: 0.6 })), "12");
  assert.equal(fate(word("12", { confidence: 0.6 }), { minConfidence: 0.8 }), "confidence");
  assert.equal(fate(word("12", { confidence: 0 }), { minConfidence: 0 }), "12");
});

test("a word that is small beside the face above it is none, but without a face it may be any size", () => {
  const small = word("12", { box: { ...CHEST, height: 0.024 } });
  assert.equal(fate(small, {}, [FACE]), "too-small");
  assert.equal(fate(small), "12");
  assert.equal(fate(small, {}, [{ ...FACE, left: 0 }]), "12");
  assert.equal(fate(word("12", { box: { ...CHEST, height: 0.026 } }), {}, [FACE]), "12");
});

test("a number beside one that is nearly twice as high, on the same bib, is small print", () => {
  const year = word("2026", { box: { ...CHEST, top: CHEST.top - 0.04, height: CHEST.height * 0.55 } });
  const number = word("12");
  const read = (words: Word[], faces = [FACE]) => {
    const { bibs, refused } = readBibs(words, faces, RULES);
    return [bibs.map(({ bib }) => bib), refused.map(({ text, reason }) => `${text}: ${reason}`)];
  };
  assert.deepEqual(read([year, number]), [["12"], ["2026: too-small"]]);
  assert.deepEqual(read([year, word("12", { cut: { start: true, end: false } })]), [[], ["2026: too-small"]]);
  assert.deepEqual(read([year]), [["2026"], []]);
  const larger = { ...year, box: { ...year.box, height: CHEST.height * 0.65 } };
  assert.deepEqual(read([larger, number]), [["2026", "12"], []]);
});

test("below nobody's face, small print is what is on the paper around a number", () => {
  const at = (left: number, top: number) =>
    word("2026", { box: { left, top, width: CHEST.width / 2, height: CHEST.height / 2 } });
  const isSmallPrint = (print: Word, faces: Box[] = []) => {
    const { refused } = readBibs([word("12", { cut: { start: false, end: true } }), print], faces, RULES);
    return refused.some(({ reason }) => reason === "too-small");
  };
  const { left, top, width, height } = CHEST;
  const [beside, above, below] = [
    at(left + 1.4 * width, top),
    at(left, top - 1.3 * height),
    at(left, top + 1.8 * height),
  ];
  for (const print of [beside, above, below]) assert.ok(isSmallPrint(print));
  const farther = [at(left + 1.8 * width, top), at(left, top - 1.6 * height), at(left, top + 2.1 * height)];
  for (const print of farther) assert.ok(!isSmallPrint(print));
  const faceOfAnother = { ...FACE, left: beside.box.left, width: 0.04, height: 0.04, top: 0.4 };
  assert.ok(!isSmallPrint(beside, [FACE, faceOfAnother]));
});

describe("a roster", () => {
  const roster = new Set(["12", "A7", "0450"]);

  test("refuses the numbers that are not in it", () => {
    assert.equal(fate(word("12"), { roster }), "12");
    assert.equal(fate(word("a7"), { roster }), "A7");
    assert.equal(fate(word("13"), { roster }), "roster");
    assert.equal(fate(word("1:12"), { roster }), "pattern");
  });

  test("takes zeros off that are printed but not listed", () => {
    assert.equal(fate(word("0012"), { roster }), "12");
    assert.equal(fate(word("0013"), { roster, pattern: FOUR_DIGITS }), "roster");
  });

  test("keeps zeros that are listed", () => {
    assert.equal(fate(word("0450"), { roster }), "0450");
    assert.equal(fate(word("450"), { roster }), "roster");
    assert.equal(fate(word("0450"), { roster: new Set(["0450", "450"]) }), "0450");
  });

  test("refuses no part of a number", () =>
    assert.equal(fate(word("99", { cut: { start: false, end: true } }), { roster }), "99?"));
});

describe("a part of a number", () => {
  test("is told by which end is hidden", () => {
    assert.equal(fate(word("12", { cut: { start: false, end: true } })), "12?");
    assert.equal(fate(word("12", { cut: { start: true, end: false } })), "?12");
    assert.equal(fate(word("12", { cut: { start: true, end: true } })), "?12?");
    assert.equal(fate(word("12", { cut: { start: false, end: false } })), "12");
  });

  test("is told by where inside something is hidden", () => {
    assert.equal(fate(word("124", { cut: { start: false, end: false, inside: [1] } })), "1?24");
    assert.equal(fate(word("1 24", { cut: { start: true, end: true, inside: [1, 3] } })), "?1?2?4?");
    assert.equal(fate(word("124", { cut: { start: false, end: false, inside: [] } })), "124");
  });

  test("is what begins with a zero, unless the event says that numbers do", () => {
    assert.equal(fate(word("0123")), "?0123");
    assert.equal(fate(word("0123"), { pattern: FOUR_DIGITS }), "0123");
    assert.equal(fate(word("0123"), { roster: new Set(["0123"]) }), "0123");
    assert.equal(fate(word("0123"), { roster: new Set(["7"]) }), "?0123");
    assert.equal(fate(word("A012")), "A012");
    assert.equal(fate(word("012", { cut: { start: false, end: true } })), "012?");
  });

  test("is not what is seen to begin with zeros: they fill the field, and are no part of the number", () => {
    const cut = { start: false, end: false };
    assert.equal(fate(word("0123", { cut })), "123");
    assert.equal(fate(word("0", { cut })), "?0");
    assert.equal(fate(word("0123", { cut }), { pattern: FOUR_DIGITS }), "0123");
    assert.equal(fate(word("0123", { cut }), { roster: new Set(["7"]) }), "?0123");
    assert.equal(fate(word("0123", { cut: { ...cut, start: true } })), "?0123");
  });

  test("keeps to the other rules", () => {
    const cut = { start: false, end: true };
    assert.equal(fate(word("12:3", { cut })), "pattern");
    assert.equal(fate(word("12", { cut, confidence: 0.1 })), "confidence");
    assert.equal(fate(word("12", { cut, box: { ...CHEST, left: 0.01, top: 0.94 } })), "watermark");
    assert.equal(fate(word("12", { cut, box: { ...CHEST, height: 0.01 } }), {}, [FACE]), "too-small");
  });

  test("belongs to the face above it, too", () => {
    const { partial } = readBibs([word("12", { cut: { start: true, end: false } })], [FACE], RULES);
    assert.deepEqual(partial, [{ text: "?12", box: CHEST, confidence: 0.9, face: 0 }]);
  });
});

describe("the same number twice", () => {
  test("is one bib, the surer one", () => {
    const elsewhere = { ...CHEST, left: 0.1 };
    const both = [word("12", { confidence: 0.7 }), word("１２", { confidence: 0.95, box: elsewhere })];
    for (const words of [both, both.toReversed()]) {
      assert.deepEqual(readBibs(words, [], RULES).bibs, [{ bib: "12", box: elsewhere, confidence: 0.95 }]);
    }
  });

  test("leaves other numbers alone", () => {
    const { bibs } = readBibs([word("12"), word("13"), word("12")], [], RULES);
    assert.deepEqual(
      bibs.map(({ bib }) => bib),
      ["12", "13"],
    );
  });
});

test("a refused word is told as it was understood, with its place and confidence", () => {
  const { refused } = readBibs([word("１２ km", { confidence: 0.8 })], [FACE], RULES);
  assert.deepEqual(refused, [{ text: "12KM", box: CHEST, confidence: 0.8, reason: "pattern" }]);
});

describe("whose it is", () => {
  test("is the face above it; without one nobody's", () => {
    const far = { ...FACE, left: 0.05 };
    assert.deepEqual(readBibs([word("12")], [far, FACE], RULES).bibs, [
      { bib: "12", box: CHEST, confidence: 0.9, face: 1 },
    ]);
    assert.deepEqual(readBibs([word("12")], [far], RULES).bibs, [{ bib: "12", box: CHEST, confidence: 0.9 }]);
  });

  test("in a group photo each number is its runner's and never another one's, in whatever order they are listed", () => {
    const group = fc
      .uniqueArray(fc.integer({ min: 1, max: 999_999 }), { minLength: 1, maxLength: 8 })
      .chain((numbers) => fc.tuple(fc.constant(numbers), fc.shuffledSubarray(numbers, { minLength: numbers.length })));
    fc.assert(
      fc.property(group, ([numbers, listed]) => {
        const faceOf = (number: number) => ({ ...FACE, left: 0.02 + numbers.indexOf(number) * 0.12, width: 0.07 });
        const words = numbers.map((number) => {
          const { left, width } = faceOf(number);
          return word(`${number}`, { box: { left, top: 0.45, width, height: 0.05 } });
        });
        const { bibs, refused, partial } = readBibs(words, listed.map(faceOf), RULES);
        assert.deepEqual([refused, partial], [[], []]);
        const owners = bibs.map(({ bib, face }) => [bib, `${listed[face ?? -1]}`]);
        assert.deepEqual(
          owners,
          numbers.map((number) => [`${number}`, `${number}`]),
        );
      }),
    );
  });
});

test("every word ends once: as a bib, a part of one, or refused; a bib fits the pattern and no bib is there twice", () => {
  const fraction = between(0, 0.9);
  const box = fc.record({
    left: fraction,
    top: fraction,
    width: between(0.01, 0.1),
    height: between(0.01, 0.1),
  });
  const text = fc.oneof(fc.stringMatching(/^[A-C]?[0-9]{1,3}$/), fc.string({ maxLength: 6 }));
  const cut = fc.record({ start: fc.boolean(), end: fc.boolean() });
  const any = fc.record({ text, confidence: between(0, 1), box, cut });
  fc.assert(
    fc.property(fc.array(any, { maxLength: 12 }), fc.array(box, { maxLength: 4 }), (words, faces) => {
      const { bibs, partial, refused } = readBibs(words, faces, RULES);
      const numbers = bibs.map(({ bib }) => bib);
      assert.equal(new Set(numbers).size, numbers.length);
      assert.ok(numbers.every((bib) => /^[A-Z]?\d{1,6}$/.test(bib) && !bib.startsWith("0")));
      assert.ok(partial.every((each) => /^\??[A-Z]?\d{1,6}\??$/.test(each.text) && each.text.includes("?")));
      assert.ok(bibs.length + partial.length + refused.length <= words.length);
      const places = new Set([...bibs, ...partial, ...refused].map((each) => each.box));
      const gone = words.filter((each) => !places.has(each.box));
      assert.ok(
        gone.every((each) => numbers.includes(each.text.normalize("NFKC").toUpperCase().replaceAll(/\s/g, ""))),
      );
    }),
  );
});
