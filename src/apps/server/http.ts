/** The HTTP face of one machine: what every request gets, the operator's endpoints, and where other routes come in. */

import { Hono } from "hono";
import type { Engines } from "../../platform/ports.ts";
import type { Config } from "../config.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { version } from "../version.ts";
import { drawPageRoutes } from "./draw-page/routes.ts";
import { homePageRoutes } from "./home-page/routes.ts";
import { inboxPageRoutes } from "./inbox-page/routes.ts";
import { nothingThere, problemResponse } from "./problem-response.ts";
import { protectiveHeaders } from "./protective-headers.ts";
import { checkReadiness } from "./readiness.ts";
import { referencePageRoutes } from "./reference-page/routes.ts";
import { traceRequests } from "./request-trace.ts";

export type AppParts = {
  config: Pick<Config, "engines" | "publicUrl" | "databaseUrl" | "smtpUrl">;
  engines: Pick<Engines, "clock" | "checkReady">;
  log: Log;
  metrics: Metrics;
  /** What answers signed blob URLs, where they lead to this server. */
  serveBlob?: (request: Request) => Promise<Response>;
  /** The letters that nobody sends, where there are such. */
  inbox?: Parameters<typeof inboxPageRoutes>[0];
  /** What is under /api, and the document that describes it. */
  api: Hono;
  document: object;
};

export function createApp({ config, engines, log, metrics, serveBlob, inbox, api, document }: AppParts): Hono {
  const app = new Hono();
  app.use(traceRequests(log, metrics, protectiveHeaders(config.publicUrl)));
  app.route("/", operatorRoutes(engines, metrics));
  app.route("/", homePageRoutes({ config, hasInbox: inbox !== undefined, engines, log }));
  if (serveBlob) app.all("/blobs/*", (c) => serveBlob(c.req.raw));
  if (inbox) app.route("/", inboxPageRoutes(inbox));
  app.route("/", drawPageRoutes());
  app.route(
    "/",
    referencePageRoutes(() => document),
  );
  app.route("/", api);
  app.notFound((c) => problemResponse(c, nothingThere(c), log));
  app.onError((error, c) => problemResponse(c, error, log));
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
