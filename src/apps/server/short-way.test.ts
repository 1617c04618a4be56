/** The short way and the app answer alike; and what is not plain is left to the app. */

import assert from "node:assert/strict";
import { once } from "node:events";
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  request as sendRequest,
} from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { z } from "zod";
import { createAccessTokens } from "../../platform/access-tokens.ts";
import { systemClock } from "../../platform/clock.ts";
import { createApi } from "../../platform/http/api.ts";
import type { RenewAccess } from "../../platform/http/caller.ts";
import { apiOnHono } from "../../platform/http/on-hono.ts";
import { apiDocument } from "../../platform/http/openapi.ts";
import { createRateLimit } from "../../platform/http/rate-limit.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { currentRequestId } from "../../platform/request-context.ts";
import { callerAddress } from "../caller-address.ts";
import { createLog } from "../log.ts";
import { createMetrics } from "../metrics.ts";
import { createCrossSite } from "./cross-site.ts";
import { createApp } from "./http.ts";
import { drain, listen } from "./listen.ts";
import { problemAnswer } from "./problem-answer.ts";
import { protectiveHeaders } from "./protective-headers.ts";
import { createTrace } from "./request-trace.ts";
import { createShortWay, type ShortWay } from "./short-way.ts";

const PUBLIC_URL = "https://race.example";
const shape = { tag: "Tests", summary: "Test", answers: {} } as const;
const anyPort = { host: "127.0.0.1", port: 0 };

/** Settles when whoever asked for `/endless` does not wait any more. */
const left = { shortWay: Promise.withResolvers<void>(), app: Promise.withResolvers<void>() };

function endless(gone: AbortSignal, settle: () => void): ReadableStream<Uint8Array> {
  gone.addEventListener("abort", settle);
  return new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("first")) });
}

const ROUTES: Route[] = [
  route(
    {
      ...shape,
      method: "get",
      path: "/things/{id}",
      access: "anyone",
      query: z.strictObject({ q: z.string().optional() }),
      params: z.object({ id: z.string() }),
    },
    ({ params, query, address, request }) => ({
      body: { ...params, ...query, address: address(), origin: request.origin().replace(/\d+$/, ""), name: "한강" },
      headers: { etag: '"1"', "x-frame-options": "SAMEORIGIN" },
    }),
  ),
  route({ ...shape, method: "get", path: "/id", access: "anyone" }, () => ({ body: currentRequestId() })),
  route({ ...shape, method: "post", path: "/asks", access: "signedIn" }, ({ actor }) => ({
    status: 202,
    body: { userId: actor.userId },
  })),
  route({ ...shape, method: "post", path: "/empty", access: "anyone" }, () => ({ status: 202 })),
  route({ ...shape, method: "delete", path: "/empty", access: "anyone" }, () => ({})),
  route({ ...shape, method: "get", path: "/known", access: "anyone" }, () => ({ status: 304, headers: { etag: "x" } })),
  route(
    { ...shape, method: "put", path: "/named", access: "anyone", body: z.object({ name: z.string() }) },
    (call) => ({
      body: call.body,
    }),
  ),
  route({ ...shape, method: "get", path: "/file.csv", access: "anyone" }, () => ({
    stream: new Blob(["a,b\n", "1,2\n"]).stream(),
    headers: { "content-type": "text/csv" },
  })),
  route({ ...shape, method: "get", path: "/endless", access: "anyone" }, ({ request }) => ({
    stream: endless(request.gone(), request.header("x-way") === "app" ? left.app.resolve : left.shortWay.resolve),
    headers: { "content-type": "text/event-stream" },
  })),
  route({ ...shape, method: "get", path: "/broken", access: "anyone" }, () => {
    throw new Error("password=hunter2");
  }),
];

