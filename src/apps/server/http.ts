/** The HTTP face of one machine: what every request gets, the operator's endpoints, and where other routes come in. */

import { Hono, type MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";
import type { Engines } from "../../platform/ports.ts";
import type { Config } from "../config.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { version } from "../version.ts";
import { drawPageRoutes } from "./draw-page/routes.ts";
import { homePageRoutes } from "./home-page/routes.ts";
import { inboxPageRoutes } from "./inbox-page/routes.ts";
import { nothingThere, problemResponse } from "./problem-response.ts";
import { checkReadiness } from "./readiness.ts";
import { referencePageRoutes } from "./reference-page/routes.ts";
import { traceRequests } from "./request-trace.ts";

const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

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
  app.use(traceRequests(log, metrics));
  app.use(protectiveHeaders(config.publicUrl), strictPagePolicy);
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

function protectiveHeaders(publicUrl: string): MiddlewareHandler {
  return secureHeaders({
    // Without subdomains: they may belong to somebody else's site.
    strictTransportSecurity: publicUrl.startsWith("https:") ? "max-age=15552000" : false,
    xFrameOptions: "DENY",
  });
}

/** Only where the answer has no policy of its own, so that a stricter one, as that of uploaded files, holds. */
const strictPagePolicy: MiddlewareHandler = async (c, next) => {
  await next();
  const { headers } = c.res;
  if (!headers.has("content-security-policy")) headers.set("content-security-policy", PAGE_POLICY);
};

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
