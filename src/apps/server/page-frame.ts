/** The frame around every page of the server: the head, the links between pages, the version below. */

import { html } from "hono/html";
import { version } from "../version.ts";

export type Html = ReturnType<typeof html>;

export type Frame = {
  title: string;
  description: string;
  path: string;
  /** The page's own style, which comes after what all pages share. */
  style: string;
  script?: string;
  refreshSeconds?: number;
  content: Html;
};

const LINKS = [
  { path: "/", name: "Races" },
  { path: "/status", name: "Status" },
  { path: "/api", name: "API" },
];

export function pageFrame(frame: Frame): Html {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="description" content="${frame.description}">
    ${frame.refreshSeconds ? html`<meta http-equiv="refresh" content="${frame.refreshSeconds}">` : ""}
    <title>${frame.title}</title>
    <link rel="icon" href="/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/page.css">
    <link rel="stylesheet" href="${frame.style}">
    ${frame.script ? html`<script src="${frame.script}" defer></script>` : ""}
  </head>
  <body>
    <a class="skip" href="#main">Skip to the content</a>
    <header class="top">
      <a class="brand" href="/"><img src="/icon.svg" alt="" width="32" height="32"><span>SnapRace</span></a>
      <nav aria-label="Pages">${LINKS.map((link) => pageLink(link, frame.path))}</nav>
    </header>
    <main id="main">${frame.content}</main>
    <footer>SnapRace ${version} · Apache-2.0</footer>
  </body>
</html>`;
}

function pageLink(link: { path: string; name: string }, current: string): Html {
  return link.path === current
    ? html`<a href="${link.path}" aria-current="page">${link.name}</a>`
    : html`<a href="${link.path}">${link.name}</a>`;
}
