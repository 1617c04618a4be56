/** The document is sound OpenAPI 3.1 and says of each route what the route does; the program's own is in tests/access. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { checkOpenApi, operationsOf } from "../../../tests/harness/openapi-rules.ts";
import { accessSentence } from "./access.ts";
import { apiDocument } from "./openapi.ts";
import { PageQuery, pageOf } from "./paging.ts";
import { route } from "./route.ts";

const Thing = z.object({ thingId: z.string(), parts: z.array(z.string()).nullable() }).meta({ id: "Thing" });
const params = z.object({ orgId: z.string(), thingId: z.string() });
const things = "/organizations/{orgId}/things";
const shape = { tag: "Things", summary: "Do it" } as const;

const routes = [
  route(
    {
      ...shape,
      method: "get",
      path: things,
      access: "organizerOfOrganization",
      params: params.pick({ orgId: true }),
      query: PageQuery,
      answers: { 200: { description: "A page.", schema: pageOf(Thing) } },
    },
    () => ({}),
  ),
  route(
    {
      ...shape,
      method: "put",
      path: `${things}/{thingId}`,
      access: "operator",
      description: "All of it.",
      params,
      body: z.strictObject({ parts: z.array(z.string()).default([]) }),
      answers: { 200: { description: "The thing.", schema: Thing }, 201: { description: "New.", schema: Thing } },
      problems: [{ status: 409, code: "thing.taken", when: "Another has the id." }],
    },
    () => ({}),
  ),
  route(
    {
      ...shape,
      method: "post",
      path: "/import",
      access: "anyone",
      rawBody: { contentType: "text/csv", description: "Lines.", maxBytes: 10, formField: "file" },
      answers: { 200: { description: "The file.", contentType: "text/csv" }, 204: { description: "Nothing." } },
    },
    () => ({}),
  ),
];

// biome-ignore lint/suspicious/noExplicitAny: it is read as those who get it over HTTP read it.
const documentOf = (given = routes): any =>
  JSON.parse(JSON.stringify(apiDocument(given, { version: "1.2.3", publicUrl: "https://race.example" })));

describe("the document", () => {
  test("is sound", () => assert.deepEqual(checkOpenApi(documentOf()), []));

  test("has every route, below /api, with an id of its own", () => {
    const operations = operationsOf(documentOf());
    assert.deepEqual(operations.map(({ name, operation }) => [name, operation.operationId]).sort(), [
      ["GET /api/organizations/{orgId}/things", "getOrganizationsOrgIdThings"],
      ["POST /api/import", "postImport"],
      ["PUT /api/organizations/{orgId}/things/{thingId}", "putOrganizationsOrgIdThingsThingId"],
    ]);
  });

  test("says who may call what, and that it needs a token or a session", () => {
    const { paths } = documentOf();
    const put = paths["/api/organizations/{orgId}/things/{thingId}"].put;
    assert.equal(put["x-access"], accessSentence("operator"));
    assert.deepEqual(put.security, [{ token: [] }, { session: [] }]);
    assert.deepEqual(put["x-problems"], routes[1]?.problems);
    const open = paths["/api/import"].post;
    assert.equal(open["x-access"], accessSentence("anyone"));
    assert.equal(open.security, undefined);
  });

  test("describes what goes in and out with the routes' own schemas", () => {
    const { paths, components } = documentOf();
    const put = paths["/api/organizations/{orgId}/things/{thingId}"].put;
    assert.deepEqual(put.requestBody.content["application/json"].schema.required, undefined);
    assert.deepEqual(put.responses[201].content["application/json"].schema, { $ref: "#/components/schemas/Thing" });
    assert.deepEqual(components.schemas.Thing.required, ["thingId", "parts"]);
    const list = paths[`/api${things}`].get;
    assert.deepEqual(list.parameters.map((parameter: { name: string }) => parameter.name).sort(), [
      "cursor",
      "limit",
      "orgId",
    ]);
    const csv = paths["/api/import"].post;
    assert.equal(csv.requestBody.content["text/csv"].schema.format, "binary");
    assert.equal(csv.requestBody.content["multipart/form-data"].schema.properties.file.format, "binary");
    assert.ok(csv.responses[200].content["text/csv"]);
    assert.equal(csv.responses[204].content, undefined);
  });
});

describe("the check of it catches", () => {
  const list = ["paths", `/api${things}`, "get"];
  const open = ["paths", "/api/import", "post"];
  const thing = ["components", "schemas", "Thing"];
  const mistakes: { what: string; at: string[]; value: unknown; complaint: RegExp }[] = [
    { what: "another version", at: ["openapi"], value: "3.0.3", complaint: /not 3\.1/ },
    { what: "a reference to nothing", at: thing, value: undefined, complaint: /which is not there/ },
    { what: "an undeclared parameter", at: [...list, "parameters"], value: [], complaint: /not declare \{orgId\}/ },
    {
      what: "a parameter too many",
      at: [...open, "parameters"],
      value: [{ in: "path", name: "x", required: true, schema: {} }],
      complaint: /declares \{x\}/,
    },
    { what: "an id twice", at: [...list, "operationId"], value: "postImport", complaint: /id of two operations/ },
    { what: "no word on access", at: [...open, "x-access"], value: undefined, complaint: /who may call/ },
    { what: "no word on failing", at: [...open, "responses", "default"], value: undefined, complaint: /how it fails/ },
    { what: "an unknown scheme", at: [...open, "security"], value: [{ password: [] }], complaint: /wants password/ },
    { what: "a field that is not there", at: [...thing, "required"], value: ["colour"], complaint: /requires colour/ },
    { what: "a type of its own", at: [...thing, "type"], value: "thing", complaint: /type thing/ },
    { what: "a path twice", at: ["paths", "/api/organizations/{id}/things"], value: {}, complaint: /twice/ },
  ];
  for (const { what, at, value, complaint } of mistakes) {
    test(what, () => {
      const document = documentOf();
      const holder = at.slice(0, -1).reduce((node, step) => node[step], document);
      holder[at.at(-1) ?? ""] = value;
      assert.match(checkOpenApi(JSON.parse(JSON.stringify(document))).join("\n"), complaint);
    });
  }
});
