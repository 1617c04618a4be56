/**
 * Answers plain requests to the API on Node's own HTTP. The Request, the Response and the context that the app needs
 * for each took a tenth to a fifth of the time it takes to put somebody in line; for all others the app is there.
 */

import type { IncomingMessage, OutgoingHttpHeader, RequestListener, ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import findMyWay, { type HTTPMethod } from "find-my-way";
import type { Api } from "../../platform/http/api.ts";
import type { HeaderFields, Incoming, Outgoing } from "../../platform/http/exchange.ts";
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

/** Hono's own router for routes like these takes two to four times as long. */
function createFinder(routes: Route[]): (method: string, path: string) => Found | undefined {
  const router = findMyWay();
  for (const route of routes) {
    const pattern = pathPattern(route);
    router.on(route.method.toUpperCase() as HTTPMethod, pattern, () => {}, { route, pattern });
  }
  return (method, path) => {
    const found = router.find(method as HTTPMethod, path);
    return found ? { ...found.store, params: found.params as Found["params"] } : undefined;
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
  carried: string[],
  { method }: Incoming,
  response: ServerResponse,
  log: Log,
): void {
  const fields = listFields(carried, headers);
  if (body instanceof ReadableStream) {
    sendStream(response.writeHead(status, fields), method, body, log);
    return;
  }
  if (body !== undefined && method !== "HEAD") fields.push("content-length", String(Buffer.byteLength(body)));
  response.writeHead(status, fields).end(body);
}

/** As a list of names and values, since two objects into one take V8 long. */
function listFields(carried: string[], own: HeaderFields): OutgoingHttpHeader[] {
  const fields: OutgoingHttpHeader[] = [];
  for (const name in own) fields.push(name, own[name] as string | string[]);
  for (let at = 0; at < carried.length; at += 2) {
    const name = carried[at] as string;
    if (own[name] === undefined) fields.push(name, carried[at + 1] as string);
  }
  return fields;
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
