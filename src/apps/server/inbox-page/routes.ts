/** The page at `/inbox`, for whoever sits at this machine; to everybody else there is nothing. */

import { readFileSync } from "node:fs";
import { Hono } from "hono";
import { nothingThere } from "../problem-answer.ts";
import { isFromThisMachine } from "../this-machine.ts";
import { inboxPage, type Letter } from "./page.ts";

const LETTERS_SHOWN = 50;

const style = readFileSync(new URL("style.css", import.meta.url), "utf8");

export function inboxPageRoutes(parts: { list(limit: number): Promise<Letter[]> }): Hono {
  const routes = new Hono();
  routes.get("/inbox", async (c) => {
    if (!isFromThisMachine(c)) throw nothingThere(c.req);
    const letters = await parts.list(LETTERS_SHOWN);
    c.header("cache-control", "no-store");
    return c.html(inboxPage(letters, { isPaused: c.req.query("paused") !== undefined }));
  });
  routes.get("/inbox.css", (c) => {
    if (!isFromThisMachine(c)) throw nothingThere(c.req);
    return c.body(style, 200, { "content-type": "text/css; charset=utf-8" });
  });
  return routes;
}
