/** The HTTP face of one machine: what every request gets, the operator's endpoints, and where other routes come in. */

import { Hono } from "hono";
import { toResponse } from "../../platform/http/on-hono.ts";
import type { Engines } from "../../platform/ports.ts";
import type { Config } from "../config.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { version } from "../version.ts";
import { drawScriptRoutes } from "./draw-script.ts";
import { inboxPageRoutes } from "./inbox-page/routes.ts";
import { nothingThere, problemAnswer } from "./problem-answer.ts";
import { checkReadiness } from "./readiness.ts";
import { referencePageRoutes } from "./reference-page/routes.ts";
import { type Trace, traceOnHono } from "./request-trace.ts";
import { statusPageRoutes } from "./status-page/routes.ts";
import { webPageRoutes } from "./web-pages/routes.ts";

export type AppParts = {
  config: Pick<Config, "engines" | "publicUrl" | "databaseUrl" | "smtpUrl">;
  engines: Pick<Engines, "clock" | "checkReady">;
  log: Log;
  metrics: Metrics;
  trace: Trace;
  /** What answers signed blob URLs, where they lead to this server. */
  serveBlob?: (request: Request) => Promise<Response>;
  /** The letters that nobody sends, where there are such. */
  inbox?: Parameters<typeof inboxPageRoutes>[0];
  /** What is under /api, and the document that describes it. */
  api: Hono;
  document: object;
};

export function createApp(parts: AppParts): Hono {
  const { config, engines, log, metrics, serveBlob, inbox } = parts;
  const app = new Hono();
  app.use(traceOnHono(parts.trace));
  app.route("/", operatorRoutes(engines, metrics));
  app.route("/", statusPageRoutes({ config, hasInbox: inbox !== undefined, engines, log }));
  if (serveBlob) app.all("/blobs/*", (c) => serveBlob(c.req.raw));
  if (inbox) app.route("/", inboxPageRoutes(inbox));
  app.route("/", drawScriptRoutes());
  app.route(
    "/",
    referencePageRoutes(() => parts.document),
  );
  app.route("/", parts.api);
  app.route("/", webPageRoutes({ config, api: parts.api }));
  app.notFound((c) => toResponse(problemAnswer(nothingThere(c.req), log)));
  app.onError((error) => toResponse(problemAnswer(error, log)));
  return app;
}

function operatorRoutes(engines: AppParts["engines"], metrics: Metrics): Hono {
  const fresh = { "cache-control": "no-store" };
  const routes = new Hono();
  routes.get("/healthz", (c) => c.json({ status: "alive", version }, 200, fresh));
  routes.get("/readyz", async (c) => {
    await checkReadiness(engines);
    return c.json({ status: "ready" }, 200, fresh);
  });
  routes.get("/metrics", async (c) =>
    c.body(await metrics.registry.metrics(), 200, { ...fresh, "content-type": metrics.registry.contentType }),
  );
  return routes;
}
