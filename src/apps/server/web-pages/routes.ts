/** Serves the pages of web/: their files, and one document for every address that a page may have. */

import { type Context, Hono } from "hono";
import { html } from "hono/html";
import type { Config } from "../../config.ts";
import { aboutPage, cardPicture, PLAIN, type PublicApi } from "./about.ts";
import { documentAbout } from "./document.ts";
import { encodingFor, isPressed, openWebFiles, type WebFiles } from "./files.ts";

const FOREVER = "public, max-age=31536000, immutable";
const CARD_SECONDS = 600;
/** Where pages are. Anything else is answered as the API answers, or by the document with a 404 for who reads HTML. */
const PLACES = /^\/(?:$|(?:sign-in|me|events|requests|draw|photographers?|organizer)(?:\/|$))/;

type WebPageParts = { config: Pick<Config, "engines" | "publicUrl">; api: PublicApi; files?: WebFiles };

export function webPageRoutes({ config, api, files = openWebFiles() }: WebPageParts): Hono {
  const routes = new Hono();
  const policy = pagePolicy(config);
  routes.get("/assets/:name", (c) => answerAsset(c, files, c.req.param("name")));
  routes.get("/events/:eventId/photos/:ulid/card.jpg", async (c) => {
    const address = await cardPicture(c.req.param("eventId"), c.req.param("ulid"), api);
    if (!address) return c.notFound();
    c.header("cache-control", `public, max-age=${CARD_SECONDS}`);
    return c.redirect(address, 302);
  });
  routes.get("*", async (c, next) => {
    const isPlace = PLACES.test(c.req.path);
    if (!isPlace && !wantsPage(c)) return next();
    return answerPage(c, isPlace);
  });

  async function answerPage(c: Context, isPlace: boolean) {
    c.header("content-security-policy", policy);
    c.header("cache-control", "no-cache");
    if (!files.document) return c.html(notBuilt(), 503);
    const { path } = c.req;
    const about = isPlace ? await aboutPage(path, api) : undefined;
    const page = documentAbout(files.document, about ?? PLAIN, {
      publicUrl: config.publicUrl,
      path,
    });
    return c.html(page, about ? 200 : 404);
  }

  return routes;
}

/** Programs that ask for no page in particular get the API's kind of answer. */
function wantsPage(c: Context): boolean {
  const isOurs = !/^\/(api|blobs|assets)(\/|$)/.test(c.req.path);
  return isOurs && (c.req.header("accept")?.includes("text/html") ?? false);
}

async function answerAsset(c: Context, files: WebFiles, name: string) {
  const file = files.asset(name);
  const encoding = isPressed(name) ? encodingFor(c.req.header("accept-encoding")) : undefined;
  const bytes = await file?.bytes(encoding);
  if (!file || !bytes) return c.notFound();
  c.header("content-type", file.contentType);
  c.header("cache-control", FOREVER);
  if (isPressed(name)) c.header("vary", "accept-encoding");
  if (encoding) c.header("content-encoding", encoding);
  return c.body(bytes);
}

/** Scripts and styles are files of ours only. Pictures may also be an organizer's logo; photos on AWS come from and go to S3. */
function pagePolicy({ engines }: Pick<Config, "engines">): string {
  const storage = engines === "aws" ? " https://*.amazonaws.com" : "";
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data: blob: https:",
    `connect-src 'self'${storage}`,
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function notBuilt() {
  return html`<!doctype html><html lang="en"><title>SnapRace</title><p>The pages are not built. Run <code>node scripts/build-web.mjs</code> and start again.</p></html>`;
}
