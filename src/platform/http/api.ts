/** Puts routes on Hono: for each call who it is, whether they may, what they sent, and only then the work. */

import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import type { Actor } from "../actor.ts";
import { Problem } from "../problem.ts";
import { type AccessFacts, type AccessParams, checkAccess } from "./access.ts";
import { type CallerParts, identifyCaller, wasRenewed } from "./caller.ts";
import { takeCarried } from "./carried-headers.ts";
import { readInput, readParams } from "./input.ts";
import type { ApiDocument } from "./openapi.ts";
import type { RateLimit } from "./rate-limit.ts";
import type { Answer, Route } from "./route.ts";

const MAX_QUERY_LENGTH = 4096;
const JSON_TYPE = "application/json";

export type ApiParts = {
  routes: Route[];
  document: ApiDocument;
  caller: CallerParts;
  facts: AccessFacts;
  /** For who is known, and for addresses of who is not. */
  userLimit: RateLimit;
  addressLimit: RateLimit;
  /** Other sites whose pages may call with a bearer token; none by default. */
  corsOrigins: string[];
  addressOf(c: Context): string;
};

export function createApi(parts: ApiParts): Hono {
  const api = new Hono().basePath("/api");
  if (parts.corsOrigins.length > 0)
    api.use(cors({ origin: parts.corsOrigins, exposeHeaders: ["location", "x-request-id"] }));
  api.get("/openapi.json", (c) => c.json(parts.document));
  for (const route of parts.routes) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ":$1");
    api.on(route.method.toUpperCase(), path, (c) => answerCall(c, route, parts));
  }
  return api;
}

async function answerCall(c: Context, route: Route, parts: ApiParts): Promise<Response> {
  const query = c.req.url.indexOf("?");
  if (query !== -1 && c.req.url.length - query > MAX_QUERY_LENGTH) throw queryTooLong();
  const actor = await identifyCounted(c, parts);
  const params = readParams(route, c.req.param() as { [name: string]: string });
  await checkAccess(route.access, actor, params as AccessParams, parts.facts);
  const { query: parsedQuery, body } = await readInput(route, c.req.raw);
  const answer = await route.handle({
    params,
    query: parsedQuery,
    body,
    actor: actor as Actor,
    request: c.req.raw,
    address: () => parts.addressOf(c),
  });
  return toResponse(c, answer);
}

/** Callers are counted by who they are; who is nobody yet, by their address. */
async function identifyCounted(c: Context, parts: ApiParts): Promise<Actor | undefined> {
  let actor: Actor | undefined;
  try {
    actor = await identifyCaller(c, parts.caller);
  } finally {
    if (actor) parts.userLimit.count(actor.userId);
    else parts.addressLimit.count(parts.addressOf(c));
  }
  return actor;
}

function queryTooLong(): Problem {
  const sentence = `The query is longer than ${MAX_QUERY_LENGTH} characters. Ask for less at once.`;
  return new Problem("too-long", "http.query-too-long", sentence);
}

function toResponse(c: Context, answer: Answer): Response {
  // Made anew, since only so do headers set on the way, as a renewed cookie, come along.
  if (answer instanceof Response) return c.newResponse(answer.body, answer);
  const status = answer.status ?? (answer.body === undefined ? 204 : 200);
  const body = answer.body === undefined ? null : JSON.stringify(answer.body);
  const headers = {
    "cache-control": "no-store",
    ...(body !== null && { "content-type": JSON_TYPE }),
    ...answer.headers,
  };
  if (isPlain(headers) && !wasRenewed(c))
    return new Response(body, { status, headers: { ...takeCarried(c), ...headers } });
  for (const [name, value] of Object.entries(headers)) {
    for (const each of [value].flat()) c.header(name, each, { append: name === "set-cookie" });
  }
  return c.newResponse(body, status as 200);
}

function isPlain(headers: { [name: string]: string | string[] }): headers is { [name: string]: string } {
  for (const name in headers) if (typeof headers[name] !== "string") return false;
  return true;
}
