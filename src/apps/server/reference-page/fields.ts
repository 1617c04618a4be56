/** The fields of a body as an indented list: name, type, whether it must be there, what it means, its limits. */

import { html } from "hono/html";
import type { Html } from "../page-frame.ts";
import type { Field, Shape } from "./shape.ts";
import { inlineCode, limitWords, showValue, typeWords } from "./words.ts";

/** Of what is sent, readers ask what they must give; of what is answered, what they can count on. */
export type Direction = "sent" | "answered";

export function bodyFields(shape: Shape, direction: Direction): Html {
  const isPlainObject = shape.types.includes("object") && !shape.isNullable && shape.variants.length === 0;
  const intro = isPlainObject ? "" : html`<p class="limits">${valueWords(shape)}</p>`;
  return html`${intro}${inside(shape, direction)}`;
}

export function fieldList(fields: Field[], direction: Direction): Html {
  return html`<ul class="fields">${fields.map((field) => fieldItem(field, direction))}</ul>`;
}

function fieldItem({ name, isRequired, shape }: Field, direction: Direction): Html {
  return html`<li>
    <p class="field"><code class="name">${name}</code> <span class="type">${typeWords(shape)}</span>
      ${presence(isRequired, direction)} ${shape.schema.deprecated ? html`<span class="deprecated">deprecated</span>` : ""}</p>
    ${details(shape)} ${inside(shape, direction)}
  </li>`;
}

function presence(isRequired: boolean, direction: Direction): Html | string {
  if (direction === "sent") return isRequired ? html`<strong class="required">required</strong>` : "";
  return isRequired ? "" : html`<span class="absent">may be absent</span>`;
}

export function details(shape: Shape, description = shape.schema.description): Html {
  const limits = limitWords(shape);
  return html`${description ? html`<p class="meaning">${inlineCode(description)}</p>` : ""}
    ${limits.length > 0 ? html`<p class="limits">${joined(limits)}</p>` : ""}`;
}

function valueWords(shape: Shape): Html {
  return html`<span class="type">${typeWords(shape)}</span> ${joined(limitWords(shape))}`;
}

function joined(limits: Html[]): Html[] {
  return limits.map((limit, index) => (index === 0 ? limit : html`; ${limit}`));
}

/** What is one level down: an object's fields, those of an array's items, or the forms a value can have. */
function inside(shape: Shape, direction: Direction): Html | string {
  if (shape.isRepeat) return "";
  if (shape.variants.some(hasInside)) return forms(shape.variants, direction);
  if (hasFields(shape)) return objectFields(shape, direction);
  return [...shape.firstItems, ...(shape.items ? [shape.items] : [])]
    .filter(hasInside)
    .map((item) => inside(item, direction))
    .reduce<Html | string>((all, each) => html`${all}${each}`, "");
}

function objectFields(shape: Shape, direction: Direction): Html {
  const others = typeof shape.otherFields === "object" ? otherItem(shape.otherFields, direction) : "";
  const isClosed = direction === "sent" && shape.otherFields === false;
  return html`<ul class="fields">
    ${shape.fields.map((field) => fieldItem(field, direction))} ${others}
    ${isClosed ? html`<li class="limits">Other fields are refused.</li>` : ""}
  </ul>`;
}

function otherItem(shape: Shape, direction: Direction): Html {
  return html`<li>
    <p class="field"><em class="any-name">any name</em> <span class="type">${typeWords(shape)}</span></p>
    ${details(shape)} ${inside(shape, direction)}
  </li>`;
}

function forms(variants: Shape[], direction: Direction): Html {
  return html`<ul class="forms">${variants.map(
    (variant, index) => html`<li>
      <p class="form">${formName(variant, index)}</p>
      ${details(variant)} ${inside(variant, direction)}
    </li>`,
  )}</ul>`;
}

/** By its own name, or by the one value that tells it from the other forms. */
function formName(variant: Shape, index: number): Html {
  const name = variant.name ?? variant.schema.title;
  if (name !== undefined) return html`${name}`;
  for (const field of variant.fields) {
    const { schema } = field.shape;
    const values = "const" in schema ? [schema.const] : (schema.enum ?? []);
    if (values.length === 1) return html`If <code>${field.name}</code> is <code>${showValue(values[0])}</code>`;
  }
  return variant.types.includes("object") ? html`Form ${index + 1}` : html`${typeWords(variant)}`;
}

function hasFields(shape: Shape): boolean {
  return shape.fields.length > 0 || typeof shape.otherFields === "object";
}

function hasInside(shape: Shape): boolean {
  if (shape.isRepeat) return false;
  return (
    hasFields(shape) || [...shape.variants, ...shape.firstItems, ...(shape.items ? [shape.items] : [])].some(hasInside)
  );
}
