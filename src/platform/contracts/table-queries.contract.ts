/** The part of the table suite that is about queries, pages and cursors. */

import assert from "node:assert/strict";
import { it } from "node:test";
import type { Query, Table } from "../ports.ts";
import { refusedWith } from "./refused.ts";
import { numbered, putAll, readAll } from "./table-samples.ts";

export function testQueries(table: () => Table): void {
  const sortKeys = async (query: Query) => (await readAll(table(), query)).map(({ SK }) => SK);

  it("answers in sort-key order, both ways, within bounds", async () => {
    const keys = ["A", "AB", "AC#1", "AC#2", "AC\u{10ffff}", "AD", "a", "가", "\uffee", "\u{1f45f}"];
    await table().write(keys.map((SK) => ({ put: { PK: "SORT", SK } })));
    const inOrder = keys;
    assert.deepEqual(await sortKeys({ partition: "SORT", limit: 3 }), inOrder);
    assert.deepEqual(await sortKeys({ partition: "SORT", limit: 4, order: "descending" }), inOrder.toReversed());
    const prefixed = await sortKeys({ partition: "SORT", sort: { beginsWith: "AC" }, limit: 2 });
    assert.deepEqual(prefixed, ["AC#1", "AC#2", "AC\u{10ffff}"]);
    const between = { partition: "SORT", sort: { from: "AB", to: "AD" }, limit: 2 };
    assert.deepEqual(await sortKeys(between), ["AB", "AC#1", "AC#2", "AC\u{10ffff}", "AD"]);
    assert.deepEqual(await sortKeys({ ...between, order: "descending" }), inOrder.slice(1, 6).toReversed());
    assert.deepEqual(await sortKeys({ partition: "SORT", sort: { from: "가" }, limit: 9 }), inOrder.slice(7));
    assert.deepEqual(await sortKeys({ partition: "SORT", sort: { to: "A" }, limit: 9 }), ["A"]);
    assert.deepEqual(await sortKeys({ partition: "SORT", sort: { from: "b", to: "a" }, limit: 9 }), []);
    assert.deepEqual(await sortKeys({ partition: "NO SUCH", limit: 9 }), []);
  });

  it("keeps indexes sparse and in step with the items", async () => {
    const placed = (n: number, at: number) => ({ GSI1PK: "USER#1", GSI1SK: `QAT#${at}#REQ#${n}` });
    await table().write([
      { put: { PK: "REQ#1", SK: "META", ...placed(1, 300) } },
      { put: { PK: "REQ#2", SK: "META", ...placed(2, 100) } },
      { put: { PK: "REQ#3", SK: "META", GSI1PK: "USER#1" } },
      { put: { PK: "REQ#4", SK: "META", GSI2PK: "EVENT#1", GSI2SK: "QAT#1" } },
    ]);
    const mine = async () =>
      (await readAll(table(), { index: "GSI1", partition: "USER#1", limit: 1, order: "descending" })).map(
        ({ PK }) => PK,
      );
    assert.deepEqual(await mine(), ["REQ#1", "REQ#2"]);
    await table().update({ update: { PK: "REQ#3", SK: "META" }, set: placed(3, 200) });
    assert.deepEqual(await mine(), ["REQ#1", "REQ#3", "REQ#2"]);
    await table().update({ update: { PK: "REQ#1", SK: "META" }, remove: ["GSI1SK"] });
    await table().write([{ delete: { PK: "REQ#2", SK: "META" } }]);
    assert.deepEqual(await mine(), ["REQ#3"]);
    const other = await table().query({ index: "GSI2", partition: "EVENT#1", limit: 5 });
    assert.deepEqual(other.items, [{ PK: "REQ#4", SK: "META", GSI2PK: "EVENT#1", GSI2SK: "QAT#1" }]);
  });

  it("pages through items that share an index key", async () => {
    const items = numbered("TIES", 25).map((item) => ({ ...item, GSI2PK: "TIE", GSI2SK: "same" }));
    await putAll(table(), items);
    for (const order of ["ascending", "descending"] as const) {
      const seen = await readAll(table(), { index: "GSI2", partition: "TIE", limit: 4, order });
      assert.deepEqual(new Set(seen.map(({ SK }) => SK)), new Set(items.map(({ SK }) => SK)));
      assert.equal(seen.length, 25);
    }
  });

  it("keeps cursors valid while items come and go", async () => {
    const items = numbered("PAGES", 60);
    await putAll(table(), items);
    let pages = 0;
    const seen = await readAll(table(), { partition: "PAGES", limit: 7 }, async ({ items: page }) => {
      pages += 1;
      const last = page.at(-1);
      // The item the cursor stands on goes, one behind it comes, and one far ahead comes.
      if (last) await table().write([{ delete: { PK: last.PK, SK: last.SK } }]);
      await table().write([{ put: { PK: "PAGES", SK: `A#${pages}` } }, { put: { PK: "PAGES", SK: `Z#${pages}` } }]);
    });
    const inOrder = seen.map(({ SK }) => SK).filter((SK) => SK.startsWith("N#"));
    assert.deepEqual(
      inOrder,
      items.map(({ SK }) => SK),
    );
    assert.ok(!seen.some(({ SK }) => SK.startsWith("A#")));
    assert.equal(new Set(seen.map(({ SK }) => SK)).size, seen.length);
    assert.ok(seen.filter(({ SK }) => SK.startsWith("Z#")).length >= 8);
  });

  it("refuses cursors that are not its own", async () => {
    await putAll(table(), numbered("MINE", 5));
    const { cursor } = await table().query({ partition: "MINE", limit: 2 });
    assert.ok(cursor);
    for (const [label, query] of [
      ["another partition", { partition: "THEIRS", limit: 2, cursor }],
      ["an index", { partition: "MINE", index: "GSI1", limit: 2, cursor }],
      ["noise", { partition: "MINE", limit: 2, cursor: "%%%" }],
      ["odd JSON", { partition: "MINE", limit: 2, cursor: Buffer.from('["a"]').toString("base64url") }],
    ] as [string, Query][]) {
      await refusedWith("cursor.invalid", table().query(query), label);
    }
  });
}
