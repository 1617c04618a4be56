/** The page at `/status`: what SnapRace is, which engines run here and whether they can work; and what all pages share. */

import { readFileSync } from "node:fs";
import { Hono } from "hono";
import type { Engines } from "../../../platform/ports.ts";
import { asProblem, type Problem } from "../../../platform/problem.ts";
import type { Config } from "../../config.ts";
import type { Log } from "../../log.ts";
import { whatWentWrong } from "../problem-answer.ts";
import { checkReadiness } from "../readiness.ts";
import { statusPage } from "./page.ts";

const sharedStyle = readFileSync(new URL("../page-style.css", import.meta.url), "utf8");
const style = readFileSync(new URL("style.css", import.meta.url), "utf8");
const icon = readFileSync(new URL("icon.svg", import.meta.url), "utf8");

const CSS = { "content-type": "text/css; charset=utf-8" };

type StatusPageParts = {
  config: Pick<Config, "engines" | "databaseUrl" | "smtpUrl">;
  hasInbox: boolean;
  engines: Pick<Engines, "clock" | "checkReady">;
  log: Log;
};

export function statusPageRoutes(parts: StatusPageParts): Hono {
  const routes = new Hono();
  routes.get("/status", async (c) => {
    const problem = await findProblem(parts.engines);
    if (problem) parts.log.warn(whatWentWrong(problem), "engines are not ready");
    c.header("cache-control", "no-store");
    const { config, hasInbox } = parts;
    return c.html(statusPage({ config, hasInbox, checkedAt: new Date(parts.engines.clock.now()), problem }));
  });
  routes.get("/page.css", (c) => c.body(sharedStyle, 200, CSS));
  routes.get("/status-page.css", (c) => c.body(style, 200, CSS));
  routes.get("/icon.svg", (c) => c.body(icon, 200, { "content-type": "image/svg+xml" }));
  return routes;
}

async function findProblem(engines: StatusPageParts["engines"]): Promise<Problem | undefined> {
  try {
    await checkReadiness(engines);
    return undefined;
  } catch (error) {
    return asProblem(error);
  }
}
