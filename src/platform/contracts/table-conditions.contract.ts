/** The part of the table suite that is about conditions: when they hold, and what a loser learns. */

import assert from "node:assert/strict";
import { it } from "node:test";
import { above, absent, all, any, atLeast, atMost, below, exists, is, isNot } from "../conditions.ts";
import type { Condition, Table } from "../ports.ts";
import { conditionFailure } from "./table-samples.ts";

export function testConditions(table: () => Table): void {
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

export function testLostAnswers(table: () => Table): void {
  it("tells a write sent again after its answer was lost that it is already there", async () => {
    const request = { PK: "REQ#lost", SK: "META", status: "RECEIVED" };
    const key = { PK: request.PK, SK: request.SK };
    const first = { put: request, if: absent("PK") };
    await table().write([first]);
    assert.deepEqual((await conditionFailure(table().write([first]))).failures, [{ action: 0, item: request }]);
    const step = { update: key, set: { status: "QUEUED" }, if: is("status", "RECEIVED") };
    await table().write([step]);
    const { failures } = await conditionFailure(table().write([step]));
    assert.deepEqual(failures, [{ action: 0, item: { ...request, status: "QUEUED" } }]);
  });

  it("lets one of many that saw the same state move it on", async () => {
    const key = { PK: "REQ#moved", SK: "META" };
    await table().write([{ put: { ...key, status: "QUEUED" } }]);
    const movers = Array.from({ length: 20 }, (_, by) =>
      table().update({ update: key, set: { status: "PROCESSING", by }, if: is("status", "QUEUED") }),
    );
    const settled = await Promise.allSettled(movers);
    const [winner, ...others] = settled.filter(({ status }) => status === "fulfilled");
    assert.ok(winner?.status === "fulfilled" && others.length === 0);
    assert.deepEqual(await table().get(key), winner.value);
  });
}
