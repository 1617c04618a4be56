/** The reference as it is served: everything of the document is on it, and what comes with it. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { GivenOperation } from "./openapi.ts";
import { referencePageRoutes } from "./routes.ts";
import { sampleDocument } from "./sample-document.ts";

async function pageOf(document: object): Promise<string> {
  const answer = await referencePageRoutes(() => document).request("/api");
  assert.equal(answer.status, 200);
  return answer.text();
}

const pageWith = (operation: GivenOperation) => pageOf({ paths: { "/x": { post: operation } } });

/** The HTML of one operation, with single spaces. */
function operationOf(page: string, id: string): string {
  const html = new RegExp(`<article class="operation" id="${id}">(.*?)</article>`, "s").exec(page)?.[1];
  assert.ok(html, `there is no ${id}`);
  return html.replaceAll(/\s+/g, " ");
}

function wordsOf(html: string): string {
  return html.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
}

test("it has a title, a version and the way to the document", async () => {
  const page = await pageOf(sampleDocument);
  assert.match(page, /<title>SnapRace API · Reference<\/title>/);
  assert.match(page, /Version 1\.4\.0 · <a href="\/api\/openapi\.json">/);
  assert.match(page, /snaprace token<\/code> prints one/);
});

test("operations are grouped by tag, each reached from the contents", async () => {
  const page = await pageOf(sampleDocument);
  const groups = [...page.matchAll(/<section class="group" id="([^"]+)">\s*<h2>([^<]+)/g)].map((match) =>
    match.slice(1),
  );
  assert.deepEqual(groups, [
    ["tag-Events", "Events"],
    ["tag-Runners", "Runners"],
    ["tag-Photos", "Photos"],
  ]);
  const operations = [...page.matchAll(/<article class="operation" id="([^"]+)">/g)].map((match) => match[1]);
  assert.equal(operations.length, 8);
  assert.ok(operations.includes("delete-api-events-eventId"));
  const links = [...page.matchAll(/<li data-operation="[^"]+"><a href="#([^"]+)">/g)].map((match) => match[1]);
  assert.deepEqual(links, operations);
});

test("every anchor is there once", async () => {
  const again = { operationId: "main", tags: ["calling"] };
  const page = await pageOf({ paths: { "/a": { get: again, post: again }, "/b": { get: { operationId: "errors" } } } });
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]);
  assert.equal(new Set(ids).size, ids.length, ids.join(" "));
  for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) assert.ok(ids.includes(target), target);
});

test("an operation says how it is called, who may, and what goes in", async () => {
  const operation = operationOf(await pageOf(sampleDocument), "createEvent");
  assert.match(operation, /<span class="method post">POST<\/span>/);
  assert.match(operation, /\/api<wbr>\/organizations<wbr>\/<var>\{organizationId\}<\/var><wbr>\/events/);
  const words = wordsOf(operation);
  assert.match(words, /The event stays closed until opensAt \. To repeat it safely/);
  assert.match(words, /Who may call it Organizers of the organization, and operators\./);
  assert.match(words, /idempotency-key in header string required Any UUID, new for each event\. a UUID/);
  assert.match(words, /name string required As people call it\. 1 to 120 characters/);
  assert.match(words, /capacity integer or null required How many places; null: no limit\. 1 to 100,000/);
  assert.match(words, /watermarkZones array of object Where no bib is read.*? left number required 0 to 1/);
  assert.match(words, /Other fields are refused\./);
});