function open(routes: Route[], corsOrigins: string[] = []) {
  const lines: string[] = [];
  const log = createLog({ level: "info", to: { write: (line) => lines.push(line) } });
  const metrics = createMetrics();
  const trace = createTrace({
    log,
    metrics,
    everyAnswer: protectiveHeaders(PUBLIC_URL),
    crossSite: createCrossSite(corsOrigins),
  });
  const tokens = createAccessTokens(Buffer.alloc(32, 1), { now: Date.now, revokedBefore: () => 0 });
  const holder = { userId: "kim", operator: false, organizations: [], photographers: [], session: false, tokenId: "t" };
  const token = tokens.issue(holder, 60_000, 0);
  const renew: RenewAccess = async (headers) =>
    headers.get("cookie") === "session=kim" ? { token, cookies: ["session=kim2"] } : undefined;
  const limit = createRateLimit({ requests: 100_000, windowMs: 10_000, now: Date.now });
  const api = createApi({
    routes,
    caller: { tokens, renew, publicUrl: PUBLIC_URL },
    facts: {
      organizationOf: async () => undefined,
      isAssigned: async () => false,
      eventOfRequest: async () => undefined,
    },
    userLimit: limit,
    addressLimit: limit,
    addressOf: (request) => callerAddress(request, 0),
    refuse: (error) => problemAnswer(error, log),
  });
  const document = apiDocument(routes, { version: "1", publicUrl: PUBLIC_URL });
  const app = createApp({
    config: { engines: "embedded", publicUrl: PUBLIC_URL },
    engines: { clock: systemClock, checkReady: async () => {} },
    log,
    metrics,
    trace,
    api: apiOnHono(api, { document, corsOrigins }),
    document,
  });
  return {
    app,
    shortWay: createShortWay(api, { trace, log }),
    token,
    metrics,
    logged: () => lines.map((line) => JSON.parse(line)),
  };
}

type Sent = { method?: string; path: string; headers?: OutgoingHttpHeaders; body?: string };

async function send(server: Server, { method = "GET", path, headers = {}, body }: Sent): Promise<IncomingMessage> {
  const { port } = server.address() as AddressInfo;
  const sent = sendRequest({ port, host: "127.0.0.1", method, path, headers, agent: false }).end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return answer;
}

/** Of the headers, what differs from one answer to the next is left out, and how long a body is said to be. */
const UNLIKE = ["date", "x-request-id", "content-length", "transfer-encoding"];

async function told(answer: IncomingMessage) {
  const headers = Object.entries(answer.headers).filter(([name]) => !UNLIKE.includes(name));
  const body = (await text(answer)).replace(/"requestId":"\w+"/, "");
  return { status: answer.statusCode, headers: Object.fromEntries(headers) as IncomingHttpHeaders, body };
}

