/** Every form a schema can have, as the words people read. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { readShape } from "./shape.ts";
import { limitWords, prose, typeWords } from "./words.ts";

const components: Record<string, unknown> = {
  Event: { type: "object", properties: { name: { type: "string" } } },
  Bib: { type: "string", maxLength: 7 },
  Tree: { type: "object", properties: { kids: { type: "array", items: { $ref: "#/components/schemas/Tree" } } } },
};
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const read = (schema: unknown) => readShape(schema, (pointer) => components[pointer.split("/").at(-1) ?? ""]);

/** Code is marked as in Markdown, so that tests can tell it from words. */
function plain(parts: unknown[]): string {
  return parts
    .map(String)
    .join("; ")
    .replaceAll(/<\/?code>/g, "`")
    .replaceAll("&quot;", '"');
}

const types: [schema: unknown, words: string][] = [
  [{ type: "string" }, "string"],
  [{ type: ["string", "null"] }, "string or null"],
  [{ type: ["string", "integer"] }, "string or integer"],
  [{ type: "null" }, "null"],
  [{ anyOf: [{ type: "string" }, { type: "null" }] }, "string or null"],
  [{ anyOf: [{ type: "string" }, { type: "number" }] }, "string or number"],
  [{ oneOf: [{ type: "string" }, { type: "number" }, { type: "null" }] }, "string or number or null"],
  [{ enum: ["a", 1] }, "string or number"],
  [{ const: true }, "boolean"],
  [{ enum: ["a", null] }, "string or null"],
  [{ type: "object" }, "object"],
  [{ properties: { a: {} } }, "object"],
  [ref("Event"), "Event"],
  [{ anyOf: [ref("Event"), { type: "null" }] }, "Event or null"],
  [{ allOf: [ref("Event"), { type: ["object", "null"] }] }, "Event or null"],
  [{ allOf: [ref("Event"), { type: "object", properties: { more: {} } }] }, "object"],
  [ref("Bib"), "string"],
  [{ type: "array" }, "array"],
  [{ type: "array", items: ref("Event") }, "array of Event"],
  [{ items: { type: ["string", "null"] } }, "array of (string or null)"],
  [{ type: "array", prefixItems: [{ type: "string" }, { type: "number" }] }, "array of string, number"],
  [{ type: "array", prefixItems: [{ type: "string" }], items: { type: "number" } }, "array of string, then number"],
  [{ type: "array", prefixItems: [{ type: "string" }], items: false }, "array of string"],
  [{ oneOf: [ref("Event"), { type: "object" }] }, "object, in one of 2 forms"],
  [{ oneOf: [ref("Event"), { type: "object" }, { type: "null" }] }, "object or null, in one of 2 forms"],
  [{ anyOf: [ref("Event"), { type: "string" }] }, "Event or string"],
  [{}, "any value"],
  [true, "any value"],
  [undefined, "any value"],
  [ref("Nowhere"), "any value"],
];
for (const [schema, words] of types) {
  test(`${JSON.stringify(schema)} is ${words}`, () => assert.equal(typeWords(read(schema)), words));
}

const limits: [schema: unknown, words: string][] = [
  [{ type: "string" }, ""],
  [{ type: "string", minLength: 1, maxLength: 100 }, "1 to 100 characters"],
  [{ type: "string", minLength: 1 }, "at least 1 character"],
  [{ type: "string", maxLength: 2000 }, "at most 2,000 characters"],
  [{ type: "string", minLength: 26, maxLength: 26 }, "exactly 26 characters"],
  [{ type: "string", pattern: "^[a-z]+$" }, "matches `^[a-z]+$`"],
  [{ type: "string", allOf: [{ pattern: "^a" }, { pattern: "z$" }] }, "matches `^a`; matches `z$`"],
  [{ type: "string", format: "email", pattern: "^.+@.+$" }, "an e-mail address"],
  [{ type: "string", format: "date-time" }, "a date and time of ISO 8601"],
  [{ type: "string", format: "iban", pattern: "^[A-Z]" }, "format `iban`; matches `^[A-Z]`"],
  [{ type: "integer", minimum: 1, maximum: 100 }, "1 to 100"],
  [{ type: "integer", minimum: 0 }, "at least 0"],
  [{ type: "number", maximum: 0.25 }, "at most 0.25"],
  [{ type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 }, "more than 0; less than 1"],
  [{ type: "integer", multipleOf: 5 }, "a multiple of 5"],
  [{ type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }, ""],
  [{ type: "integer", exclusiveMinimum: 0, maximum: Number.MAX_SAFE_INTEGER }, "more than 0"],
  [{ enum: ["a", "b"] }, "one of `a`, `b`"],
  [{ type: ["string", "null"], enum: ["a", "b", null] }, "one of `a`, `b`"],
  [{ enum: ["a"] }, "always `a`"],
  [{ const: "x" }, "always `x`"],
  [{ const: null }, "always `null`"],
  [{ type: "string", default: "" }, 'default `""`'],
  [{ type: "boolean", default: false }, "default `false`"],
  [{ type: "array", default: ["a"] }, 'default `["a"]`'],
  [{ type: "string", examples: ["hi", "ho"] }, "such as `hi`"],
  [{ type: "integer", example: 0 }, "such as `0`"],
  [{ enum: ["a", "b"], example: "b" }, "one of `a`, `b`"],
  [{ type: "array", maxItems: 5, uniqueItems: true }, "at most 5 items; no two alike"],
  [
    { type: "array", minItems: 1, items: { type: "string", maxLength: 9 } },
    "at least 1 item; each at most 9 characters",
  ],
  [{ type: "object", minProperties: 1 }, "at least 1 field"],
  [
    { anyOf: [{ type: "string", maxLength: 3 }, { type: "null" }], default: null },
    "at most 3 characters; default `null`",
  ],
  [{ ...ref("Bib"), default: "1" }, "at most 7 characters; default `1`"],
];
for (const [schema, words] of limits) {
  test(`${JSON.stringify(schema)} has the limits "${words}"`, () => {
    assert.equal(plain(limitWords(read(schema))), words);
  });
}

test("what zod makes of its own types can be read", () => {
  const words = (type: z.ZodType) => {
    const shape = read(z.toJSONSchema(type));
    return `${typeWords(shape)}: ${plain(limitWords(shape))}`;
  };
  assert.equal(words(z.int()), "integer: ");
  assert.equal(words(z.email()), "string: an e-mail address");
  assert.equal(words(z.uuid()), "string: a UUID");
  assert.equal(words(z.literal(["a", 1])), "string or number: one of `a`, `1`");
  assert.equal(words(z.enum(["q", "r"]).nullable()), "string or null: one of `q`, `r`");
  assert.equal(words(z.tuple([z.string()], z.number())), "array of string, then number: at least 1 item");
});

test("a schema inside itself is told once", () => {
  const tree = read(ref("Tree"));
  assert.equal(typeWords(tree), "Tree");
  const kids = tree.fields[0]?.shape;
  assert.equal(kids && typeWords(kids), "array of (Tree, as above)");
});

test("a schema that is only itself ends", () => {
  const shape = readShape({ $ref: "#/x" }, () => ({ $ref: "#/x" }));
  assert.equal(typeWords(shape), "x, as above");
});

test("prose has paragraphs and code, and no other markup", () => {
  assert.equal(
    prose("One\ntwo.\n\n`a<b` *c* <b>").join(""),
    "<p>One\ntwo.</p><p><code>a&lt;b</code> *c* &lt;b&gt;</p>",
  );
  assert.deepEqual(prose(undefined), []);
  assert.deepEqual(prose("\n\n"), []);
});
