/** Serves the script that checks a lottery's draw, for who would rather run it on their own machine. */

import { readFileSync } from "node:fs";
import { Hono } from "hono";

export function drawScriptRoutes(): Hono {
  const routes = new Hono();
  const text = readFileSync(new URL("../../entry/draw/verify-draw.mjs", import.meta.url), "utf8");
  routes.get("/verify-draw.mjs", (c) => c.body(text, 200, { "content-type": "text/javascript; charset=utf-8" }));
  return routes;
}
