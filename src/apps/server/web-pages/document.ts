/** The one HTML document of all pages, with the head of the page that was asked for. */

import { html } from "hono/html";
import type { About } from "./about.ts";

const PLACE = /<!--about-->[\s\S]*<!--\/about-->/;

export function documentAbout(
  document: string,
  about: About,
  { publicUrl, path }: { publicUrl: string; path: string },
): string {
  const { title, description, image } = about;
  const head = html`<title>${title}</title>
    <meta name="description" content="${description}">
    <meta property="og:site_name" content="SnapRace">
    <meta property="og:type" content="website">
    <meta property="og:title" content="${title}">
    <meta property="og:description" content="${description}">
    <meta property="og:url" content="${publicUrl}${path}">
    <meta name="twitter:card" content="${image ? "summary_large_image" : "summary"}">
    ${
      image
        ? html`<meta property="og:image" content="${publicUrl}${image.path}">
    <meta property="og:image:width" content="${image.width}">
    <meta property="og:image:height" content="${image.height}">`
        : ""
    }`;
  return document.replace(PLACE, () => String(head));
}