describe("the short way", () => {
  const { app, shortWay, token, metrics, logged } = open(ROUTES);
  let wasTaken: boolean | undefined;
  const watched: ShortWay = (request, response) => {
    wasTaken = shortWay(request, response);
    return wasTaken;
  };
  let servers: { shortWay: Server; app: Server };
  before(async () => {
    servers = { shortWay: await listen(app, anyPort, watched), app: await listen(app, anyPort) };
  });
  after(() => Promise.all([drain(servers.shortWay, 0), drain(servers.app, 0)]));

  async function compare(sent: Sent): Promise<Awaited<ReturnType<typeof told>>> {
    const [short, long] = [await told(await send(servers.shortWay, sent)), await told(await send(servers.app, sent))];
    assert.deepEqual(short, long, JSON.stringify(sent));
    return short;
  }

  const bearer = { authorization: `Bearer ${token}` };
  // Node takes such a list for any header, whatever its types say.
  const bearerTwice = { authorization: [`Bearer ${token}`, `Bearer ${token}`] } as unknown as OutgoingHttpHeaders;
  const plain: [status: number, sent: Sent][] = [
    [200, { path: "/api/things/a.b-c_d~e" }],
    [200, { path: "/api/things/a?q=x%20y+z" }],
    [400, { path: "/api/things/a?nothing=1" }],
    [400, { path: "/api/things/a?q=1&q=2" }],
    [414, { path: `/api/things/a?q=${"x".repeat(5000)}` }],
    [200, { method: "HEAD", path: "/api/things/a" }],
    [202, { method: "POST", path: "/api/asks", headers: bearer }],
    [202, { method: "POST", path: "/api/asks", headers: { ...bearer, "content-length": "0" } }],
    [401, { method: "POST", path: "/api/asks" }],
    [401, { method: "POST", path: "/api/asks", headers: bearerTwice }],
    [202, { method: "POST", path: "/api/asks", headers: { cookie: "session=kim", origin: PUBLIC_URL } }],
    [403, { method: "POST", path: "/api/asks", headers: { cookie: "session=kim", origin: "https://evil.example" } }],
    [403, { method: "POST", path: "/api/asks", headers: { cookie: `snaprace_access=${token}` } }],
    [202, { method: "POST", path: "/api/empty" }],
    [204, { method: "DELETE", path: "/api/empty" }],
    [304, { path: "/api/known" }],
    [415, { method: "PUT", path: "/api/named" }],
    [200, { path: "/api/file.csv" }],
    [200, { method: "HEAD", path: "/api/file.csv" }],
    [500, { path: "/api/broken" }],
  ];
  for (const [status, sent] of plain) {
    test(`answers as the app does: ${sent.method ?? "GET"} ${sent.path.slice(0, 40)} ${status}`, async () => {
      assert.equal((await compare(sent)).status, status);
      assert.equal(wasTaken, true);
    });
  }

  const others: [status: number, sent: Sent][] = [
    [200, { path: "/healthz" }],
    [200, { path: "/api/openapi.json" }],
    [404, { path: "/api/nowhere" }],
    [404, { method: "POST", path: "/api/things/a" }],
    [404, { method: "OPTIONS", path: "/api/things/a" }],
    [404, { path: "/api/things/a/" }],
    [404, { path: "/api//things/a" }],
    [200, { path: "/api/things/%61" }],
    [200, { path: "/api/empty/../things/a" }],
    [200, { path: "/api/things/a#b" }],
    [200, { path: "http://127.0.0.1/api/things/a" }],
    [400, { path: "/api/things/a", headers: { host: "a b" } }],
    [
      200,
      { method: "PUT", path: "/api/named", headers: { "content-type": "application/json" }, body: '{"name":"Han"}' },
    ],
    [
      202,
      { method: "POST", path: "/api/asks", headers: { ...bearer, "transfer-encoding": "chunked" }, body: "unread" },
    ],
  ];
  for (const [status, sent] of others) {
    test(`is not for ${sent.method ?? "GET"} ${sent.path}${sent.headers ? " with its headers" : ""}`, async () => {
      assert.equal((await compare(sent)).status, status);
      assert.equal(wasTaken, false);
    });
  }

  test("says how long a body is, and carries what all answers carry", async () => {
    const answer = await send(servers.shortWay, { path: "/api/things/a" });
    assert.equal(answer.headers["content-length"], String(Buffer.byteLength(await text(answer))));
    assert.equal(answer.headers["x-content-type-options"], "nosniff");
    assert.equal(answer.headers["x-frame-options"], "SAMEORIGIN");
  });

  test("brings the cookies of a renewed session along", async () => {
    const { headers } = await compare({ path: "/api/things/a", headers: { cookie: "session=kim" } });
    assert.deepEqual(
      headers["set-cookie"]?.map((cookie) => cookie.split("=")[0]),
      ["session", "snaprace_access"],
    );
  });

  test("has the request's id for the handler, the answer and the log, and counts by the pattern", async () => {
    const own = "0123456789abcdef0123456789abcdef";
    const answer = await send(servers.shortWay, { path: "/api/id", headers: { "x-request-id": own } });
    assert.equal(answer.headers["x-request-id"], own);
    assert.equal(await text(answer), `"${own}"`);
    const line = logged().findLast(({ requestId }) => requestId === own);
    assert.deepEqual([line.path, line.route, line.status], ["/api/id", "/api/id", 200]);
    assert.match(await metrics.registry.metrics(), /_count\{method="GET",route="\/api\/things\/:id",status="200"\}/);
  });

  for (const way of ["shortWay", "app"] as const) {
    test(`a stream starts at once, and is told when its reader leaves (${way})`, async () => {
      const answer = await send(servers[way], { path: "/api/endless", headers: { "x-way": way } });
      const [first] = await once(answer, "data");
      assert.equal(String(first), "first");
      answer.destroy();
      await left[way].promise;
    });
  }
});

