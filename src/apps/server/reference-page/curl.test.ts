/** The curl examples, as a real shell takes them apart. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { curlCommand } from "./curl.ts";
import { readApi } from "./document.ts";
import type { GivenOperation } from "./openapi.ts";
import { sampleDocument } from "./sample-document.ts";

/** What curl would be called with. */
function argumentsOf(command: string): string[] {
  const script = `curl() { for each in "$@"; do printf '%s\\0' "$each"; done; }\n${command}`;
  const printed = execFileSync("sh", ["-c", script], { encoding: "utf8", env: { TOKEN: "secret" } });
  return printed.split("\0").slice(0, -1);
}

function commandOf(document: object, id: string): string {
  const api = readApi(document);
  const operation = api.groups.flatMap(({ operations }) => operations).find((each) => each.id === id);
  assert.ok(operation, id);
  return curlCommand(operation, api.origin);
}

function callOf(path: string, post: GivenOperation): string[] {
  return argumentsOf(commandOf({ paths: { [path]: { post: { operationId: "it", ...post } } } }, "it"));
}

test("reading without a token is an address alone", () => {
  assert.deepEqual(argumentsOf(commandOf(sampleDocument, "listRunners")), [
    "http://127.0.0.1:8080/api/events/lakeside-2026/runners",
  ]);
});

test("a body, a token and required headers go along", () => {
  const [method, verb, address, ...rest] = argumentsOf(commandOf(sampleDocument, "createEvent"));
  assert.deepEqual([method, verb], ["-X", "POST"]);
  assert.equal(address, "http://127.0.0.1:8080/api/organizations/ORGANIZATION_ID/events");
  const body = rest.at(-1) ?? "";
  assert.deepEqual(rest.slice(0, -1), [
    ...["-H", "Authorization: Bearer secret"],
    ...["-H", "idempotency-key: IDEMPOTENCY_KEY"],
    ...["-H", "Content-Type: application/json", "-d"],
  ]);
  assert.deepEqual(JSON.parse(body), {
    name: "Lakeside Half Marathon",
    date: "2026-05-17",
    capacity: 1,
    mode: "first-come",
  });
});

test("a body that is no JSON is given as it is, from a file, or as a form", () => {
  const csv = argumentsOf(commandOf(sampleDocument, "importRunners"));
  assert.deepEqual(csv.slice(-2), ["--data-binary", "bib,name\nA1042,Ana's\n"]);
  assert.equal(csv[2], "http://127.0.0.1:8080/api/events/lakeside-2026/runners/import?onConflict=refuse");
  assert.deepEqual(argumentsOf(commandOf(sampleDocument, "searchBySelfie")).slice(-2), ["-F", "selfie=@file"]);
  const binary = { schema: { type: "string", format: "binary" } };
  const sent = (type: string) => callOf("/x", { requestBody: { content: { [type]: binary } } }).at(-1);
  assert.equal(sent("image/jpeg"), "@file.jpeg");
  assert.equal(sent("application/octet-stream"), "@file");
});

test("nothing in a document leaves its quotes", () => {
  const nasty = `'; touch /tmp/x; $(id) \`id\` "\\`;
  const given = callOf("/x/{a}", {
    parameters: [
      { name: "a", in: "path", required: true, schema: { type: "string", example: nasty } },
      { name: "b", in: "header", required: true, schema: { type: "string", example: nasty } },
      { name: "c[]", in: "query", required: true, schema: { type: "string", example: nasty } },
    ],
    requestBody: { content: { "application/json": { schema: { type: "object" }, example: { nasty } } } },
  });
  const encoded = encodeURIComponent(nasty);
  assert.equal(given[2], `http://127.0.0.1:8080/x/${encoded}?c%5B%5D=${encoded}`);
  assert.equal(given[4], `b: ${nasty}`);
  assert.deepEqual(JSON.parse(given.at(-1) ?? ""), { nasty });
});

test("the document's server and path come first, and what is optional stays out", () => {
  const paths = { "/x": { get: { operationId: "it", parameters: [{ name: "q", in: "query", schema: {} }] } } };
  const command = commandOf({ servers: [{ url: "https://race.example/api/v1/" }], paths }, "it");
  assert.deepEqual(argumentsOf(command), ["https://race.example/api/v1/x"]);
  assert.deepEqual(argumentsOf(commandOf({ servers: [{ url: "/v2" }], paths }, "it")), ["http://127.0.0.1:8080/v2/x"]);
});

test("a token is sent only where one is needed", () => {
  const call = (security: object[] | undefined, all?: object[]) =>
    commandOf({ security: all, paths: { "/x": { get: { operationId: "it", security } } } }, "it");
  assert.match(call([{ token: [] }]), /Bearer \$TOKEN/);
  assert.match(call(undefined, [{ token: [] }]), /Bearer/);
  assert.doesNotMatch(call([], [{ token: [] }]), /Bearer/);
  assert.doesNotMatch(call([{ token: [] }, {}]), /Bearer/);
});
