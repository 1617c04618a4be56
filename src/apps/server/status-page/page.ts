/** The status page's HTML; its one picture is a race bib that carries the state of the engines. */

import { html } from "hono/html";
import type { Problem } from "../../../platform/problem.ts";
import type { Config } from "../../config.ts";
import { type Html, pageFrame } from "../page-frame.ts";

export type StatusPageState = {
  config: Pick<Config, "engines" | "databaseUrl" | "smtpUrl">;
  hasInbox: boolean;
  checkedAt: Date;
  problem: Problem | undefined;
};

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

const INBOX_LINK = { path: "/inbox", meaning: "Letters kept on this machine" };
const LINKS = [
  { path: "/api", meaning: "API reference" },
  { path: "/healthz", meaning: "The process is alive" },
  { path: "/readyz", meaning: "The engines can work" },
  { path: "/metrics", meaning: "Figures for Prometheus" },
];

export function statusPage(state: StatusPageState): Html {
  return pageFrame({
    title: `SnapRace · ${state.problem ? "Not ready" : "Ready"}`,
    description: "SnapRace takes a race from sign-up to finish-line photo.",
    path: "/status",
    style: "/status-page.css",
    content: html`<div class="hero">
        <div class="pitch">
          <h1>From sign-up to finish-line photo</h1>
          <p>SnapRace gives a race's places fairly and shows every runner their own photos.
          It is one program, on one machine or on AWS.</p>
        </div>
        ${bib(state)}
      </div>
      ${promises()} ${engineList(state.config)} ${linkList(state)}`,
  });
}

function bib({ config, checkedAt, problem }: StatusPageState): Html {
  const time = checkedAt.toISOString();
  return html`<section class="bib ${problem ? "troubled" : "well"}" aria-labelledby="state">
    <p class="band">${ENGINE_SETS[config.engines].place}</p>
    <h2 id="state">${problem ? "Not ready" : "Ready"}</h2>
    <p class="detail">${problem ? problem.message : "All engines can work."}</p>
    ${problem ? html`<p class="code"><code>${problem.code}</code></p>` : ""}
    <p class="checked">Checked at <time datetime="${time}">${time.slice(11, 19)} UTC</time></p>
  </section>`;
}

function promises(): Html {
  return html`<section class="parts" aria-label="What it does">
    ${PARTS.map((part) => html`<article><h2>${part.name}</h2><p>${part.promise}</p></article>`)}
  </section>`;
}

function engineList(config: StatusPageState["config"]): Html {
  const registry = config.databaseUrl ? "PostgreSQL" : "PGlite";
  const mail = config.engines === "aws" ? "SES" : config.smtpUrl ? "SMTP" : "Inbox";
  const rows = Object.entries({ ...ENGINE_SETS[config.engines].engines, Registry: registry, Mail: mail });
  return html`<section class="panel" aria-labelledby="engines">
    <h2 id="engines">Engines</h2>
    <dl>${rows.map(([port, engine]) => html`<div><dt>${port}</dt><dd>${engine}</dd></div>`)}</dl>
  </section>`;
}

function linkList({ hasInbox }: StatusPageState): Html {
  const links = hasInbox ? [...LINKS, INBOX_LINK] : LINKS;
  return html`<nav class="panel" aria-labelledby="links">
    <h2 id="links">For programs and operators</h2>
    <ul>${links.map(
      ({ path, meaning }) => html`<li><a href="${path}"><code>${path}</code><span>${meaning}</span></a></li>`,
    )}</ul>
  </nav>`;
}
