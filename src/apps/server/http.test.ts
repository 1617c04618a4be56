/** What every HTTP answer carries, how errors look from outside, and what the operator's endpoints and the status page say. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { systemClock } from "../../platform/clock.ts";
import type { Engines } from "../../platform/ports.ts";
import { Problem } from "../../platform/problem.ts";
import { currentRequestId } from "../../platform/request-context.ts";
import { createLog } from "../log.ts";
import { createMetrics } from "../metrics.ts";
import { createCrossSite } from "./cross-site.ts";
import { type AppParts, createApp } from "./http.ts";
import { protectiveHeaders } from "./protective-headers.ts";
import { createTrace } from "./request-trace.ts";

/** Of the engines, only readiness is asked here. */
function enginesThat(checkReady: () => Promise<void>): Engines {
  const engines: Pick<Engines, "clock" | "checkReady"> = { clock: systemClock, checkReady };
  return engines as Engines;
}

type Given = { checkReady?: () => Promise<void>; publicUrl?: string } & Pick<AppParts, "serveBlob"> & { routes?: Hono };

function openApp({ checkReady = async () => {}, publicUrl = "http://127.0.0.1:8080", routes, ...parts }: Given = {}) {
  const lines: string[] = [];
  const log = createLog({ level: "info", to: { write: (line) => lines.push(line) } });
  const metrics = createMetrics();
  const app = createApp({
    config: { engines: "embedded", publicUrl },
    engines: enginesThat(checkReady),
    log,
    metrics,
    trace: createTrace({ log, metrics, everyAnswer: protectiveHeaders(publicUrl), crossSite: createCrossSite([]) }),
    api: routes ?? new Hono(),
    document: {},
    ...parts,
  });
  return { app, lines, logged: () => lines.map((line) => JSON.parse(line)) };
}

async function readProblem(answer: Response): Promise<{ code: string; detail: string }> {
  return (await answer.json()) as { code: string; detail: string };
}

function failingRoutes(error: Error): Hono {
  return new Hono().get("/api/fail", () => {
    throw error;
  });
}

test("every answer has a request id, and a caller's own id is kept", async () => {
  const { app } = openApp();
  const fresh = (await app.request("/healthz")).headers.get("x-request-id") ?? "";
  assert.match(fresh, /^[0-9a-f]{32}$/);
  const own = "0123456789abcdef0123456789abcdef";
  const answers = await Promise.all([
    app.request("/healthz", { headers: { "x-request-id": own } }),
    app.request("/healthz", { headers: { traceparent: `00-${own}-00f067aa0ba902b7-01` } }),
    app.request("/nowhere", { headers: { "x-request-id": own.toUpperCase() } }),
  ]);
  for (const answer of answers) assert.equal(answer.headers.get("x-request-id"), own);
});

test("an id that is none is replaced", async () => {
  const { app } = openApp();
  for (const id of ["<script>", "0".repeat(32), "abc", ""]) {
    const answer = await app.request("/healthz", { headers: { "x-request-id": id, traceparent: id } });
    assert.match(answer.headers.get("x-request-id") ?? "", /^(?!0+$)[0-9a-f]{32}$/);
  }
});

test("the id reaches the handler and the access log", async () => {
  const routes = new Hono().get("/api/id", (c) => c.text(currentRequestId() ?? "none"));
  const { app, logged } = openApp({ routes });
  const answer = await app.request("/api/id?signature=SECRET");
  const requestId = answer.headers.get("x-request-id");
  assert.equal(await answer.text(), requestId);
  const [line] = logged();
  assert.equal(line.requestId, requestId);
  assert.equal(line.path, "/api/id");
  assert.equal(line.status, 200);
  assert.doesNotMatch(JSON.stringify(line), /SECRET/);
});

test("a problem is told as problem+json", async () => {
  const { app } = openApp({
    routes: failingRoutes(new Problem("conflict", "participation.closed", "Entry is closed.")),
  });
  const answer = await app.request("/api/fail");
  assert.equal(answer.status, 409);
  assert.equal(answer.headers.get("content-type"), "application/problem+json");
  assert.deepEqual(await answer.json(), {
    type: "about:blank",
    title: "Conflict",
    status: 409,
    code: "participation.closed",
    detail: "Entry is closed.",
    requestId: answer.headers.get("x-request-id"),
  });
});

test("anything else is a logged 500 that shows nothing of the inside", async () => {
  const { app, logged } = openApp({ routes: failingRoutes(new Error("SQLITE_CORRUPT in /var/lib")) });
  const answer = await app.request("/api/fail");
  assert.equal(answer.status, 500);
  const text = await answer.text();
  assert.doesNotMatch(text, /SQLITE|var|stack/);
  assert.equal(JSON.parse(text).code, "internal.error");
  const failure = logged().find((line) => line.level === "error");
  assert.match(failure.err.stack, /SQLITE_CORRUPT/);
  assert.equal(failure.requestId, answer.headers.get("x-request-id"));
});

