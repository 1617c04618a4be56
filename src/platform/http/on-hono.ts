/** The API on Hono: for Lambda, for tests, and for whatever the server does not take the short way. */

import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import type { Api } from "./api.ts";
import type { Incoming, Outgoing } from "./exchange.ts";
import type { ApiDocument } from "./openapi.ts";
import { pathPattern } from "./route.ts";

/** `corsOrigins`: other sites whose pages may call with a bearer token; none by default. */
export function apiOnHono(api: Api, parts: { document: ApiDocument; corsOrigins: string[] }): Hono {
  const app = new Hono();
  // The rest of what their browsers want to know comes with every answer.
  if (parts.corsOrigins.length > 0) app.options("/api/*", cors({ origin: parts.corsOrigins }));
  app.get("/api/openapi.json", (c) => c.json(parts.document));
  for (const route of api.routes) {
    app.on(route.method.toUpperCase(), pathPattern(route), async (c) =>
      toResponse(await api.answer(route, c.req.param() as { [name: string]: string }, incomingOf(c))),
    );
  }
  return app;
}

/** What Node's server and API Gateway tell beside the request. */
type Surroundings = {
  incoming?: { socket?: { remoteAddress?: string } };
  requestContext?: { http?: { sourceIp?: string } };
};

export function incomingOf(c: Context): Incoming {
  const { raw, url, path, method } = c.req;
  const { incoming, requestContext } = (c.env ?? {}) as Surroundings;
  const queryAt = url.indexOf("?");
  return {
    method,
    path,
    query: queryAt === -1 ? "" : url.slice(queryAt),
    header: (name) => c.req.header(name),
    headers: () => raw.headers,
    origin: () => new URL(url).origin,
    body: () => raw.body ?? undefined,
    gone: () => raw.signal,
    peer: () => requestContext?.http?.sourceIp ?? incoming?.socket?.remoteAddress,
  };
}

export function toResponse({ status, headers, body }: Outgoing): Response {
  const fields = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((each) => [name, each]));
  return new Response(body ?? null, { status, headers: fields as [string, string][] });
}
