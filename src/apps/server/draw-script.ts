/** The page at `/draw`, where anybody's browser does a lottery's draw again, and the script that does it anywhere. */

import { readFileSync } from "node:fs";
import { Hono } from "hono";
import { drawPage } from "./page.ts";

/** As strict as that of other pages, but for its own scripts and what they ask of the API. */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const CSS = "text/css; charset=utf-8";
const SCRIPT = "text/javascript; charset=utf-8";
const FILES = [
  { path: "/draw.css", name: "style.css", contentType: CSS },
  { path: "/draw.js", name: "draw.js", contentType: SCRIPT },
  { path: "/draw-show.js", name: "show.js", contentType: SCRIPT },
  { path: "/draw-sha256.js", name: "sha256.js", contentType: SCRIPT },
  { path: "/verify-draw.mjs", name: "../../../entry/draw/verify-draw.mjs", contentType: SCRIPT },
];

export function drawPageRoutes(): Hono {
  const routes = new Hono();
  const page = drawPage();
  routes.get("/draw", (c) => {
    c.header("content-security-policy", POLICY);
    return c.html(page);
  });
  for (const { path, name, contentType } of FILES) {
    const text = readFileSync(new URL(name, import.meta.url), "utf8");
    routes.get(path, (c) => c.body(text, 200, { "content-type": contentType }));
  }
  return routes;
}
