/** The API reference's HTML, rendered from the OpenAPI document: how to call, the contents, then every operation. */

import { html } from "hono/html";
import { type Html, pageFrame } from "../page-frame.ts";
import { curlCommand } from "./curl.ts";
import { type Api, type Group, readApi } from "./document.ts";
import { bodyFields } from "./fields.ts";
import { commandFigure, jsonFigure, methodBadge, operationArticle } from "./operation.ts";
import { prose } from "./words.ts";

const PROBLEM = {
  type: "about:blank",
  title: "Conflict",
  status: 409,
  code: "participation.closed",
  detail: "Entry is closed.",
  requestId: "4bf92f3577b34da6a3ce929d0e0e4736",
};

export function referencePage(document: object): Html {
  const api = readApi(document);
  return pageFrame({
    title: `${api.title} · Reference`,
    description: "Every operation of the API: who may call it, what goes in, what comes out.",
    path: "/api",
    style: "/api/reference.css",
    script: "/api/reference.js",
    content: html`<div class="intro">
        <h1>${api.title}</h1>
        <p class="version">Version ${api.version} · <a href="/api/openapi.json">OpenAPI document</a></p>
        ${prose(api.description)}
      </div>
      ${contents(api.groups)}
      <div class="reference">
        ${calling(api)} ${api.groups.map((group) => groupSection(group, api))}
      </div>`,
  });
}

/** Closed on a phone; beside the text where there is room. */
function contents(groups: Group[]): Html {
  return html`<details class="contents" id="contents">
    <summary>Contents</summary>
    <div class="unfolded">
      <div class="filter" hidden>
        <input type="search" placeholder="Filter" aria-label="Filter the operations" autocomplete="off" spellcheck="false">
        <p role="status"></p>
      </div>
      <nav aria-label="Contents">
        <section>
          <h2>How to call it</h2>
          <ul>
            <li><a href="#calling">With a token</a></li>
            <li><a href="#paging">Lists in pages</a></li>
            <li><a href="#errors">Problems</a></li>
          </ul>
        </section>
        ${groups.map(contentsGroup)}
      </nav>
    </div>
  </details>`;
}

function contentsGroup({ id, name, operations }: Group): Html {
  return html`<section data-group="${id}">
    <h2><a href="#${id}">${name}</a></h2>
    <ul>${operations.map(
      (operation) => html`<li data-operation="${operation.id}"><a href="#${operation.id}">
        ${methodBadge(operation.method)} <span>${operation.summary}</span></a></li>`,
    )}</ul>
  </section>`;
}

function calling(api: Api): Html {
  return html`<div class="calling">
    <section class="panel" id="calling">
      <h2>With a token</h2>
      <p>Send your token with every call, as a bearer token. The examples below take it from the shell: set
      <code>TOKEN</code> once, and they run as they are.</p>
      ${prose(api.aboutTokens)}
      ${commandFigure("In a shell", `export TOKEN=…\n${firstCall(api)}`)}
    </section>
    <section class="panel" id="paging">
      <h2>Lists in pages</h2>
      <p>A list answers with <code>items</code> and, if there may be more, a <code>cursor</code>. Give it back as the
      query's <code>cursor</code> for the next page; the last page has none. <code>limit</code> says how many items a page
      has at most. A cursor means something to its own list only.</p>
    </section>
    <section class="panel" id="errors">
      <h2>Problems</h2>
      <p>What can't be done is answered as <code>application/problem+json</code>. Programs decide by <code>code</code>, which
      stays the same; <code>detail</code> tells people what to do. Give the operator the <code>requestId</code> when you ask
      for help: every answer has it, as the header <code>x-request-id</code>, too.</p>
      ${jsonFigure("A problem", PROBLEM)}
      ${api.problem ? html`<details><summary>Its fields</summary>${bodyFields(api.problem, "answered")}</details>` : ""}
    </section>
  </div>`;
}

function firstCall({ groups, origin }: Api): string {
  const operations = groups.flatMap((group) => group.operations).filter(({ needsToken }) => needsToken);
  const reading = operations.filter(({ method }) => method === "GET");
  const simplest = reading.find(({ path }) => !path.includes("{")) ?? reading[0];
  return simplest ? curlCommand(simplest, origin) : `curl '${origin}/api' \\\n  -H "Authorization: Bearer $TOKEN"`;
}

function groupSection({ id, name, description, operations }: Group, api: Api): Html {
  return html`<section class="group" id="${id}">
    <h2>${name}</h2>
    ${description ? html`<div class="about">${prose(description)}</div>` : ""}
    ${operations.map((operation) => operationArticle(operation, api))}
  </section>`;
}
