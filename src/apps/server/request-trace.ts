/** What every request leaves behind: its id in the answer beside what all answers carry, a line in the log, its time in the metrics. */

import type { Context, MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { addCarried, type CarriedHeaders, carry } from "../../platform/http/carried-headers.ts";
import { isRequestId, newRequestId, withRequestId } from "../../platform/request-context.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

// Probes ask every few seconds: at the usual level they would drown what people did.
const QUIET_PATHS = new Set(["/healthz", "/readyz", "/metrics"]);

/** `everyAnswer` has the headers of all answers, where an answer has no stricter one itself. */
export function traceRequests(log: Log, metrics: Metrics, everyAnswer: CarriedHeaders): MiddlewareHandler {
  return async (c, next) => {
    const requestId = incomingRequestId(c) ?? newRequestId();
    await withRequestId(requestId, async () => {
      const startedAt = performance.now();
      carry(c, { ...everyAnswer, "x-request-id": requestId });
      await next();
      addCarried(c);
      const durationMs = performance.now() - startedAt;
      // The pattern that answered, never the path: label values must stay few.
      const route = routePath(c);
      const method = METHODS.has(c.req.method) ? c.req.method : "other";
      metrics.requestSeconds.observe({ method, route, status: c.res.status }, durationMs / 1000);
      // Never the query: it can carry a signature, and nothing in it is needed to follow a request.
      const line = {
        method,
        path: c.req.path,
        route,
        status: c.res.status,
        durationMs: Math.round(durationMs * 10) / 10,
      };
      if (QUIET_PATHS.has(c.req.path)) log.debug(line, "request");
      else log.info(line, "request");
    });
  };
}

/** A caller's own id is kept, so that one id leads through all systems; W3C trace ids have the same form. */
function incomingRequestId(c: Context): string | undefined {
  const given = c.req.header("x-request-id")?.toLowerCase();
  if (given !== undefined && isUsable(given)) return given;
  const trace = c.req.header("traceparent");
  const traceId = trace && /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/.exec(trace)?.[1];
  return traceId && isUsable(traceId) ? traceId : undefined;
}

function isUsable(id: string): boolean {
  return isRequestId(id) && !/^0+$/.test(id);
}