test("where a path fits two routes, both ways find the one that names it", async (t) => {
  const named = (path: string) =>
    route(
      { ...shape, method: "get", path, access: "anyone", params: z.object({ id: z.string().optional() }) },
      (call) => ({
        body: { path, ...call.params },
      }),
    );
  const { app, shortWay } = open([named("/things/first"), named("/things/{id}"), named("/things/last")]);
  const server = await listen(app, anyPort, shortWay);
  t.after(() => drain(server, 0));
  const found = { first: "/things/first", second: "/things/{id}", last: "/things/last" };
  for (const [id, path] of Object.entries(found)) {
    const told = JSON.parse(await text(await send(server, { path: `/api/things/${id}` })));
    assert.equal(told.path, path);
    assert.deepEqual(await (await app.request(`/api/things/${id}`)).json(), told);
  }
});

describe("pages of other sites", () => {
  const other = "https://club.example";
  const preflight = (origin: string) => ({
    origin,
    "access-control-request-method": "PATCH",
    "access-control-request-headers": "authorization, content-type",
  });
  const corsHeaders = (headers: IncomingHttpHeaders) =>
    Object.keys(headers).filter((name) => name.startsWith("access-control-"));

  /** Each call goes both ways, which must answer alike. */
  async function openFor(t: { after(work: () => Promise<unknown>): void }, corsOrigins: string[]) {
    const { app, shortWay, token } = open(ROUTES, corsOrigins);
    const [short, long] = [await listen(app, anyPort, shortWay), await listen(app, anyPort)];
    t.after(() => Promise.all([drain(short, 0), drain(long, 0)]));
    const call = async (method: string, path: string, headers: OutgoingHttpHeaders) => {
      const sent = { method, path: `/api${path}`, headers };
      const answer = await told(await send(short, sent));
      assert.deepEqual(answer, await told(await send(long, sent)));
      return answer;
    };
    return { call, bearer: { authorization: `Bearer ${token}` } };
  }

  test("may not call, unless told otherwise", async (t) => {
    const { call, bearer } = await openFor(t, []);
    for (const origin of [other, "null", PUBLIC_URL]) {
      assert.deepEqual(corsHeaders((await call("GET", "/things/a", { ...bearer, origin })).headers), []);
      const asked = await call("OPTIONS", "/things/a", preflight(origin));
      assert.deepEqual([asked.status, corsHeaders(asked.headers)], [404, []]);
    }
  });

  test("may when they are named: with a token, never with cookies", async (t) => {
    const { call, bearer } = await openFor(t, [other, "https://more.example"]);
    const asked = await call("OPTIONS", "/asks", preflight(other));
    assert.equal(asked.status, 204);
    assert.equal(asked.headers["access-control-allow-origin"], other);
    assert.match(asked.headers["access-control-allow-methods"] ?? "", /PATCH/);
    assert.equal(asked.headers["access-control-allow-headers"], "authorization,content-type");
    const answered = await call("POST", "/asks", { ...bearer, origin: other });
    assert.equal(answered.headers["access-control-allow-origin"], other);
    assert.equal(answered.headers["access-control-expose-headers"], "location,x-request-id");
    for (const { headers } of [asked, answered]) {
      assert.match(headers.vary ?? "", /origin/i);
      assert.equal(headers["access-control-allow-credentials"], undefined);
    }
    const withCookies = await call("POST", "/asks", { cookie: "session=kim", origin: other });
    assert.match(withCookies.body, /access\.foreign-page/);
  });

  test("get to read what was wrong, too", async (t) => {
    const { call } = await openFor(t, [other]);
    for (const [status, path] of [
      [401, "/asks"],
      [404, "/nowhere"],
    ] as const) {
      const answer = await call("POST", path, { origin: other });
      assert.deepEqual([answer.status, answer.headers["access-control-allow-origin"]], [status, other]);
    }
  });

  test("no cache mixes up what they may and what others may", async (t) => {
    const { call } = await openFor(t, [other]);
    assert.equal((await call("GET", "/things/a", {})).headers.vary, "Origin");
  });

  test("that are not named may not, however alike", async (t) => {
    const { call, bearer } = await openFor(t, [other]);
    for (const origin of [
      "http://club.example",
      "https://club.example:8443",
      "https://club.example.evil.example",
      "https://evil-club.example",
      "https://CLUB.example",
      "null",
      "*",
    ]) {
      const asked = await call("OPTIONS", "/things/a", preflight(origin));
      const answered = await call("GET", "/things/a", { ...bearer, origin });
      for (const { headers } of [asked, answered]) {
        assert.equal(headers["access-control-allow-origin"], undefined, origin);
      }
    }
  });
});
