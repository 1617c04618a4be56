/** Numbers become bibs in the event's format. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Bib } from "../../platform/ids.ts";
import { bibOf } from "./entrant-bibs.ts";

test("a bib has the format's letter and at least its digits", () => {
  const bibs: [number: number, format: string, bib: string][] = [
    [1, "0000", "0001"],
    [1024, "0000", "1024"],
    [9999, "0000", "9999"],
    [10_000, "0000", "10000"],
    [7, "0", "7"],
    [10, "0", "10"],
    [37, "A000", "A037"],
    [1000, "A000", "A1000"],
    [1, "Z000000", "Z000001"],
  ];
  for (const [number, format, bib] of bibs) assert.equal(bibOf(number, format), bib);
});

test("every number has a bib of its own that runners may wear", () => {
  // As far as places go in the database, from the highest start there is.
  const number = fc.integer({ min: 1, max: 2 ** 31 + 999_999 });
  const format = fc.tuple(fc.constantFrom("", "A", "Z"), fc.integer({ min: 1, max: 6 }));
  fc.assert(
    fc.property(number, number, format, (one, other, [letter, digits]) => {
      const [first, second] = [one, other].map((each) => bibOf(each, `${letter}${"0".repeat(digits)}`));
      assert.equal(first === second, one === other);
      assert.equal(Bib.parse(first), first);
    }),
  );
});
