/** The API's frame: the order in which a call is judged, and how many calls one may make. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Hono } from "hono";
import { z } from "zod";
import { createAccessTokens, type TokenHolder } from "../access-tokens.ts";
import { asProblem } from "../problem.ts";
import { createApi } from "./api.ts";
import type { RenewAccess } from "./caller.ts";
import { apiOnHono } from "./on-hono.ts";
import { apiDocument } from "./openapi.ts";
import { createRateLimit } from "./rate-limit.ts";
import { type Route, route } from "./route.ts";

const SITE = "http://race.example";
const json = { "content-type": "application/json" };
const shape = { tag: "Tests", summary: "Test", answers: { 200: { description: "Done." } } } as const;

function makeRoutes(calls: unknown[]): Route[] {
  return [
    route(
      { ...shape, method: "get", path: "/open", access: "anyone", query: z.strictObject({ q: z.string().optional() }) },
      () => ({ body: { ok: true } }),
    ),
    route(
      {
        ...shape,
        method: "post",
        path: "/organizations/{orgId}",
        access: "organizerOfOrganization",
        params: z.object({ orgId: z.string().regex(/^[a-z]+$/) }),
        body: z.strictObject({ name: z.string() }),
      },
      ({ actor, params, body, address }) => {
        calls.push({ userId: actor.userId, params, body, address: address() });
        return { status: 201, headers: { location: "/there", "set-cookie": ["a=1", "b=2"] }, body: { ok: true } };
      },
    ),
    route({ ...shape, method: "get", path: "/file", access: "signedIn" }, () => ({
      stream: new Blob(["a,b"]).stream(),
      headers: { "content-type": "text/csv" },
    })),
    route({ ...shape, method: "get", path: "/broken", access: "anyone" }, () => {
      throw new Error("password=hunter2");
    }),
  ];
}

const person = { operator: false, organizations: ["han"], photographers: [], session: false, tokenId: "t" };

function open({ requests = 1000 } = {}) {
  let at = Date.UTC(2027, 3, 18);
  const now = () => at;
  const calls: unknown[] = [];
  const routes = makeRoutes(calls);
  const tokens = createAccessTokens(Buffer.alloc(32, 1), { now, revokedBefore: () => 0 });
  const token = (userId: string, more?: Partial<TokenHolder>) => tokens.issue({ userId, ...person, ...more }, 60_000);
  const renew: RenewAccess = async (headers) =>
    headers.get("cookie") === "session=kim" ? { token: token("kim"), cookies: ["session=kim2"] } : undefined;
  const limit = (most: number) => createRateLimit({ requests: most, windowMs: 10_000, now });
  const api = createApi({
    routes,
    caller: { tokens, renew, publicUrl: SITE },
    facts: {
      organizationOf: async () => undefined,
      isAssigned: async () => false,
      eventOfRequest: async () => undefined,
    },
    userLimit: limit(requests),
    addressLimit: limit(requests * 2),
    addressOf: (request) => request.header("x-test-address") ?? "192.0.2.1",
    refuse: (error) => {
      const { code, httpStatus, retryInMs } = asProblem(error);
      return { status: httpStatus, headers: json, body: JSON.stringify({ code, retryInMs }) };
    },
  });
  const app = apiOnHono(api, { document: apiDocument(routes, { version: "1", publicUrl: SITE }), corsOrigins: [] });
  const as = (userId: string, more?: Partial<TokenHolder>) => ({ authorization: `Bearer ${token(userId, more)}` });
  const wait = (ms: number) => {
    at += ms;
  };
  return { call: callerOf(app), as, calls, wait };
}

function callerOf(app: Hono) {
  return async (method: string, path: string, headers: { [name: string]: string } = {}, body?: string) => {
    const answer = await app.request(`${SITE}/api${path}`, { method, headers, ...(body && { body }) });
    const text = await answer.text();
    const json = answer.headers.get("content-type")?.includes("json") ? JSON.parse(text) : undefined;
    return { status: answer.status, headers: answer.headers, text, code: json?.code, json };
  };
}

describe("a call", () => {
  test("that is right reaches its route with everything read", async () => {
    const { call, as, calls } = open();
    const answer = await call("POST", "/organizations/han", { ...as("kim"), ...json }, '{"name":"Han"}');
    assert.equal(answer.status, 201);
    assert.deepEqual(calls, [{ userId: "kim", params: { orgId: "han" }, body: { name: "Han" }, address: "192.0.2.1" }]);
    assert.deepEqual(answer.headers.getSetCookie(), ["a=1", "b=2"]);
    assert.equal(answer.headers.get("location"), "/there");
    assert.equal(answer.headers.get("cache-control"), "no-store");
  });

  test("is judged in order: who, where, whether they may, and only then what they sent", async () => {
    const { call, as, calls } = open();
    const bad = "not even JSON";
    const steps: [number, string, string, { [name: string]: string }][] = [
      [401, "token.invalid", "/organizations/HAN", { authorization: "Bearer x" }],
      [400, "input.invalid", "/organizations/HAN", as("kim")],
      [401, "access.sign-in", "/organizations/han?x=1", {}],
      [404, "organization.not-found", "/organizations/busan?x=1", as("kim")],
      [403, "access.forbidden", "/organizations/han?x=1", as("lee", { organizations: [] })],
      [400, "input.invalid", "/organizations/han?x=1", as("kim")],
      [415, "input.not-json", "/organizations/han", { ...as("kim"), "content-type": "text/plain" }],
      [400, "input.bad-json", "/organizations/han", { ...as("kim"), ...json }],
    ];
    for (const [status, code, path, headers] of steps) {
      const answer = await call("POST", path, headers, bad);
      assert.deepEqual([answer.status, answer.code], [status, code], path);
    }
    assert.deepEqual(calls, []);
  });

  test("with a body above a mebibyte is refused, but not told so before it may", async () => {
    const { call, as } = open();
    const large = JSON.stringify({ name: "x".repeat(1024 * 1024) });
    assert.equal((await call("POST", "/organizations/han", { ...as("kim"), ...json }, large)).status, 413);
    assert.equal((await call("POST", "/organizations/han", json, large)).status, 401);
  });

  test("with a query too long is refused before anything is looked at", async () => {
    const { call } = open();
    assert.equal((await call("GET", `/open?q=${"x".repeat(4000)}`)).status, 200);
    const answer = await call("GET", `/open?q=${"x".repeat(5000)}`, { authorization: "Bearer x" });
    assert.deepEqual([answer.status, answer.code], [414, "http.query-too-long"]);
  });

  test("to a path or with a method that no route has finds nothing", async () => {
    const { call, as } = open();
    for (const [method, path] of [
      ["GET", "/nowhere"],
      ["GET", "/organizations/han"],
      ["POST", "/open"],
      ["GET", "/open/"],
      ["GET", "/OPEN"],
      ["POST", "/organizations/han/more"],
    ] as const) {
      assert.equal((await call(method, path, as("kim"))).status, 404, `${method} ${path}`);
    }
  });

  test("that fails inside tells nothing of the inside", async () => {
    const answer = await open().call("GET", "/broken");
    assert.equal(answer.status, 500);
    assert.doesNotMatch(answer.text, /hunter2/);
  });

  test("brings renewed cookies along, also with a file or a refusal", async () => {
    const { call } = open();
    for (const path of ["/open", "/file", "/nowhere-but-cookies", "/open?unknown=1"]) {
      const answer = await call("GET", path, { cookie: "session=kim" });
      const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split("=")[0]);
      assert.deepEqual(cookies, answer.status === 404 ? [] : ["session", "snaprace_access"], path);
    }
    assert.equal((await call("GET", "/file", { cookie: "session=kim" })).headers.get("content-type"), "text/csv");
  });
});

describe("too many calls", () => {
  test("of one person are refused, from wherever they come, until the window ends", async () => {
    const { call, as, wait } = open({ requests: 3 });
    const from = (address: string) => ({ ...as("kim"), "x-test-address": address });
    for (const address of ["a", "b", "c"]) assert.equal((await call("GET", "/open", from(address))).status, 200);
    const refused = await call("GET", "/open", from("d"));
    assert.deepEqual([refused.status, refused.code, refused.json.retryInMs], [429, "http.too-many-requests", 10_000]);
    assert.equal((await call("GET", "/open", as("lee"))).status, 200, "another person");
    assert.equal((await call("GET", "/open")).status, 200, "nobody");
    wait(10_000);
    assert.equal((await call("GET", "/open", from("d"))).status, 200);
  });

  test("of nobody are counted by their address, and so are bad tokens and foreign pages", async () => {
    const { call, as, wait } = open({ requests: 2 });
    const foreign = { cookie: "session=kim", origin: "https://evil.example" };
    assert.equal((await call("GET", "/open")).status, 200);
    assert.equal((await call("GET", "/open", { authorization: "Bearer x" })).status, 401);
    assert.equal((await call("POST", "/organizations/han", foreign)).status, 403);
    assert.equal((await call("GET", "/open", { cookie: "session=stolen" })).status, 200);
    assert.equal((await call("GET", "/open")).status, 429);
    assert.equal((await call("GET", "/open", { authorization: "Bearer x" })).status, 429);
    assert.equal((await call("GET", "/open", { "x-test-address": "192.0.2.2" })).status, 200, "another address");
    assert.equal((await call("GET", "/open", as("kim"))).status, 200, "somebody at the same address");
    wait(10_000);
    assert.equal((await call("GET", "/open")).status, 200);
  });
});

test("the document is there for everybody", async () => {
  const answer = await open().call("GET", "/openapi.json");
  assert.deepEqual(Object.keys(answer.json.paths), [
    "/api/open",
    "/api/organizations/{orgId}",
    "/api/file",
    "/api/broken",
  ]);
});
