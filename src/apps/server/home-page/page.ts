/** The home page's HTML; its one picture is a race bib that carries the state of the engines. */

import { html } from "hono/html";
import type { Problem } from "../../../platform/problem.ts";
import type { Config } from "../../config.ts";
import { version } from "../../version.ts";

export type HomePageState = { engineSet: Config["engines"]; checkedAt: Date; problem: Problem | undefined };

const ENGINE_SETS = {
  embedded: {
    place: "This machine",
    engines: {
      Table: "SQLite",
      Queue: "SQLite",
      Blobs: "Files and SQLite",
      Workflow: "Local Step Functions",
    },
  },
  aws: {
    place: "AWS",
    engines: { Table: "DynamoDB", Queue: "SQS", Blobs: "S3", Workflow: "Step Functions" },
  },
} as const;

const PARTS = [
  {
    name: "Entry",
    promise:
      "Thousands apply in the same minute. Places go to exactly as many as there are, in an order anyone can check.",
  },
  {
    name: "Photos",
    promise: "Photographers upload. Seconds later, runners find their own photos by bib number or selfie.",
  },
  { name: "Registry", promise: "Who organizes, who runs with which bib, who photographs. It joins the two halves." },
];

const OPERATOR_LINKS = [
  { path: "/healthz", meaning: "The process is alive" },
  { path: "/readyz", meaning: "The engines can work" },
  { path: "/metrics", meaning: "Figures for Prometheus" },
];

export function homePage(state: HomePageState) {
  return html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="description" content="SnapRace takes a race from sign-up to finish-line photo.">
    <title>SnapRace · ${state.problem ? "Not ready" : "Ready"}</title>
    <link rel="icon" href="/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/home-page.css">
  </head>
  <body>
    <header class="top"><img src="/icon.svg" alt="" width="32" height="32"><span>SnapRace</span></header>
    <main>
      <div class="hero">
        <div class="pitch">
          <h1>From sign-up to finish-line photo</h1>
          <p>SnapRace gives a race's places fairly and shows every runner their own photos.
          It is one program, on one machine or on AWS.</p>
        </div>
        ${bib(state)}
      </div>
      ${promises()} ${engineList(state.engineSet)} ${operatorLinks()}
    </main>
    <footer>SnapRace ${version} · Apache-2.0</footer>
  </body>
</html>`;
}

function bib({ engineSet, checkedAt, problem }: HomePageState) {
  const time = checkedAt.toISOString();
  return html`<section class="bib ${problem ? "troubled" : "well"}" aria-labelledby="state">
    <p class="band">${ENGINE_SETS[engineSet].place}</p>
    <h2 id="state">${problem ? "Not ready" : "Ready"}</h2>
    <p class="detail">${problem ? problem.message : "All engines can work."}</p>
    ${problem ? html`<p class="code"><code>${problem.code}</code></p>` : ""}
    <p class="checked">Checked at <time datetime="${time}">${time.slice(11, 19)} UTC</time></p>
  </section>`;
}

function promises() {
  return html`<section class="parts" aria-label="What it does">
    ${PARTS.map((part) => html`<article><h2>${part.name}</h2><p>${part.promise}</p></article>`)}
  </section>`;
}

function engineList(engineSet: HomePageState["engineSet"]) {
  const rows = Object.entries(ENGINE_SETS[engineSet].engines);
  return html`<section class="panel" aria-labelledby="engines">
    <h2 id="engines">Engines</h2>
    <dl>${rows.map(([port, engine]) => html`<div><dt>${port}</dt><dd>${engine}</dd></div>`)}</dl>
  </section>`;
}

function operatorLinks() {
  return html`<nav class="panel" aria-labelledby="operators">
    <h2 id="operators">For operators</h2>
    <ul>${OPERATOR_LINKS.map(
      ({ path, meaning }) => html`<li><a href="${path}"><code>${path}</code><span>${meaning}</span></a></li>`,
    )}</ul>
  </nav>`;
}
