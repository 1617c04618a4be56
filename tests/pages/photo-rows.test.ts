/** Rows of photos keep their places while photos come at either end, and the newest page is merged into what is shown. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { justifiedRows, type Space } from "../../web/src/pages/photos/justified-rows.ts";
import { mergeHead } from "../../web/src/pages/photos/merge-head.ts";

const SPACE: Space = { widthPixels: 1200, gapPixels: 4, targetPixels: 250 };
const shapes = fc.array(
  fc.record({ width: fc.integer({ min: 1, max: 4000 }), height: fc.integer({ min: 1, max: 4000 }) }),
  {
    maxLength: 60,
  },
);
const spaces = fc.record({
  widthPixels: fc.integer({ min: 280, max: 3000 }),
  gapPixels: fc.constant(4),
  targetPixels: fc.integer({ min: 120, max: 300 }),
});

const indexesOf = (rows: ReturnType<typeof justifiedRows>) => rows.map(({ cells }) => cells.map(({ index }) => index));

describe("rows", () => {
  test("hold every photo once, in order, and none is wider than there is room", () => {
    fc.assert(
      fc.property(shapes, spaces, fc.nat(60), (photos, space, from) => {
        const rows = justifiedRows(photos, space, { anchor: Math.min(from, photos.length) });
        assert.deepEqual(indexesOf(rows).flat(), [...photos.keys()]);
        for (const { cells, heightPixels } of rows) {
          const used = cells.reduce((sum, { widthPixels }) => sum + widthPixels + space.gapPixels, -space.gapPixels);
          assert.ok(used <= space.widthPixels, `${used} pixels of ${space.widthPixels}`);
          assert.ok(heightPixels > 0 && cells.every(({ widthPixels }) => widthPixels > 0));
        }
      }),
    );
  });

  test("but the first and the last fill the width", () => {
    fc.assert(
      fc.property(shapes, spaces, (photos, space) => {
        for (const { cells } of justifiedRows(photos, space).slice(0, -1)) {
          const used = cells.reduce((sum, { widthPixels }) => sum + widthPixels + space.gapPixels, -space.gapPixels);
          assert.equal(used, space.widthPixels);
        }
      }),
    );
  });

  test("stay as they are when photos come behind", () => {
    fc.assert(
      fc.property(shapes, shapes, (photos, more) => {
        const before = indexesOf(justifiedRows(photos, SPACE, { isEnd: false }));
        const after = indexesOf(justifiedRows([...photos, ...more], SPACE, { isEnd: false }));
        // A single row that waits is shown all the same, and may grow.
        const kept = before.length > 1 ? before : before.slice(0, -1);
        assert.deepEqual(after.slice(0, kept.length), kept);
      }),
    );
  });

  test("stay as they are when photos come in front, but for the first", () => {
    fc.assert(
      fc.property(shapes, shapes, (photos, fresh) => {
        const before = indexesOf(justifiedRows(photos, SPACE));
        const all = justifiedRows([...fresh, ...photos], SPACE, { anchor: fresh.length });
        const after = indexesOf(all).map((row) => row.map((index) => index - fresh.length));
        assert.deepEqual(after.slice(after.length - before.length), before);
      }),
    );
  });
});

describe("the newest page", () => {
  const photo = (ulid: string, bib = "") => ({ ulid, bib });

  test("brings what is new, what changed and what is gone, as far as it reaches", () => {
    const known = ["F", "E", "D", "C", "B"].map((ulid) => photo(ulid));
    const head = { items: [photo("G"), photo("F", "1024"), photo("D")], cursor: "more" };
    const { fresh, known: kept, hasGap } = mergeHead(known, head);
    assert.deepEqual(fresh, [photo("G")]);
    assert.deepEqual(kept, [photo("F", "1024"), photo("D"), photo("C"), photo("B")]);
    assert.equal(hasGap, false);
  });

  test("says when others must lie between it and what is known", () => {
    const known = [photo("B"), photo("A")];
    assert.equal(mergeHead(known, { items: [photo("F"), photo("E")], cursor: "more" }).hasGap, true);
    assert.equal(mergeHead(known, { items: [photo("F"), photo("E")] }).hasGap, false);
  });

  test("that is the last one too leaves nothing that it has not", () => {
    const { known } = mergeHead([photo("B"), photo("A")], { items: [photo("B")] });
    assert.deepEqual(known, [photo("B")]);
  });
});
