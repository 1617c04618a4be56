/** What every table engine promises, whatever it is built on. */

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { ConditionFailed } from "../condition-failed.ts";
import { above, absent, all, any, atLeast, atMost, below, exists, is, isNot } from "../conditions.ts";
import type { Condition, Item, Page, Query, Table } from "../ports.ts";
import { refusedWith } from "./refused.ts";
import type { Subject } from "./subject.ts";
import { testTableModel } from "./table-model.contract.ts";

const numbered = (partition: string, count: number): Item[] =>
  Array.from({ length: count }, (_, n) => ({ PK: partition, SK: `N#${String(n).padStart(4, "0")}`, n }));

async function putAll(table: Table, items: Item[]): Promise<void> {
  for (let start = 0; start < items.length; start += 100) {
    await table.write(items.slice(start, start + 100).map((put) => ({ put })));
  }
}

async function readAll(table: Table, query: Query, between?: (page: Page<Item>) => Promise<void>): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | undefined, first = true; first || cursor; first = false) {
    const page: Page<Item> = await table.query(cursor ? { ...query, cursor } : query);
    assert.ok(page.items.length <= query.limit);
    items.push(...page.items);
    cursor = page.cursor;
    await between?.(page);
  }
  return items;
}

async function conditionFailure(work: Promise<unknown>): Promise<ConditionFailed> {
  const error = await work.then(
    () => assert.fail("the write went through"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ConditionFailed, String(error));
  return error;
}

export function testTable(name: string, open: () => Promise<Subject>): void {
  describe(`table: ${name}`, () => {
    let subject: Subject;
    let table: Table;
    before(async () => {
      subject = await open();
      table = await subject.table();
    });
    after(() => subject?.close());

    testItems(() => table);
    testConditions(() => table);
    testTransactions(() => table);
    testQueries(() => table);
    testRefusals(() => table);
    testRaces(() => table);
    testTableModel(() => subject.table());
  });
}

function testItems(table: () => Table): void {
  it("gives back what was put, value for value", async () => {
    const item: Item = {
      PK: "KIND#1",
      SK: "META",
      text: "안녕 👟 ",
      empty: "",
      whole: 1_700_000_000_123,
      part: -0.125,
      yes: true,
      nothing: null,
      list: [1, "two", [false], {}],
      map: { inner: { deep: ["x"] } },
    };
    await table().write([{ put: item }]);
    assert.deepEqual(await table().get({ PK: "KIND#1", SK: "META" }), item);
    assert.equal(await table().get({ PK: "KIND#1", SK: "NONE" }), undefined);
  });

  it("replaces the whole item on put and removes it on delete", async () => {
    const key = { PK: "WHOLE", SK: "1" };
    await table().write([{ put: { ...key, a: 1, b: 2 } }]);
    await table().write([{ put: { ...key, c: 3 } }]);
    assert.deepEqual(await table().get(key), { ...key, c: 3 });
    await table().write([{ delete: key }]);
    await table().write([{ delete: key }]);
    assert.equal(await table().get(key), undefined);
  });

  it("answers a batch in the order asked, with holes and repeats", async () => {
    const items = numbered("BATCH", 120);
    await putAll(table(), items);
    const keys = items.map(({ PK, SK }) => ({ PK, SK })).reverse();
    const asked = [{ PK: "BATCH", SK: "none" }, ...keys, keys[0] as Item];
    const found = await table().batchGet(asked);
    assert.deepEqual(found, [undefined, ...items.toReversed(), items.at(-1)]);
    assert.deepEqual(await table().batchGet([]), []);
  });

  it("creates by update, sets, adds and removes, and answers the new item", async () => {
    const key = { PK: "UPDATE", SK: "1" };
    assert.deepEqual(await table().update({ update: key, add: { ticket: 1 } }), { ...key, ticket: 1 });
    const next = await table().update({ update: key, add: { ticket: 2 }, set: { a: "x", b: [1] } });
    assert.deepEqual(next, { ...key, ticket: 3, a: "x", b: [1] });
    assert.deepEqual(await table().update({ update: key, remove: ["a", "never"] }), { ...key, ticket: 3, b: [1] });
    await refusedWith("table.bad-update", table().update({ update: key, add: { b: 1 } }));
    assert.deepEqual(await table().get(key), { ...key, ticket: 3, b: [1] });
  });

  it("hides expired items from every read, and fills pages past them", async () => {
    const ended = Math.floor(Date.now() / 1000) - 10;
    const items = numbered("TTL", 30).map((item, n) => (n % 3 === 0 ? item : { ...item, ttl: ended }));
    items.push({ PK: "TTL", SK: "later", ttl: ended + 1000 }, { PK: "TTL", SK: "odd", ttl: "soon" });
    await putAll(table(), items);
    assert.equal(await table().get({ PK: "TTL", SK: "N#0001" }), undefined);
    assert.deepEqual(await table().batchGet([{ PK: "TTL", SK: "N#0002" }]), [undefined]);
    assert.equal((await table().query({ partition: "TTL", limit: 8 })).items.length, 8);
    assert.equal((await readAll(table(), { partition: "TTL", limit: 8 })).length, 12);
  });
}

function testConditions(table: () => Table): void {
  const key = { PK: "COND", SK: "1" };
  const item = { ...key, status: "QUEUED", n: 5, tags: ["a", { b: 1 }], big: "\u{1f45f}", flag: false };
  const cases: [string, Condition, boolean][] = [
    ["exists", exists("status"), true],
    ["exists, on a missing attribute", exists("nope"), false],
    ["absent", absent("status"), false],
    ["absent, on a missing attribute", absent("nope"), true],
    ["=", is("status", "QUEUED"), true],
    ["= on another type", is("n", "5"), false],
    ["= on a missing attribute", is("nope", "x"), false],
    ["= on a list", is("tags", ["a", { b: 1 }]), true],
    ["= on another list", is("tags", ["a", { b: 2 }]), false],
    ["= false", is("flag", false), true],
    ["<>", isNot("status", "QUEUED"), false],
    ["<> on another type", isNot("n", "5"), true],
    ["<> on a missing attribute", isNot("nope", "x"), true],
    ["> on numbers", above("n", 4), true],
    ["> on numbers, not as text", above("n", 10), false],
    [">= at the bound", atLeast("n", 5), true],
    ["< at the bound", below("n", 5), false],
    ["<= at the bound", atMost("n", 5), true],
    ["< on another type", below("status", 9), false],
    ["< on a missing attribute", below("nope", 9), false],
    ["text in UTF-8 order, not UTF-16", above("big", "\uffee"), true],
    ["all", all(is("n", 5), exists("status")), true],
    ["all with one that fails", all(is("n", 5), exists("nope")), false],
    ["any", any(is("n", 6), is("n", 5)), true],
    ["any with none", any(is("n", 6), is("n", 7)), false],
    ["nested", all(any(absent("nope"), is("n", 1)), any(is("n", 5), is("n", 6))), true],
  ];
  for (const [label, condition, expected] of cases) {
    it(`condition ${label}: ${expected ? "holds" : "fails"}`, async () => {
      await table().write([{ put: item }]);
      const work = table().write([{ check: key, if: condition }]);
      if (expected) await work;
      else assert.deepEqual((await conditionFailure(work)).failures, [{ action: 0, item }]);
    });
  }

  it("puts if absent once, and shows the winner to the loser", async () => {
    const lock = { PK: "IDEMP#e#u", SK: "LOCK", requestId: "first" };
    await table().write([{ put: lock, if: absent("PK") }]);
    const { failures } = await conditionFailure(
      table().write([{ put: { ...lock, requestId: "second" }, if: absent("PK") }]),
    );
    assert.deepEqual(failures, [{ action: 0, item: lock }]);
    const { failures: updating } = await conditionFailure(
      table().update({ update: { PK: "IDEMP#e#u", SK: "LOCK" }, set: { x: 1 }, if: is("requestId", "second") }),
    );
    assert.deepEqual(updating, [{ action: 0, item: lock }]);
    assert.deepEqual(await table().get({ PK: lock.PK, SK: lock.SK }), lock);
  });
}

function testTransactions(table: () => Table): void {
  it("writes all or nothing and names every condition that failed", async () => {
    const [a, b, c, d] = ["a", "b", "c", "d"].map((SK) => ({ PK: "TX", SK }));
    assert.ok(a && b && c && d);
    await table().write([{ put: { ...a, n: 1 } }, { put: { ...b, n: 1 } }]);
    const { failures } = await conditionFailure(
      table().write([
        { put: { ...c, n: 1 } },
        { update: a, add: { n: 1 }, if: is("n", 1) },
        { delete: b, if: is("n", 2) },
        { check: d, if: exists("PK") },
      ]),
    );
    assert.deepEqual(failures, [{ action: 2, item: { ...b, n: 1 } }, { action: 3 }]);
    assert.deepEqual(await table().batchGet([a, b, c]), [{ ...a, n: 1 }, { ...b, n: 1 }, undefined]);
    await table().write([
      { put: { ...c, n: 1 } },
      { update: a, add: { n: 1 }, if: is("n", 1) },
      { delete: b, if: is("n", 1) },
      { check: d, if: absent("PK") },
    ]);
    assert.deepEqual(await table().batchGet([a, b, c]), [{ ...a, n: 2 }, undefined, { ...c, n: 1 }]);
  });

  it("takes 100 actions", async () => {
    await table().write(numbered("HUNDRED", 100).map((put) => ({ put })));
    assert.equal((await table().query({ partition: "HUNDRED", limit: 200 })).items.length, 100);
  });
}

function testQueries(table: () => Table): void {
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

function testRefusals(table: () => Table): void {
  const key = { PK: "BAD", SK: "1" };
  const large = "x".repeat(400 * 1024);
  const refusals: [string, string, () => Promise<unknown>][] = [
    ["no action", "table.no-actions", () => table().write([])],
    ["101 actions", "table.too-many-actions", () => table().write(numbered("BAD", 101).map((put) => ({ put })))],
    ["two actions on one item", "table.item-twice", () => table().write([{ put: key }, { delete: key }])],
    ["an item over 400 KB", "table.item-too-large", () => table().write([{ put: { ...key, large } }])],
    ["an update past 400 KB", "table.item-too-large", () => table().update({ update: key, set: { large } })],
    ["an empty key", "table.bad-key", () => table().write([{ put: { PK: "", SK: "1" } }])],
    ["a long partition key", "table.bad-key", () => table().get({ PK: "가".repeat(700), SK: "1" })],
    ["a long sort key", "table.bad-key", () => table().get({ PK: "1", SK: "x".repeat(1025) })],
    ["a number as index key", "table.bad-key", () => table().write([{ put: { ...key, GSI1PK: 1, GSI1SK: "x" } }])],
    ["an empty index key", "table.bad-key", () => table().update({ update: key, set: { GSI2SK: "" } })],
    ["a changed key", "table.key-change", () => table().update({ update: key, set: { SK: "2" } })],
    [
      "an attribute twice",
      "table.attribute-twice",
      () => table().update({ update: key, set: { a: 1 }, remove: ["a"] }),
    ],
    ["an update of nothing", "table.empty-update", () => table().update({ update: key })],
    ["a page of none", "table.bad-limit", () => table().query({ partition: "P", limit: 0 })],
    ["a page of too many", "table.bad-limit", () => table().query({ partition: "P", limit: 1001 })],
    ["an empty partition", "table.bad-key", () => table().query({ partition: "", limit: 1 })],
    ["NaN", "table.bad-value", () => table().write([{ put: { ...key, n: Number.NaN } }])],
    ["undefined", "table.bad-value", () => table().write([{ put: { ...key, n: undefined } as unknown as Item }])],
    ["half a surrogate pair", "table.bad-value", () => table().write([{ put: { ...key, s: "\ud83d" } }])],
  ];
  for (const [label, code, work] of refusals) {
    it(`refuses ${label}`, async () => {
      await refusedWith(code, work());
      assert.equal(await table().get(key), undefined);
    });
  }

  it("takes an item of just under 400 KB", async () => {
    const item = { PK: "FULL", SK: "1", body: "x".repeat(400 * 1024 - 20) };
    await table().write([{ put: item }]);
    assert.deepEqual(await table().get({ PK: "FULL", SK: "1" }), item);
  });
}

function testRaces(table: () => Table): void {
  it("lets exactly 50 of 200 parallel decrements of 50 through", async () => {
    const capacity = { PK: "EVENT#race", SK: "CAPACITY" };
    await table().write([{ put: { ...capacity, capacityRemaining: 50 } }]);
    const takers = Array.from({ length: 200 }, (_, n) =>
      table()
        .write([
          { update: capacity, add: { capacityRemaining: -1 }, if: above("capacityRemaining", 0) },
          { put: { PK: "EVENT#race", SK: `WINNER#${n}` }, if: absent("PK") },
        ])
        .then(
          () => true,
          (error: unknown) => {
            assert.ok(error instanceof ConditionFailed, String(error));
            return false;
          },
        ),
    );
    assert.equal((await Promise.all(takers)).filter(Boolean).length, 50);
    assert.equal((await table().get(capacity))?.capacityRemaining, 0);
    const winners = await readAll(table(), { partition: "EVENT#race", sort: { beginsWith: "WINNER#" }, limit: 30 });
    assert.equal(winners.length, 50);
  });

  it("gives 100 parallel counters each their own number", async () => {
    const counter = { PK: "EVENT#race", SK: "TICKETS" };
    const numbers = await Promise.all(
      Array.from({ length: 100 }, async () => (await table().update({ update: counter, add: { last: 1 } })).last),
    );
    assert.deepEqual(new Set(numbers), new Set(Array.from({ length: 100 }, (_, n) => n + 1)));
  });
}
