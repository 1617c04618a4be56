/** Whatever a document says stays text, and the page holds nothing inline or from elsewhere. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { referencePage } from "./page.ts";
import { sampleDocument } from "./sample-document.ts";

/** The same nasty text in every place of a document that people read. */
function nastyDocument(nasty: string): object {
  const schema = {
    type: "object",
    title: nasty,
    description: nasty,
    properties: {
      [nasty]: {
        type: "string",
        description: nasty,
        pattern: nasty,
        default: nasty,
        format: nasty,
        enum: [nasty, "b"],
      },
      form: {
        oneOf: [
          { type: "object", title: nasty, properties: { a: { const: nasty } } },
          { type: "string", example: nasty },
        ],
      },
      kind: { type: nasty },
    },
  };
  const content = { [nasty]: { schema }, "application/json": { schema } };
  return {
    info: { title: nasty, version: nasty, description: nasty },
    tags: [{ name: nasty, description: nasty }],
    components: { securitySchemes: { token: { type: "http", scheme: "bearer", description: nasty } } },
    paths: {
      [`/${nasty}/{${nasty}}`]: {
        post: {
          operationId: nasty,
          tags: [nasty],
          summary: nasty,
          description: `${nasty} \`${nasty}\``,
          security: [{ token: [] }],
          "x-access": nasty,
          "x-problems": [{ code: nasty, status: 404, when: nasty }],
          parameters: [{ name: nasty, in: nasty, required: true, description: nasty, schema }],
          requestBody: { description: nasty, content },
          responses: { [nasty]: { description: nasty, headers: { [nasty]: { schema } }, content }, 200: { content } },
        },
      },
    },
  };
}

test("nothing of the document becomes HTML", () => {
  const page = String(referencePage(nastyDocument(`<img src=x onerror="alert(1)"> ' onfocus='alert(1)`)));
  assert.ok(page.split("&lt;img src=x").length > 40, "the nasty text is on the page");
  const tags = [...page.matchAll(/<(\w+)([^>]*)>/g)];
  assert.deepEqual(
    tags.filter((tag) => tag[1] === "img").map((tag) => tag[2]),
    [' src="/icon.svg" alt="" width="32" height="32"'],
  );
  const attributes = tags.flatMap((tag) =>
    [...(tag[2] ?? "").replaceAll(/"[^"]*"/g, "").matchAll(/[\w-]+/g)].map(String),
  );
  const known =
    "aria-current aria-label autocomplete charset class content data-group data-operation defer hidden href id";
  const more =
    "alt height http-equiv lang media name placeholder rel role scope spellcheck src type width doctype html";
  assert.deepEqual(
    [...new Set(attributes)].filter((name) => !`${known} ${more}`.split(" ").includes(name)),
    [],
  );
});

test("nothing is inline, nothing comes from elsewhere", () => {
  const page = String(referencePage(sampleDocument));
  assert.doesNotMatch(page, /<style|\sstyle=|\son\w+=|javascript:/i);
  assert.deepEqual(
    [...page.matchAll(/<script([^>]*)>(.*?)<\/script>/gs)].map((match) => match.slice(1)),
    [[' src="/api/reference.js" defer', ""]],
  );
  for (const [, address] of page.matchAll(/<(?:link|script|img)[^>]+(?:href|src)="([^"]+)"/g)) {
    assert.match(address ?? "", /^\/[\w./-]+$/);
  }
});
