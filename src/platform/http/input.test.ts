/** What callers send, read with a route's schemas: everything wrong is named field by field. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Context } from "hono";
import { z } from "zod";
import { Problem } from "../problem.ts";
import { readInput, readParams } from "./input.ts";
import { incomingOf } from "./on-hono.ts";
import { PageQuery } from "./paging.ts";
import { type Route, route } from "./route.ts";

const Body = z.strictObject({
  name: z.string().max(10),
  tags: z.array(z.strictObject({ label: z.string() })).optional(),
  zone: z
    .string()
    .refine((text) => text !== "Mars", { error: "There is no such zone.", params: { code: "zone.unknown" } })
    .optional(),
  anything: z.unknown().optional(),
});

const shape = { access: "anyone", tag: "Tests", summary: "Test", answers: {} } as const;
const bare = route({ ...shape, method: "get", path: "/bare" }, () => ({}));
const listing = route({ ...shape, method: "get", path: "/list", query: PageQuery }, () => ({}));
const posting = route({ ...shape, method: "post", path: "/things", body: Body }, () => ({}));

type Wrong = { kind: string; code: string; errors: { field: string; message: string }[]; message: string };

async function problemOf(work: () => unknown): Promise<Wrong> {
  try {
    await work();
  } catch (error) {
    assert.ok(error instanceof Problem, `not a problem but ${error}`);
    return { kind: error.kind, code: error.code, message: error.message, errors: (error.details.errors ?? []) as [] };
  }
  throw new assert.AssertionError({ message: "nothing was refused" });
}

const read = (given: Route, request: Request) => readInput(given, incomingOf(new Context(request)));

const get = (given: Route, query: string) => read(given, new Request(`http://127.0.0.1/x${query}`));

function post(body: string | Uint8Array, contentType: string | undefined = "application/json") {
  const headers = contentType === undefined ? undefined : { "content-type": contentType };
  return read(posting, new Request("http://127.0.0.1/x", { method: "POST", body, ...(headers && { headers }) }));
}

const fields = ({ errors }: Wrong) => errors.map((error) => error.field);

describe("queries", () => {
  test("are read, with what is left out filled in", async () => {
    assert.deepEqual({ ...((await get(listing, "?limit=7&cursor=abc")).query as object) }, { limit: 7, cursor: "abc" });
    assert.deepEqual((await get(listing, "")).query, { limit: 50 });
  });

  test("with a parameter nobody knows are refused by its name", async () => {
    for (const given of [bare, listing]) {
      const problem = await problemOf(() => get(given, "?limti=5"));
      assert.deepEqual([problem.kind, problem.code, fields(problem)], ["invalid", "input.invalid", ["limti"]]);
      assert.match(problem.message, /^The query is not right\. limti: There is no such /);
    }
  });

  test("with names that every object has are refused as any other", async () => {
    for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty"]) {
      for (const given of [bare, listing]) {
        const problem = await problemOf(() => get(given, `?${name}=1`));
        assert.deepEqual(fields(problem), [name]);
        assert.match(problem.errors[0]?.message ?? "", /^There is no such /);
      }
    }
  });

  test("that give a parameter twice are refused, even with the same value", async () => {
    for (const query of ["?limit=1&limit=2", "?limit=1&limit=1", "?limit=1&%6Cimit=2"]) {
      assert.deepEqual((await problemOf(() => get(listing, query))).errors, [
        { field: "limit", message: "It is given twice." },
      ]);
    }
  });

  test("with values out of bounds are refused", async () => {
    for (const limit of ["0", "201", "-1", "1.5", "many", "", "1e9", "NaN"]) {
      assert.deepEqual(fields(await problemOf(() => get(listing, `?limit=${limit}`))), ["limit"], limit);
    }
  });

  test("with what no database keeps are refused", async () => {
    assert.deepEqual(fields(await problemOf(() => get(listing, "?cursor=a%00b"))), ["cursor"]);
  });
});

describe("path parameters", () => {
  test("are read with their schema", async () => {
    const one = { ...posting, params: z.object({ orgId: z.string().regex(/^\w+$/, "No id.") }) };
    assert.deepEqual(readParams(one, { orgId: "han" }), { orgId: "han" });
    const problem = await problemOf(() => readParams(one, { orgId: "../etc" }));
    assert.deepEqual(problem.errors, [{ field: "orgId", message: "No id." }]);
    assert.match(problem.message, /^The path is not right/);
  });
});

describe("JSON bodies", () => {
  test("are read", async () => {
    assert.deepEqual((await post('{"name":"Han"}')).body, { name: "Han" });
    assert.deepEqual((await post('{"name":"한강"}', "application/json; charset=utf-8")).body, { name: "한강" });
    assert.deepEqual((await post('{"name":"Han"}', "Application/JSON")).body, { name: "Han" });
  });

  test("of another type are refused, as forms of other sites' pages would send", async () => {
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "text/json",
      "application/jsonp",
      "text/plain; application/json",
      "",
    ]) {
      const problem = await problemOf(() => post('{"name":"Han"}', type));
      assert.deepEqual([problem.kind, problem.code], ["unsupported-type", "input.not-json"], type);
    }
    const untyped = new Request("http://127.0.0.1/x", { method: "POST", body: new TextEncoder().encode("{}") });
    assert.equal((await problemOf(() => read(posting, untyped))).code, "input.not-json");
  });

  test("that are no JSON are refused", async () => {
    for (const text of ["", "{", "name=Han", '{"name":"Han",}', "{'name':'Han'}", "undefined", '{"name":"Han"}}']) {
      const problem = await problemOf(() => post(text));
      assert.deepEqual([problem.kind, problem.code], ["invalid", "input.bad-json"], text);
    }
  });

  test("that are not UTF-8 are refused rather than mended", async () => {
    for (const bytes of [
      [0x22, 0xff, 0x22],
      [0x22, 0xc3, 0x28, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
    ]) {
      const problem = await problemOf(() => post(Uint8Array.from(bytes)));
      assert.deepEqual([problem.kind, problem.code], ["invalid", "input.bad-encoding"]);
    }
    assert.equal((await problemOf(() => post(Buffer.from('{"name":"Han"}', "utf16le")))).code, "input.bad-json");
  });

  test("that are JSON but no object are refused", async () => {
    for (const text of ["null", "[]", '"Han"', "1", "true"]) {
      assert.equal((await problemOf(() => post(text))).code, "input.invalid", text);
    }
  });

  test("are refused with everything that is wrong, field by field", async () => {
    const problem = await problemOf(() => post('{"nmae":"Han","tags":[{"label":1},{"lable":"x","label":"y"}]}'));
    assert.deepEqual(
      problem.errors.sort((a, b) => (a.field < b.field ? -1 : 1)),
      [
        { field: "name", message: "It is required." },
        { field: "nmae", message: "There is no such field. Check its spelling or leave it out." },
        { field: "tags.0.label", message: "Invalid input: expected string, received number" },
        { field: "tags.1.lable", message: "There is no such field. Check its spelling or leave it out." },
      ],
    );
    assert.match(problem.message, / And 1 more\.$/);
  });

  test("can't slip in a field by the name of an object's own", async () => {
    for (const name of ["__proto__", "constructor"]) {
      const problem = await problemOf(() => post(`{"name":"Han","${name}":{"admin":true}}`));
      assert.deepEqual(fields(problem), [name]);
    }
  });

  test("list at most fifty of a thousand mistakes", async () => {
    const tags = Array.from({ length: 1000 }, () => ({}));
    const problem = await problemOf(() => post(JSON.stringify({ name: "Han", tags })));
    assert.equal(problem.errors.length, 50);
    assert.match(problem.message, / And 997 more\.$/);
  });

  test("are refused with the schema's own code where it has one", async () => {
    assert.equal((await problemOf(() => post('{"name":"Han","zone":"Mars"}'))).code, "zone.unknown");
  });

  test("with what no database keeps are refused, wherever it stands", async () => {
    for (const text of ["\\u0000", "a\\u0000", "\\ud800", "\\uDC00\\uD800", "\\uDBFFx"]) {
      assert.deepEqual(fields(await problemOf(() => post(`{"name":"${text}"}`))), ["name"], text);
      assert.deepEqual(fields(await problemOf(() => post(`{"name":"","anything":{"x":["${text}"]}}`))), ["0"], text);
      assert.equal((await problemOf(() => post(`{"name":"","anything":{"${text}":1}}`))).code, "input.invalid", text);
    }
  });

  test("may have any real character, however it is written", async () => {
    const body = (await post('{"name":"\\ud83c\\udfc3 \\\\u0000","anything":"\\u00e9"}')).body;
    assert.deepEqual(body, { name: "🏃 \\u0000", anything: "é" });
  });

  test("may be nested as deep as they like without harm", async () => {
    const deep = `${"[".repeat(100_000)}"\\ud83c\\udfc3"${"]".repeat(100_000)}`;
    const outcome = await post(`{"name":"Han","anything":${deep}}`).then(
      () => "read",
      (error) => (error instanceof Problem ? error.code : String(error)),
    );
    assert.match(outcome, /^(read|input\.bad-json)$/);
  });
});
