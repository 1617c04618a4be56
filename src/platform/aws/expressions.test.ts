/** Expressions as DynamoDB reads them. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { above, absent, all, any, exists, is } from "../conditions.ts";
import type { Condition, Query, Update } from "../ports.ts";
import { conditionExpression, keyConditionExpression, Placeholders, updateExpression } from "./expressions.ts";

const conditionOf = (condition: Condition) => {
  const placeholders = new Placeholders();
  return { text: conditionExpression(condition, placeholders), ...placeholders.fields() };
};

test("a condition has its names and values as placeholders, each name once", () => {
  assert.deepEqual(conditionOf(all(exists("status"), any(is("status", "Open"), above("size", 3)))), {
    text: "(attribute_exists(#n0) AND (#n0 = :v0 OR #n1 > :v1))",
    ExpressionAttributeNames: { "#n0": "status", "#n1": "size" },
    ExpressionAttributeValues: { ":v0": { S: "Open" }, ":v1": { N: "3" } },
  });
});

test("a condition without values has no map of values, which DynamoDB would refuse", () => {
  assert.deepEqual(conditionOf(absent("PK")), {
    text: "attribute_not_exists(#n0)",
    ExpressionAttributeNames: { "#n0": "PK" },
  });
});

test("one in parentheses within parentheses is written without them", () => {
  assert.equal(
    conditionOf(all(any(all(exists("a"), exists("b"))))).text,
    "(attribute_exists(#n0) AND attribute_exists(#n1))",
  );
});

test("all of nothing holds, any of nothing does not", () => {
  assert.equal(conditionOf(all()).text, "(attribute_exists(#n0) OR attribute_not_exists(#n0))");
  assert.equal(conditionOf(any()).text, "(attribute_exists(#n0) AND attribute_not_exists(#n0))");
});

test("an update has a clause for each kind of change it makes", () => {
  const textOf = (changes: Omit<Update, "update">) =>
    updateExpression({ update: { PK: "p", SK: "s" }, ...changes }, new Placeholders());
  assert.equal(
    textOf({ set: { a: 1, b: null }, add: { n: -1 }, remove: ["c", "d"] }),
    "SET #n0 = :v0, #n1 = :v1 ADD #n2 :v2 REMOVE #n3, #n4",
  );
  assert.equal(textOf({ add: { n: 1 } }), "ADD #n0 :v0");
});

test("bounds of the sort key are those DynamoDB takes", () => {
  const textOf = (sort: Query["sort"]) =>
    keyConditionExpression({ partition: "p", ...(sort && { sort }) }, { pk: "PK", sk: "SK" }, new Placeholders());
  assert.equal(textOf(undefined), "#n0 = :v0");
  assert.equal(textOf({ beginsWith: "a" }), "#n0 = :v0 AND begins_with(#n1, :v1)");
  assert.equal(textOf({ beginsWith: "" }), "#n0 = :v0");
  assert.equal(textOf({ from: "a" }), "#n0 = :v0 AND #n1 >= :v1");
  assert.equal(textOf({ to: "a" }), "#n0 = :v0 AND #n1 <= :v1");
  assert.equal(textOf({ from: "a", to: "b" }), "#n0 = :v0 AND #n1 BETWEEN :v1 AND :v2");
  assert.equal(textOf({ from: "b", to: "a" }), undefined);
  assert.equal(textOf({ from: "｡", to: "🏃" }), "#n0 = :v0 AND #n1 BETWEEN :v1 AND :v2", "by bytes, not by UTF-16");
  assert.equal(textOf({ to: "" }), undefined);
});
