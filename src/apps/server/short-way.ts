/**
 * Answers plain requests to the API on Node's own HTTP. The Request, the Response and the context that the app needs
 * for each took a tenth to a fifth of the time it takes to put somebody in line; for all others the app is there.
 */

import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { SmartRouter } from "hono/router/smart-router";
import { TrieRouter } from "hono/router/trie-router";
import type { Api } from "../../platform/http/api.ts";
import type { Incoming, Outgoing } from "../../platform/http/exchange.ts";
import { pathPattern, type Route } from "../../platform/http/route.ts";
import type { Log } from "../log.ts";
import type { Trace } from "./request-trace.ts";

/** A path and a query that a parser of URLs would leave as they are. */
const PLAIN_URL = /^(\/api(?:\/[\w~-][\w.~-]*)+)(\?[\w.~%&=+:-]*)?$/;
const PLAIN_HOST = /^[\w.-]+(?::\d{1,5})?$/;

/** Answers whether it took the request. */
export type ShortWay = (request: IncomingMessage, response: ServerResponse) => boolean;

export function createShortWay(api: Api, { trace, log }: { trace: Trace; log: Log }): ShortWay {
  const find = createFinder(api.routes);
  return (message, response) => {
    const url = hasBody(message) || !hasPlainHost(message) ? null : PLAIN_URL.exec(message.url ?? "");
    if (!url) return false;
    const [, path, query = ""] = url as unknown as [string, string, string | undefined];
    const method = message.method as string;
    const found = find(method === "HEAD" ? "GET" : method, path);
    if (!found) return false;
    const request = new NodeRequest(message, response, path, query);
    trace(request, async (carried) => {
      const outgoing = await api.answer(found.route, found.params, request);
      send(outgoing, carried, request, response, log);
      return { status: outgoing.status, route: found.pattern };
    }).catch((error) => {
      log.error({ err: error }, "an answer could not be sent");
      response.destroy();
    });
    return true;
  };
}

type Found = { route: Route; pattern: string; params: { [name: string]: string } };

/** By the routers that the app itself finds routes with. */
function createFinder(routes: Route[]): (method: string, path: string) => Found | undefined {
  const router = new SmartRouter<Pick<Found, "route" | "pattern">>({ routers: [new RegExpRouter(), new TrieRouter()] });
  for (const route of routes) {
    const pattern = pathPattern(route);
    router.add(route.method.toUpperCase(), pattern, { route, pattern });
  }
  return (method, path) => {
    const [[first], values] = router.match(method, path);
    if (!first) return undefined;
    const [{ route, pattern }, places] = first;
    const params: Found["params"] = {};
    // One of the routers gives the values apart from their names.
    for (const name in places)
      params[name] = values ? (values[places[name] as number] as string) : (places[name] as string);
    return { route, pattern, params };
  };
}

/** The short way where there is one, and else the app. */
export function preferring(shortWay: ShortWay, app: RequestListener): RequestListener {
  return (message, response) => {
    if (!shortWay(message, response)) app(message, response);
  };
}

/** The app knows what to do with one that nobody reads, however large. */
function hasBody({ headers }: IncomingMessage): boolean {
  return (headers["content-length"] ?? "0") !== "0" || headers["transfer-encoding"] !== undefined;
}

function hasPlainHost({ headers }: IncomingMessage): boolean {
  return PLAIN_HOST.test(headers.host ?? "");
}

/** A class, since each of these functions would else be made anew for every request. */
class NodeRequest implements Incoming {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly #message: IncomingMessage;
  readonly #response: ServerResponse;

  constructor(message: IncomingMessage, response: ServerResponse, path: string, query: string) {
    this.method = message.method as string;
    this.path = path;
    this.query = query;
    this.#message = message;
    this.#response = response;
  }

  header(name: string): string | undefined {
    return this.#message.headers[name] as string | undefined;
  }

  headers(): Headers {
    return new Headers(this.#message.headers as { [name: string]: string });
  }

  origin(): string {
    return URL.parse(`http://${this.#message.headers.host}`)?.origin ?? "";
  }

  body(): undefined {}

  gone(): AbortSignal {
    const gone = new AbortController();
    this.#response.once("close", () => gone.abort());
    return gone.signal;
  }

  peer(): string | undefined {
    return this.#message.socket.remoteAddress;
  }
}

function send(
  { status, headers, body }: Outgoing,
  carried: { [name: string]: string },
  { method }: Incoming,
  response: ServerResponse,
  log: Log,
): void {
  const fields = { ...carried, ...headers };
  if (body instanceof ReadableStream) {
    sendStream(response.writeHead(status, fields), method, body, log);
    return;
  }
  if (body !== undefined && method !== "HEAD") fields["content-length"] = String(Buffer.byteLength(body));
  response.writeHead(status, fields).end(body);
}

function sendStream(response: ServerResponse, method: string, body: ReadableStream<Uint8Array>, log: Log): void {
  if (method === "HEAD") {
    void body.cancel();
    response.end();
    return;
  }
  // Who waits for the first event must know by now that there will be some.
  response.flushHeaders();
  pipeline(body, response, (error) => {
    if (error && error.code !== "ERR_STREAM_PREMATURE_CLOSE") log.error({ err: error }, "an answer broke off");
  });
}
