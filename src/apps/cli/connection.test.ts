/** A connection to a server elsewhere: pages, patience, and what is said when there is none. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, afterEach, before, describe, test } from "node:test";
import { openConnection } from "./connection.ts";

const say = () => assert.fail("there was nothing to say");

describe("a server elsewhere", () => {
  const seen: string[] = [];
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    answer(request, response);
  });
  let url: string;

  before(async () => {
    await once(server.listen(0, "127.0.0.1"), "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    process.env.SNAPRACE_TOKEN = "t0ken";
  });
  afterEach(() => void seen.splice(0));
  after(() => {
    delete process.env.SNAPRACE_TOKEN;
    delete process.env.SNAPRACE_URL;
    server.closeAllConnections();
    server.close();
  });

  const json = (response: ServerResponse, body: unknown) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify(body));
  };

  test("is asked for all pages, with the token", async () => {
    answer = (request, response) => {
      const isFirst = !request.url?.includes("cursor");
      json(response, isFirst ? { items: [1, 2], cursor: "a b" } : { items: [3] });
    };
    const api = await openConnection({ server: `${url}/` }, say);
    assert.deepEqual(await api.list("/things"), [1, 2, 3]);
    assert.deepEqual(seen, [
      "GET /api/things?limit=200 Bearer t0ken",
      "GET /api/things?limit=200&cursor=a+b Bearer t0ken",
    ]);
  });

  test("is asked for no more than the limit", async () => {
    answer = (request, response) => {
      const size = Number(/limit=(\d+)/.exec(request.url ?? "")?.[1]);
      json(response, { items: Array(Math.min(size, 150)).fill(0), cursor: "more" });
    };
    const api = await openConnection({ server: url }, say);
    assert.equal((await api.list("/things", 170)).length, 170);
    assert.deepEqual(
      seen.map((line) => /limit=\d+/.exec(line)?.[0]),
      ["limit=170", "limit=20"],
    );
  });

  test("is asked again when it said to wait, and not forever", async () => {
    let waits = 1;
    answer = (_request, response) => {
      if (waits-- === 0) return json(response, { done: true });
      response.writeHead(429, { "retry-after": "0", "content-type": "application/problem+json" });
      response.end(JSON.stringify({ code: "http.too-many-requests", detail: "Wait." }));
    };
    const api = await openConnection({ server: url }, say);
    assert.deepEqual(await api.call("POST", "/things", { a: 1 }), { done: true });
    assert.equal(seen.length, 2);
    waits = 100;
    await assert.rejects(api.call("POST", "/things", { a: 1 }), { code: "http.too-many-requests" });
    assert.equal(seen.length, 2 + 5);
  });

  test("may be named by the environment, which a data folder outweighs", async () => {
    process.env.SNAPRACE_URL = url;
    answer = (_request, response) => json(response, { items: [] });
    const api = await openConnection({}, say);
    assert.equal(api.serverUrl, url);
    process.env.SNAPRACE_URL = "nonsense";
    await assert.rejects(openConnection({}, say), { code: "server.bad-address" });
  });

  test("that is not there, and a token that is not, are told", async () => {
    const api = await openConnection({ server: "http://127.0.0.1:1" }, say);
    await assert.rejects(api.call("GET", "/things"), { code: "server.unreachable", exitCode: 75 });
    delete process.env.SNAPRACE_TOKEN;
    await assert.rejects(openConnection({ server: url }, say), { code: "token.missing", exitCode: 4 });
  });
});
