/** Routes of photos over HTTP, on a scene: called by whoever a test says, on Hono or on a server that listens. */

import { once } from "node:events";
import { type ClientRequest, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { createLog } from "../../src/apps/log.ts";
import { drain, listen } from "../../src/apps/server/listen.ts";
import { createShortWay } from "../../src/apps/server/short-way.ts";
import { createAccessTokens, type TokenHolder } from "../../src/platform/access-tokens.ts";
import { createApi } from "../../src/platform/http/api.ts";
import { apiOnHono } from "../../src/platform/http/on-hono.ts";
import { apiDocument } from "../../src/platform/http/openapi.ts";
import { createRateLimit } from "../../src/platform/http/rate-limit.ts";
import type { Route } from "../../src/platform/http/route.ts";
import { asProblem } from "../../src/platform/problem.ts";
import type { PhotoScene } from "./photo-scene.ts";

const SITE = "http://127.0.0.1:8080";
const NOBODY: TokenHolder = {
  userId: "somebody",
  operator: false,
  organizations: [],
  photographers: [],
  session: false,
  tokenId: "t_test",
};

type Scope = { after(clean: () => Promise<void>): void };

/** The body is read as JSON where it is, and else as text. */
export type Called = {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: an answer has whatever form the test expects of it.
  body: any;
};

export function photoApi(scene: Pick<PhotoScene, "engines" | "facts">, routes: Route[]) {
  const now = () => scene.engines.clock.now();
  const tokens = createAccessTokens(Buffer.alloc(32, 1), { now, revokedBefore: () => 0 });
  const unlimited = createRateLimit({ requests: 1_000_000, windowMs: 1000, now });
  const api = createApi({
    routes,
    caller: { tokens, renew: async () => undefined, publicUrl: SITE },
    facts: {
      organizationOf: async (eventId) => scene.facts.events.get(eventId)?.orgId,
      isAssigned: async (eventId, ids) => ids.some((id) => scene.facts.assignments.get(eventId)?.has(id)),
      eventOfRequest: async () => undefined,
    },
    userLimit: unlimited,
    addressLimit: unlimited,
    addressOf: () => "192.0.2.1",
    refuse: (error) => {
      const { code, message, httpStatus } = asProblem(error);
      const headers = { "content-type": "application/problem+json" };
      return { status: httpStatus, headers, body: JSON.stringify({ code, message }) };
    },
  });
  const app = apiOnHono(api, { document: apiDocument(routes, { version: "1", publicUrl: SITE }), corsOrigins: [] });
  const headersOf = (holder: Partial<TokenHolder> | undefined) => ({
    ...(holder && { authorization: `Bearer ${tokens.issue({ ...NOBODY, ...holder }, 3_600_000)}` }),
  });
  return {
    /** Asks a server of its own, by the way that plain requests take; the answer is not read. */
    listen: async (scope: Scope, path: string): Promise<{ request: ClientRequest; response: IncomingMessage }> => {
      const log = createLog({ level: "silent" });
      const shortWay = createShortWay(api, { trace: async (_, answer) => void (await answer([])), log });
      const server = await listen(app, { host: "127.0.0.1", port: 0 }, shortWay);
      scope.after(() => drain(server, 0));
      const { port } = server.address() as AddressInfo;
      const request = get(`http://127.0.0.1:${port}/api${path}`).on("error", () => {});
      const [response] = (await once(request, "response")) as [IncomingMessage];
      return { request, response: response.on("error", () => {}) };
    },
    fetch: async (path: string, method = "GET"): Promise<Response> => app.request(`${SITE}/api${path}`, { method }),
    call: async (method: string, path: string, holder: Partial<TokenHolder>, send?: unknown) => {
      const json = send !== undefined && { "content-type": "application/json" };
      const headers = { ...headersOf(holder), ...json };
      const body = send === undefined ? null : JSON.stringify(send);
      const answer = await app.request(`${SITE}/api${path}`, { method, headers, body });
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, body: text && JSON.parse(text) } as Called;
    },
    post: async (path: string, holder: Partial<TokenHolder>, body: unknown) => {
      const headers = { ...headersOf(holder), "content-type": "application/json" };
      const answer = await app.request(`${SITE}/api${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      return { status: answer.status, headers: answer.headers, body: await answer.json() } as Called;
    },
    get: async (path: string, holder?: Partial<TokenHolder>, headers: { [name: string]: string } = {}) => {
      const answer = await app.request(`${SITE}/api${path}`, { headers: { ...headersOf(holder), ...headers } });
      const text = await answer.text();
      const isJson = /json/.test(answer.headers.get("content-type") ?? "");
      return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text } as Called;
    },
  };
}
