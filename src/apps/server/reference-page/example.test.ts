/** Examples are the document's own where it has some, and else fit the schema. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { exampleOf } from "./example.ts";
import { readShape } from "./shape.ts";

const exampleFor = (schema: unknown, want = { all: false }) =>
  exampleOf(
    readShape(schema, () => undefined),
    want,
  );

const cases: [schema: unknown, example: unknown][] = [
  [{ type: "string", example: "a", examples: ["b"], default: "c" }, "a"],
  [{ type: "string", examples: ["b"], default: "c" }, "b"],
  [{ type: "string", default: "c" }, "c"],
  [{ type: "integer", example: 0 }, 0],
  [{ const: false }, false],
  [{ enum: ["x", "y"] }, "x"],
  [{ type: "string" }, "text"],
  [{ type: ["string", "null"] }, "text"],
  [{ type: "string", format: "date" }, "2026-05-17"],
  [{ type: "boolean" }, true],
  [{ type: "null" }, null],
  [{ type: "integer" }, 1],
  [{ type: "integer", minimum: 18 }, 18],
  [{ type: "number", exclusiveMinimum: 0 }, 1],
  [{ type: "number", maximum: -3 }, -3],
  [{ type: "integer", multipleOf: 5 }, 5],
  [{ type: "array", items: { type: "integer" } }, [1]],
  [{ type: "array", prefixItems: [{ type: "string" }, { type: "integer" }] }, ["text", 1]],
  [{ anyOf: [{ type: "integer" }, { type: "string" }] }, 1],
  [{ type: "object", additionalProperties: { type: "integer" } }, { name: 1 }],
  [{}, undefined],
];
for (const [schema, example] of cases) {
  test(`${JSON.stringify(schema)} has the example ${JSON.stringify(example)}`, () => {
    assert.deepEqual(exampleFor(schema), example);
  });
}

test("what may be left out is shown only when all is wanted, or when it has an example of its own", () => {
  const schema = {
    type: "object",
    required: ["a"],
    properties: { a: { type: "string" }, b: { type: "string" }, c: { type: "string", example: "own" } },
  };
  assert.deepEqual(exampleFor(schema), { a: "text", c: "own" });
  assert.deepEqual(exampleFor(schema, { all: true }), { a: "text", b: "text", c: "own" });
});

test("a change that needs some field has one", () => {
  const properties = { a: { type: "string" }, b: { type: "string" } };
  assert.deepEqual(exampleFor({ type: "object", properties, minProperties: 1 }), { a: "text" });
  assert.deepEqual(exampleFor({ type: "object", properties }), {});
});

test("an example of what is inside itself ends", () => {
  const tree = { type: "object", properties: { kids: { type: "array", items: { $ref: "#/tree" } } } };
  assert.deepEqual(
    exampleOf(
      readShape({ $ref: "#/tree" }, () => tree),
      { all: true },
    ),
    { kids: [] },
  );
});

test("what is made up for a zod schema passes it", () => {
  const schema = z.strictObject({
    at: z.iso.datetime(),
    day: z.iso.date(),
    lasting: z.iso.duration(),
    mail: z.email(),
    page: z.url(),
    id: z.uuid(),
    photo: z.ulid(),
    count: z.int().positive(),
    share: z.number().min(0).max(1),
    kind: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("a"), n: z.int() }),
      z.object({ kind: z.literal("b") }),
    ]),
    names: z.array(z.string()).min(1),
    pair: z.tuple([z.string(), z.boolean()]),
    labels: z.record(z.string(), z.string()),
    maybe: z.string().nullable(),
  });
  assert.deepEqual(schema.safeParse(exampleFor(z.toJSONSchema(schema))).error, undefined);
});
