/** One operation on the page: how it is called, who may, what goes in, what comes out, and an example. */

import { STATUS_CODES } from "node:http";
import { isDeepStrictEqual } from "node:util";
import { html } from "hono/html";
import type { Html } from "../page-frame.ts";
import { curlCommand, isJson } from "./curl.ts";
import { type Answer, type Api, type Body, isProblem, type Media, type Operation, type Parameter } from "./document.ts";
import { exampleOf } from "./example.ts";
import { bodyFields, details, fieldList } from "./fields.ts";
import type { Shape } from "./shape.ts";
import { inlineCode, prose, typeWords } from "./words.ts";

export function operationArticle(operation: Operation, api: Pick<Api, "origin" | "problem">): Html {
  const { id, summary, isDeprecated, description, access, parameters, body, answers } = operation;
  return html`<article class="operation" id="${id}">
    <header>
      <h3><a href="#${id}">${summary}</a>${isDeprecated ? html` <span class="deprecated">deprecated</span>` : ""}</h3>
      <p class="call">${methodBadge(operation.method)} <code class="path">${breakable(operation.path)}</code></p>
    </header>
    <div class="words">
      ${prose(description)} ${access ? html`<p class="access"><strong>Who may call it</strong> ${inlineCode(access)}</p>` : ""}
      ${parameters.length > 0 ? parameterTable(parameters) : ""} ${body ? bodySection(body) : ""}
      ${answers.length > 0 ? answerSection(answers, api.problem) : ""}
    </div>
    <div class="examples">
      ${commandFigure("Example", curlCommand(operation, api.origin))} ${answers.map(answerExample).find((each) => each) ?? ""}
    </div>
  </article>`;
}

export function methodBadge(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

export function commandFigure(caption: string, command: string): Html {
  const parts = command.split(/(?<=\w\/)/).map((part) => html`${part}<wbr>`);
  return html`<figure class="example"><figcaption>${caption}</figcaption><pre class="command">${parts}</pre></figure>`;
}

export function jsonFigure(caption: Html | string, value: unknown): Html {
  const text = JSON.stringify(value, null, 2);
  return html`<figure class="example"><figcaption><span>${caption}</span></figcaption><pre>${text}</pre></figure>`;
}

/** Long paths break at their slashes before they break anywhere else. */
function breakable(path: string): Html[] {
  return path.split(/(?=\/)/).map((step, index) => html`${index === 0 ? "" : html`<wbr>`}${pathStep(step)}`);
}

function pathStep(step: string): (string | Html)[] {
  return step.split(/(\{[^}]*\})/).map((part) => (part.startsWith("{") ? html`<var>${part}</var>` : part));
}

function parameterTable(parameters: Parameter[]): Html {
  return html`<section>
    <h4>Parameters</h4>
    <table>
      <thead><tr><th scope="col">Name</th><th scope="col">Value</th></tr></thead>
      <tbody>${parameters.map(parameterRow)}</tbody>
    </table>
  </section>`;
}

function parameterRow({ name, place, isRequired, isDeprecated, description, shape }: Parameter): Html {
  return html`<tr>
    <th scope="row"><code class="name">${name}</code> <span class="place">in ${place}</span></th>
    <td>
      <p class="field"><span class="type">${typeWords(shape)}</span>
        ${isRequired ? html`<strong class="required">required</strong>` : ""}
        ${isDeprecated ? html`<span class="deprecated">deprecated</span>` : ""}</p>
      ${details(shape, description)}
    </td>
  </tr>`;
}

function bodySection({ isRequired, description, media }: Body): Html {
  return html`<section>
    <h4>Body${isRequired ? "" : html` <span class="absent">may be left out</span>`}</h4>
    ${prose(description)}
    ${media.map(
      ({ type, shape }) => html`<p class="media"><code>${type}</code></p>
      ${prose(shape.schema.description)} ${bodyFields(shape, "sent")}`,
    )}
  </section>`;
}

function answerSection(answers: Answer[], problem: Shape | undefined): Html {
  return html`<section>
    <h4>Answers</h4>
    <ul class="answers">${answers.map((answer) => html`<li>${answerItem(answer, problem)}</li>`)}</ul>
  </section>`;
}

function answerItem(answer: Answer, problem: Shape | undefined): Html {
  const { status, description, headers, problems } = answer;
  const media = answer.media.filter((each) => !isProblem(each) || !isDeepStrictEqual(each.shape, problem));
  const isTold = media.length < answer.media.length || (answer.media.length === 0 && problems.length > 0);
  const line = html`${statusBadge(status)} <span>${inlineCode(description)}
    ${isTold ? html`<a class="told-above" href="#errors">problem</a>` : ""}</span>`;
  const codes = problems.length > 0 ? problemList(problems) : "";
  if (media.length === 0 && headers.length === 0) return html`<p class="answer">${line}</p>${codes}`;
  return html`<details>
    <summary class="answer">${line}</summary>
    ${headers.length > 0 ? html`<p class="media">Headers</p>${fieldList(headers, "answered")}` : ""}
    ${media.map(({ type, shape }) => html`<p class="media"><code>${type}</code></p>${bodyFields(shape, "answered")}`)}
  </details>${codes}`;
}

function statusBadge(status: string): Html {
  const kind = status.startsWith("2") ? "status success" : "status";
  return html`<span class="${kind}">${status === "default" ? "other" : status}</span>`;
}

function problemList(problems: Answer["problems"]): Html {
  return html`<dl class="problems">${problems.map(
    ({ code, when }) => html`<div><dt><code>${code}</code></dt><dd>${inlineCode(when)}</dd></div>`,
  )}</dl>`;
}

function answerExample({ status, media }: Answer): Html | undefined {
  const json = status.startsWith("2") ? media.find(({ type }) => isJson(type)) : undefined;
  const value = json && exampleValue(json);
  if (value === undefined) return undefined;
  return jsonFigure(html`Answer ${statusBadge(status)} ${STATUS_CODES[status]}`, value);
}

function exampleValue({ example, shape }: Media): unknown {
  return example ?? exampleOf(shape, { all: true });
}
