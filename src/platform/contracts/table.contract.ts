/** What every table engine promises, whatever it is built on. */

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { ConditionFailed } from "../condition-failed.ts";
import { above, absent, exists, is } from "../conditions.ts";
import type { Item, Table } from "../ports.ts";
import { refusedWith } from "./refused.ts";
import type { Subject } from "./subject.ts";
import { testConditions, testLostAnswers } from "./table-conditions.contract.ts";
import { testTableModel } from "./table-model.contract.ts";
import { testQueries } from "./table-queries.contract.ts";
import { conditionFailure, numbered, putAll, readAll } from "./table-samples.ts";

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
    testLostAnswers(() => table);
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

  it("an update that changes when an item expires lets it live longer, shorter or for ever", async () => {
    const now = Math.floor(Date.now() / 1000);
    const [ended, later] = [now - 10, now + 1000];
    const key = { PK: "TTL-MOVED", SK: "1" };
    const seen = async () => (await table().query({ partition: key.PK, limit: 2 })).items.length;
    await table().write([{ put: { ...key, ttl: ended } }]);
    await table().write([{ update: key, set: { ttl: later } }]);
    assert.deepEqual([await table().get(key), await seen()], [{ ...key, ttl: later }, 1]);
    await table().write([{ update: key, set: { ttl: ended, GSI1PK: "G", GSI1SK: "1" } }]);
    assert.deepEqual([await table().get(key), await seen()], [undefined, 0]);
    await table().write([{ update: key, remove: ["ttl"] }]);
    assert.deepEqual([await table().get(key), await seen()], [{ ...key, GSI1PK: "G", GSI1SK: "1" }, 1]);
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
