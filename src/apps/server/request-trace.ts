/** What every request leaves behind: its id in the answer beside what all answers carry, a line in the log, its time in the metrics. */

import type { Context, MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import type { Incoming } from "../../platform/http/exchange.ts";
import { incomingOf } from "../../platform/http/on-hono.ts";
import { isRequestId, newRequestId, withRequestId } from "../../platform/request-context.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import type { CrossSite } from "./cross-site.ts";

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

// Probes ask every few seconds: at the usual level they would drown what people did.
const QUIET_PATHS = new Set(["/healthz", "/readyz", "/metrics"]);

/** What all answers carry, where one has no stricter field itself: names and values in turns. */
type Carried = string[];

/** `route` is the pattern that answered, never the path: label values must stay few. */
type Answered = { status: number; route: string };

export type Trace = (request: Incoming, answer: (carried: Carried) => Promise<Answered>) => Promise<void>;

type TraceParts = { log: Log; metrics: Metrics; everyAnswer: { [name: string]: string }; crossSite: CrossSite };

export function createTrace({ log, metrics, everyAnswer, crossSite }: TraceParts): Trace {
  const always = Object.entries(everyAnswer).flat();
  return (request, answer) => {
    const requestId = givenRequestId(request) ?? newRequestId();
    return withRequestId(requestId, async () => {
      const startedAt = performance.now();
      const { status, route } = await answer([...always, ...crossSite(request), "x-request-id", requestId]);
      const durationMs = performance.now() - startedAt;
      const method = METHODS.has(request.method) ? request.method : "other";
      metrics.requestSeconds.observe({ method, route, status }, durationMs / 1000);
      const level = QUIET_PATHS.has(request.path) ? "debug" : "info";
      if (!log.isLevelEnabled(level)) return;
      // Never the query: it can carry a signature, and nothing in it is needed to follow a request.
      log[level](
        { method, path: request.path, route, status, durationMs: Math.round(durationMs * 10) / 10 },
        "request",
      );
    });
  };
}

export function traceOnHono(trace: Trace): MiddlewareHandler {
  return (c, next) =>
    trace(incomingOf(c), async (carried) => {
      await next();
      addCarried(c, carried);
      return { status: c.res.status, route: routePath(c) };
    });
}

function addCarried(c: Context, carried: Carried): void {
  // Not by c.header(), which would make the finished answer anew.
  for (let at = 0; at < carried.length; at += 2) {
    const [name, value] = carried.slice(at, at + 2) as [string, string];
    if (!c.res.headers.has(name)) c.res.headers.set(name, value);
  }
}

/** A caller's own id is kept, so that one id leads through all systems; W3C trace ids have the same form. */
function givenRequestId(request: Incoming): string | undefined {
  const given = request.header("x-request-id")?.toLowerCase();
  if (given !== undefined && isUsable(given)) return given;
  const trace = request.header("traceparent");
  const traceId = trace && /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/.exec(trace)?.[1];
  return traceId && isUsable(traceId) ? traceId : undefined;
}

function isUsable(id: string): boolean {
  return isRequestId(id) && !/^0+$/.test(id);
}
