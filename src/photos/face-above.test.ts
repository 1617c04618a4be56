/** A bib belongs to the face that it hangs below, and to no other one in the picture. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { between } from "../../tests/harness/between.ts";
import type { Box } from "../platform/ports.ts";
import { faceAbove } from "./face-above.ts";

const FACE: Box = { left: 0.45, top: 0.1, width: 0.1, height: 0.1 };

/** Its middle so many face widths beside the face's middle, and face heights below its lower edge. */
function bibBelow(face: Box, beside: number, below: number): Box {
  const [width, height] = [face.width * 1.4, face.height * 0.5];
  const x = face.left + face.width / 2 + beside * face.width;
  const y = face.top + face.height + below * face.height;
  return { left: x - width / 2, top: y - height / 2, width, height };
}

describe("a bib", () => {
  test("on the chest belongs to the face above it", () => {
    for (const beside of [-1.7, -0.5, 0, 0.5, 1.7]) {
      for (const below of [0.2, 1, 2, 3.5, 4.9]) assert.equal(faceAbove(bibBelow(FACE, beside, below), [FACE]), 0);
    }
  });

  test("beside, above, in or far below the face belongs to nobody", () => {
    const places = [
      [1.9, 2],
      [-1.9, 2],
      [0, 0],
      [0, -0.5],
      [0, -3],
      [0, 5.1],
    ];
    for (const [beside = 0, below = 0] of places) {
      assert.equal(faceAbove(bibBelow(FACE, beside, below), [FACE]), undefined, `${beside}, ${below}`);
    }
  });

  test("in a picture without faces belongs to nobody", () => assert.equal(faceAbove(FACE, []), undefined));

  test("below two faces belongs to the nearer one, and to the one it hangs below in the usual way", () => {
    const neighbour = { ...FACE, left: FACE.left + 0.15 };
    assert.equal(faceAbove(bibBelow(FACE, 0.2, 2), [neighbour, FACE]), 1);
    assert.equal(faceAbove(bibBelow(FACE, 1, 2), [neighbour, FACE]), 0);
    const behind = { ...FACE, top: FACE.top - 0.2 };
    assert.equal(faceAbove(bibBelow(FACE, 0, 2), [behind, FACE]), 1);
    assert.equal(faceAbove(bibBelow(behind, 0, 2), [behind, FACE]), 0);
  });
});

describe("in a group photo", () => {
  const unit = between(-1, 1);
  const people = fc.array(fc.tuple(unit, unit), { minLength: 1, maxLength: 12 });

  test("each bib belongs to its own runner in a row, though it hangs a little to the side", () => {
    const size = between(0.01, 0.05);
    fc.assert(
      fc.property(people, size, (shifts, width) => {
        const row = shifts.map((_, i) => ({ left: 0.02 + i * 1.6 * width, top: 0.2, width, height: width * 1.2 }));
        for (const [i, [beside, below]] of shifts.entries()) {
          assert.equal(faceAbove(bibBelow(row[i] as Box, beside * 0.7, 2 + below), row), i);
        }
      }),
    );
  });

  test("and to the right row, where some stand behind others", () => {
    fc.assert(
      fc.property(people, (shifts) => {
        const rows = shifts.flatMap((_, i) => {
          const front = { left: 0.05 + i * 0.07, top: 0.4, width: 0.04, height: 0.05 };
          return [front, { ...front, left: front.left + 0.035, top: 0.3 }];
        });
        for (const [i, [beside, below]] of shifts.entries()) {
          const bib = bibBelow(rows[2 * i] as Box, beside * 0.3, 2 + below * 0.4);
          assert.equal(faceAbove(bib, rows), 2 * i);
        }
      }),
    );
  });

  const box = fc.record({
    left: between(0, 0.9),
    top: between(0, 0.9),
    width: between(0.01, 0.2),
    height: between(0.01, 0.2),
  });
  const faceOf = (bib: Box, faces: Box[]) => faces[faceAbove(bib, faces) ?? -1];

  test("in what order the faces are listed changes nothing but the place in the list", () => {
    const shuffled = fc
      .uniqueArray(box, { maxLength: 8, comparator: (a, b) => a.left === b.left && a.width === b.width })
      .chain((faces) =>
        fc.tuple(fc.constant(faces), fc.shuffledSubarray(faces, { minLength: faces.length, maxLength: faces.length })),
      );
    fc.assert(
      fc.property(box, shuffled, (bib, [faces, others]) => {
        // Of two that are equally near either will do.
        const isTie = (a: Box, b: Box) => faceAbove(bib, [a, b]) === 0 && faceAbove(bib, [b, a]) === 0;
        fc.pre(!faces.some((a, i) => faces.slice(i + 1).some((b) => isTie(a, b))));
        assert.equal(faceOf(bib, faces), faceOf(bib, others));
      }),
    );
  });

  test("faces that are not above a bib change nothing", () => {
    fc.assert(
      fc.property(box, fc.array(box, { maxLength: 8 }), (bib, faces) => {
        const above = faces.filter((face) => faceAbove(bib, [face]) === 0);
        assert.equal(faceOf(bib, faces), faceOf(bib, above));
      }),
    );
  });
});
