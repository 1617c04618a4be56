/** The page at `/api`: the reference, rendered from the OpenAPI document that programs get. */

import { readFileSync } from "node:fs";
import { Hono } from "hono";
import { referencePage } from "./page.ts";

const style = ["layout.css", "operation.css", "fields.css"].map(readBeside).join("\n");
const script = readBeside("reference.js");

/** As strict as that of other pages, but for the one script that this page has. */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function referencePageRoutes(getDocument: () => object): Hono {
  const routes = new Hono();
  let rendered: { document: object; page: string } | undefined;
  routes.get("/api", async (c) => {
    const document = getDocument();
    // It takes long enough to hold up other requests, and is the same as long as the document is.
    if (rendered?.document !== document) rendered = { document, page: String(await referencePage(document)) };
    c.header("content-security-policy", POLICY);
    return c.html(rendered.page);
  });
  routes.get("/api/", (c) => c.redirect("/api", 301));
  routes.get("/api/reference.css", (c) => c.body(style, 200, { "content-type": "text/css; charset=utf-8" }));
  routes.get("/api/reference.js", (c) => c.body(script, 200, { "content-type": "text/javascript; charset=utf-8" }));
  return routes;
}

function readBeside(name: string): string {
  return readFileSync(new URL(name, import.meta.url), "utf8");
}
