/** Columns line up whatever is in them. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { facts, inColumns, table, widthOf } from "./table.ts";

test("Korean letters are two columns wide, in one piece or in parts, and so are most emoji", () => {
  assert.equal(widthOf("Kim"), 3);
  assert.equal(widthOf("김민지"), 6);
  assert.equal(widthOf("김민지".normalize("NFD")), 6);
  assert.equal(widthOf("Zoë"), 3);
  assert.equal(widthOf("Zoë".normalize("NFD")), 3);
  assert.equal(widthOf("🏁 １"), 5);
});

test("a table has its headings over columns that line up", () => {
  const text = table(
    ["bib", "name", "team"],
    [
      ["1", "김민지", "A"],
      ["1001", "Tom", ""],
    ],
    "Nobody.",
  );
  assert.equal(text, "BIB   NAME    TEAM\n1     김민지  A\n1001  Tom");
});

test("a table without rows is a sentence", () => assert.equal(table(["bib"], [], "Nobody."), "Nobody."));

test("facts leave out what there is not", () => {
  assert.equal(facts({ id: "a", bio: null, website: undefined, handle: "", name: "B" }), "id    a\nname  B");
});

test("what people typed can't move the cursor or start a line", () => {
  assert.equal(inColumns([["a\nb\u001b[2J\u2028c", "d"]]), "a b [2J c  d");
});
