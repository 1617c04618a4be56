/** The pages' types of the API are those of its document. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type ApiDocument, apiTypes } from "../../scripts/api-types.ts";
import { openDatabases, type TestProgram } from "../harness/program.ts";

const file = fileURLToPath(new URL("../../web/src/api/types.ts", import.meta.url));
let databases: Awaited<ReturnType<typeof openDatabases>>;
let program: TestProgram;

before(async () => {
  databases = await openDatabases("PGlite");
  program = await databases.open();
});
after(() => databases?.close());

/** As the compiler reads it: how it is laid out does not matter. */
const words = (text: string) => text.replace(/([=:(])\s*\|/g, "$1").match(/[\w$]+|"[^"]*"|[?|[\]]/g);

test("web/src/api/types.ts is what `npm run api-types` writes", async () => {
  const document = (await (await program.app.request("/api/openapi.json")).json()) as ApiDocument;
  assert.deepEqual(words(readFileSync(file, "utf8")), words(apiTypes(document)), "run `npm run api-types`");
});

test("every kind of schema becomes its type", () => {
  const thing = {
    type: "object",
    required: ["a"],
    properties: {
      a: { anyOf: [{ const: "x" }, { type: "null" }] },
      b: { type: "array", items: { $ref: "#/components/schemas/Other" } },
      c: { type: ["string", "null"] },
      d: { type: "object", additionalProperties: { type: "integer" } },
    },
  };
  const types = apiTypes({
    paths: {
      "/api/things/{id}": {
        get: {
          parameters: [
            { in: "path", name: "id", required: true, schema: { type: "string" } },
            { in: "query", name: "limit", schema: { type: "integer" } },
          ],
          responses: { 200: { content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } } },
        },
      },
    },
    components: { schemas: { Thing: thing, Other: { enum: ["p", "q"] } } },
  });
  assert.match(
    types,
    /Thing = \{ a: "x" \| null; b\?: \(Other\)\[\]; c\?: string \| null; d\?: \{ \[name: string\]: number \} \}/,
  );
  assert.match(types, /Other = "p" \| "q"/);
  assert.match(
    types,
    /"GET \/things\/\{id\}": \{ path: \{ id: string \}; query\?: \{ limit\?: number \}; answer: Thing \}/,
  );
});