test("a framework's refusal is a problem too", async () => {
  const { app } = openApp({ routes: failingRoutes(new HTTPException(413)) });
  const answer = await app.request("/api/fail");
  assert.equal(answer.status, 413);
  assert.equal((await readProblem(answer)).code, "http.413");
});

test("an unknown path is a 404 problem", async () => {
  const { app } = openApp();
  const answer = await app.request("/api/nothing/here", { method: "POST" });
  assert.equal(answer.status, 404);
  const body = await readProblem(answer);
  assert.equal(body.code, "http.not-found");
  assert.equal(body.detail, "There is nothing at POST /api/nothing/here.");
});

test("alive is not the same as ready", async () => {
  const { app } = openApp({
    checkReady: () =>
      Promise.reject(new Problem("misconfigured", "data-folder.full", "The disk is full: free some space.")),
  });
  assert.equal((await app.request("/healthz")).status, 200);
  const answer = await app.request("/readyz");
  assert.equal(answer.status, 503);
  const body = await readProblem(answer);
  assert.equal(body.code, "data-folder.full");
  assert.equal(body.detail, "The disk is full: free some space.");
});

test("engines that are ready say so", async () => {
  const answer = await openApp().app.request("/readyz");
  assert.equal(answer.status, 200);
  assert.deepEqual(await answer.json(), { status: "ready" });
});

test("requests are counted by pattern, never by path", async () => {
  const routes = new Hono().get("/api/events/:eventId", (c) => c.text("ok"));
  const { app } = openApp({ routes });
  await app.request("/api/events/one");
  await app.request("/api/events/two");
  await app.request("/api/made-up-1", { method: "BREW" });
  await app.request("/made-up-2");
  const text = await (await app.request("/metrics")).text();
  assert.match(text, /duration_seconds_count\{method="GET",route="\/api\/events\/:eventId",status="200"\} 2/);
  assert.match(text, /duration_seconds_count\{method="other",route="\/\*",status="404"\} 1/);
  assert.doesNotMatch(text, /made-up|BREW/);
});

test("the status page says what runs and that it is ready", async () => {
  const answer = await openApp().app.request("/status");
  const page = await answer.text();
  assert.equal(answer.status, 200);
  assert.match(page, /<h2 id="state">Ready<\/h2>/);
  assert.match(page, /This machine/);
  assert.match(page, /SQLite/);
  for (const path of ["/healthz", "/readyz", "/metrics"]) assert.match(page, new RegExp(`href="${path}"`));
});

test("the status page says what is wrong, and nothing of the inside", async () => {
  const problem = new Problem("unavailable", "data-folder.full", "The disk is <full>.");
  const told = await (await openApp({ checkReady: () => Promise.reject(problem) }).app.request("/status")).text();
  assert.match(told, /Not ready/);
  assert.match(told, /The disk is &lt;full&gt;\./);
  const untold = await openApp({ checkReady: () => Promise.reject(new Error("EIO /dev/sda")) }).app.request("/status");
  assert.doesNotMatch(await untold.text(), /EIO/);
});

test("pages run no script and nothing from elsewhere", async () => {
  const { headers } = await openApp().app.request("/status");
  const policy = headers.get("content-security-policy") ?? "";
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /unsafe|script-src|\*/);
  assert.equal(headers.get("x-content-type-options"), "nosniff");
  assert.equal(headers.get("strict-transport-security"), null);
  const secure = await openApp({ publicUrl: "https://race.example" }).app.request("/status");
  assert.equal(secure.headers.get("strict-transport-security"), "max-age=15552000");
});

test("signed blob URLs reach the engine, whose stricter policy holds", async () => {
  const serveBlob = async (request: Request) => {
    if (request.method !== "GET") throw new Problem("forbidden", "blob.bad-method", "Use GET.");
    return new Response("picture", { headers: { "content-security-policy": "default-src 'none'; sandbox" } });
  };
  const { app } = openApp({ serveBlob });
  const answer = await app.request("/blobs/photos/a/b.jpg?signature=x");
  assert.equal(await answer.text(), "picture");
  assert.equal(answer.headers.get("content-security-policy"), "default-src 'none'; sandbox");
  assert.equal((await app.request("/blobs/photos/a", { method: "DELETE" })).status, 403);
  assert.equal((await openApp().app.request("/blobs/photos/a")).status, 404);
});
