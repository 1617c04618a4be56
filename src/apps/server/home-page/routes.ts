/** The page at `/`: what SnapRace is, which engines run here and whether they can work. */

import { readFileSync } from "node:fs";
import { Hono } from "hono";
import type { Engines } from "../../../platform/ports.ts";
import { asProblem, type Problem } from "../../../platform/problem.ts";
import type { Config } from "../../config.ts";
import type { Log } from "../../log.ts";
import { whatWentWrong } from "../problem-response.ts";
import { checkReadiness } from "../readiness.ts";
import { homePage } from "./page.ts";

const style = readFileSync(new URL("style.css", import.meta.url), "utf8");
const icon = readFileSync(new URL("icon.svg", import.meta.url), "utf8");

export function homePageRoutes(parts: { engineSet: Config["engines"]; engines: Engines; log: Log }): Hono {
  const routes = new Hono();
  routes.get("/", async (c) => {
    const problem = await findProblem(parts.engines);
    if (problem) parts.log.warn(whatWentWrong(problem), "engines are not ready");
    c.header("cache-control", "no-store");
    return c.html(homePage({ engineSet: parts.engineSet, checkedAt: new Date(parts.engines.clock.now()), problem }));
  });
  routes.get("/home-page.css", (c) => c.body(style, 200, { "content-type": "text/css; charset=utf-8" }));
  routes.get("/icon.svg", (c) => c.body(icon, 200, { "content-type": "image/svg+xml" }));
  return routes;
}

async function findProblem(engines: Engines): Promise<Problem | undefined> {
  try {
    await checkReadiness(engines);
    return undefined;
  } catch (error) {
    return asProblem(error);
  }
}