test("an operation says what comes out, and tells each status once", async () => {
  const operation = operationOf(await pageOf(sampleDocument), "createEvent");
  const statuses = [...operation.matchAll(/<(?:p|summary) class="answer"><span class="[^"]+">(\w+)</g)];
  assert.deepEqual(
    statuses.map((match) => match[1]),
    ["201", "400", "409", "other"],
  );
  const words = wordsOf(operation);
  assert.match(words, /201 The event\. Headers location string Where the event can be read\. application\/json name/);
  assert.match(words, /opensAt string may be absent/);
  assert.match(words, /400 A field is wrong\. problem event\.in-the-past date is before today\./);
  assert.match(words, /409 Conflict problem event\.name-taken Another event/);
});

test("the form of problems is told once, another form where it is", async () => {
  const problem = (name: string) => ({
    content: { "application/problem+json": { schema: { type: "object", properties: { [name]: { type: "string" } } } } },
  });
  const page = await pageOf({
    paths: {
      "/a": { get: { operationId: "usual", responses: { 400: problem("code"), 409: problem("code") } } },
      "/b": { get: { operationId: "other", responses: { 400: problem("surprise") } } },
    },
  });
  assert.match(wordsOf(page), /Its fields code string/);
  assert.doesNotMatch(operationOf(page, "usual"), /class="name"/);
  assert.match(operationOf(page, "usual"), /href="#errors"/);
  assert.match(operationOf(page, "other"), /<code class="name">surprise<\/code>/);
});

test("forms of a value are told apart by name or by the field that differs", async () => {
  const words = wordsOf(operationOf(await pageOf(sampleDocument), "putRunner"));
  assert.match(words, /result object or null, in one of 2 forms required How the race ended for this runner\./);
  assert.match(words, /If state is finished state string required always finished seconds number required more than 0/);
  assert.match(words, /If state is stopped .*? reason string/);
  assert.match(words, /labels object any name string/);
});

test("what is deprecated says so", async () => {
  const page = await pageOf(sampleDocument);
  assert.match(wordsOf(operationOf(page, "delete-api-events-eventId")), /^ Delete an event deprecated/);
  assert.match(wordsOf(operationOf(page, "listRunners")), /team in query string deprecated Only this team\./);
});

test("bodies and answers that are no objects are told, too", async () => {
  const content = (schema: unknown) => ({ content: { "application/json": { schema } } });
  const page = await pageWith({
    operationId: "it",
    requestBody: content({
      type: "array",
      maxItems: 9,
      items: { type: "object", properties: { a: { type: "string" } } },
    }),
    responses: { 200: content({ type: ["string", "null"], format: "date" }) },
  });
  const words = wordsOf(operationOf(page, "it"));
  assert.match(words, /Body may be left out application\/json array of object at most 9 items a string/);
  assert.match(words, /200 OK application\/json string or null a date, year first/);
});

test("parts of the document that are referred to are found", async () => {
  const page = await pageOf({
    components: {
      parameters: { Limit: { name: "limit", in: "query", schema: { type: "integer", maximum: 7 } } },
      responses: { "a/b": { description: "Found by reference." } },
      requestBodies: { Text: { content: { "text/plain": {} } } },
    },
    paths: {
      "/x": {
        parameters: [{ $ref: "#/components/parameters/Limit" }, { name: "old", in: "query", description: "replaced" }],
        post: {
          operationId: "it",
          parameters: [{ name: "old", in: "query", description: "newer" }],
          requestBody: { $ref: "#/components/requestBodies/Text" },
          responses: { 200: { $ref: "#/components/responses/a~1b" } },
        },
      },
    },
  });
  const words = wordsOf(operationOf(page, "it"));
  assert.match(words, /limit in query integer at most 7 old in query any value newer Body/);
  assert.match(words, /text\/plain.*Found by reference\./);
  assert.doesNotMatch(words, /replaced/);
});

test("an empty document is a page, too", async () => {
  assert.match(await pageOf({}), /<h1>API<\/h1>/);
});

test("its policy lets its own script run, and no other", async () => {
  const routes = referencePageRoutes(() => sampleDocument);
  const policy = (await routes.request("/api")).headers.get("content-security-policy") ?? "";
  assert.match(policy, /^default-src 'none';/);
  assert.match(policy, /script-src 'self';/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /unsafe|\*/);
});

test("its style, its script and the other spelling of its address are served", async () => {
  const routes = referencePageRoutes(() => sampleDocument);
  const style = await routes.request("/api/reference.css");
  assert.equal(style.headers.get("content-type"), "text/css; charset=utf-8");
  assert.match(await style.text(), /\.contents[\s\S]+\.operation/);
  const script = await routes.request("/api/reference.js");
  assert.equal(script.headers.get("content-type"), "text/javascript; charset=utf-8");
  const moved = await routes.request("/api/");
  assert.equal(moved.status, 301);
  assert.equal(moved.headers.get("location"), "/api");
});

test("a new document makes a new page", async () => {
  let document = { info: { title: "First" } };
  const routes = referencePageRoutes(() => document);
  assert.match(await (await routes.request("/api")).text(), /<h1>First<\/h1>/);
  document = { info: { title: "Second" } };
  assert.match(await (await routes.request("/api")).text(), /<h1>Second<\/h1>/);
});
