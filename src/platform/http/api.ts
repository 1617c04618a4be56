/** Answers calls of routes: for each who it is, whether they may, what they sent, and only then the work. */

import type { Actor } from "../actor.ts";
import { Problem } from "../problem.ts";
import { type AccessFacts, type AccessParams, checkAccess } from "./access.ts";
import { type CallerParts, identifyCaller } from "./caller.ts";
import type { Incoming, Outgoing } from "./exchange.ts";
import { readInput, readParams } from "./input.ts";
import type { RateLimit } from "./rate-limit.ts";
import { type Answer, namedFirst, type Route } from "./route.ts";

const MAX_QUERY_LENGTH = 4096;
const JSON_TYPE = "application/json";

export type ApiParts = {
  routes: Route[];
  caller: CallerParts;
  facts: AccessFacts;
  /** For who is known, and for addresses of who is not. */
  userLimit: RateLimit;
  addressLimit: RateLimit;
  addressOf(request: Incoming): string;
  /** What is told when something is wrong. */
  refuse(error: unknown): Outgoing;
};

export type Api = {
  routes: Route[];
  /** Never fails: what is wrong is an answer too. */
  answer(route: Route, params: { [name: string]: string }, request: Incoming): Promise<Outgoing>;
};

export function createApi(parts: ApiParts): Api {
  return {
    routes: namedFirst(parts.routes),
    answer: async (route, params, request) => {
      // Whoever's session was renewed on the way needs its new cookies, whatever the answer is.
      const cookies: string[] = [];
      const outgoing = await answerCall({ route, params, request, cookies }, parts).catch(parts.refuse);
      return cookies.length === 0 ? outgoing : withCookies(outgoing, cookies);
    },
  };
}

type Asked = { route: Route; params: { [name: string]: string }; request: Incoming; cookies: string[] };

async function answerCall(asked: Asked, parts: ApiParts): Promise<Outgoing> {
  const { route, request } = asked;
  if (request.query.length > MAX_QUERY_LENGTH) throw queryTooLong();
  const actor = await identifyCounted(asked, parts);
  const params = readParams(route, asked.params);
  await checkAccess(route.access, actor, params as AccessParams, parts.facts);
  const { query, body } = await readInput(route, request);
  const address = () => parts.addressOf(request);
  return toOutgoing(await route.handle({ params, query, body, actor: actor as Actor, request, address }));
}

/** Callers are counted by who they are; who is nobody yet, by their address. */
async function identifyCounted({ request, cookies }: Asked, parts: ApiParts): Promise<Actor | undefined> {
  let actor: Actor | undefined;
  try {
    actor = await identifyCaller(request, parts.caller, cookies);
  } finally {
    if (actor) parts.userLimit.count(actor.userId);
    else parts.addressLimit.count(parts.addressOf(request));
  }
  return actor;
}

function queryTooLong(): Problem {
  const sentence = `The query is longer than ${MAX_QUERY_LENGTH} characters. Ask for less at once.`;
  return new Problem("too-long", "http.query-too-long", sentence);
}

function toOutgoing({ status, headers, body, stream }: Answer): Outgoing {
  if (stream) return { status: status ?? 200, headers: { "cache-control": "no-store", ...headers }, body: stream };
  if (body === undefined) return { status: status ?? 204, headers: { "cache-control": "no-store", ...headers } };
  return {
    status: status ?? 200,
    headers: { "cache-control": "no-store", "content-type": JSON_TYPE, ...headers },
    body: JSON.stringify(body),
  };
}

function withCookies(outgoing: Outgoing, cookies: string[]): Outgoing {
  const own = outgoing.headers["set-cookie"] ?? [];
  return { ...outgoing, headers: { ...outgoing.headers, "set-cookie": cookies.concat(own) } };
}
