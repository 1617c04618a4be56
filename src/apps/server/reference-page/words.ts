/** What a value must be, in words: its type, its limits, and the text of descriptions. */

import { html } from "hono/html";
import type { Html } from "../page-frame.ts";
import type { Shape } from "./shape.ts";

const FORMATS: Record<string, string> = {
  "date-time": "a date and time of ISO 8601",
  date: "a date, year first",
  time: "a time of day",
  duration: "a duration of ISO 8601",
  email: "an e-mail address",
  uri: "a web address",
  url: "a web address",
  uuid: "a UUID",
  ulid: "a ULID",
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
  binary: "a file's bytes",
  byte: "base64",
};

export function typeWords(shape: Shape): string {
  const orNull = shape.isNullable ? " or null" : "";
  const forms = shape.variants.length;
  if (forms > 0 && shape.variants.every(({ types }) => types.includes("object"))) {
    return `${shape.name ?? "object"}${orNull}, in one of ${forms} forms`;
  }
  return plainType(shape) + orNull;
}

function plainType(shape: Shape): string {
  if (shape.isRepeat) return `${shape.name}, as above`;
  if (shape.variants.length > 0) return [...new Set(shape.variants.map(typeWords))].join(" or ");
  const words = shape.types.map((type) => {
    if (type === "object") return shape.name ?? "object";
    return type === "array" ? arrayWords(shape) : type;
  });
  return words.join(" or ") || "any value";
}

function arrayWords({ items, firstItems }: Shape): string {
  const first = firstItems.map(typeWords).join(", ");
  if (!items) return first ? `array of ${first}` : "array";
  const words = typeWords(items);
  const rest = / or |, /.test(words) ? `(${words})` : words;
  return first ? `array of ${first}, then ${rest}` : `array of ${rest}`;
}

export function limitWords(shape: Shape): Html[] {
  const { schema, items } = shape;
  const format = schema.format && FORMATS[schema.format];
  const ownLimits = [
    ...valueLimits(shape),
    ...(format ? [html`${format}`] : []),
    ...(schema.format && !format ? [html`format <code>${schema.format}</code>`] : []),
    ...range(schema.minLength, schema.maxLength, "character"),
    ...numberLimits(shape),
    ...range(schema.minItems, schema.maxItems, "item"),
    ...(schema.uniqueItems ? [html`no two alike`] : []),
    ...range(schema.minProperties, schema.maxProperties, "field"),
    // The pattern that comes with a known format says it again, for machines.
    ...(format ? [] : shape.patterns.map((pattern) => html`matches <code>${pattern}</code>`)),
  ];
  const itemLimits = items && items.fields.length === 0 ? limitWords(items) : [];
  return [...ownLimits, ...itemLimits.map((limit) => html`each ${limit}`), ...sampleWords(shape)];
}

function valueLimits({ schema, isNullable }: Shape): Html[] {
  if ("const" in schema) return [html`always <code>${showValue(schema.const)}</code>`];
  const values = (schema.enum ?? []).filter((value) => value !== null || !isNullable);
  if (values.length === 0) return [];
  const [first, ...others] = values.map((value) => html`<code>${showValue(value)}</code>`);
  return others.length === 0
    ? [html`always ${first}`]
    : [html`one of ${first}${others.map((value) => html`, ${value}`)}`];
}

function numberLimits({ schema }: Shape): Html[] {
  // Bounds of what a double can count are no limit anybody meets.
  const least = schema.minimum === Number.MIN_SAFE_INTEGER ? undefined : schema.minimum;
  const most = schema.maximum === Number.MAX_SAFE_INTEGER ? undefined : schema.maximum;
  return [
    ...range(least, most),
    ...(schema.exclusiveMinimum === undefined ? [] : [html`more than ${inFigures(schema.exclusiveMinimum)}`]),
    ...(schema.exclusiveMaximum === undefined ? [] : [html`less than ${inFigures(schema.exclusiveMaximum)}`]),
    ...(schema.multipleOf === undefined ? [] : [html`a multiple of ${inFigures(schema.multipleOf)}`]),
  ];
}

function range(least: number | undefined, most: number | undefined, unit = ""): Html[] {
  const counted = (count: number) => `${inFigures(count)}${unit && ` ${unit}${count === 1 ? "" : "s"}`}`;
  if (least !== undefined && least === most) return [html`exactly ${counted(least)}`];
  if (least !== undefined && most !== undefined) return [html`${inFigures(least)} to ${counted(most)}`];
  if (least !== undefined) return unit && least === 0 ? [] : [html`at least ${counted(least)}`];
  return most === undefined ? [] : [html`at most ${counted(most)}`];
}

function inFigures(count: number): string {
  return count.toLocaleString("en", { maximumFractionDigits: 20 });
}

function sampleWords({ schema, fields }: Shape): Html[] {
  if (schema.default !== undefined) return [html`default <code>${showValue(schema.default)}</code>`];
  const example = schema.example ?? schema.examples?.[0];
  const isChosen = "const" in schema || schema.enum || fields.length > 0;
  return example === undefined || isChosen ? [] : [html`such as <code>${showValue(example)}</code>`];
}

export function showValue(value: unknown): string {
  return typeof value === "string" && value !== "" ? value : JSON.stringify(value);
}

/** Of the Markdown that descriptions may be written in: paragraphs and code. */
export function prose(text: string | undefined): Html[] {
  const paragraphs = (text ?? "").split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== "");
  return paragraphs.map((paragraph) => html`<p>${inlineCode(paragraph.trim())}</p>`);
}

export function inlineCode(text: string): (string | Html)[] {
  return text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}
