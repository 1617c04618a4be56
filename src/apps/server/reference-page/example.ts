/** An example value for a shape: what the document gives as one, else the simplest value that fits. */

import type { Shape } from "./shape.ts";

const TEXTS: Record<string, string> = {
  "date-time": "2026-05-17T09:00:00Z",
  date: "2026-05-17",
  time: "09:00:00",
  duration: "PT1H",
  email: "ana@race.example",
  uri: "https://race.example/",
  url: "https://race.example/",
  uuid: "0197a5c2-6f1e-7b3a-9c41-2f8d5e6a7b90",
  ulid: "01JVF3M8Q2T5W7X9YABCDEFGHJ",
};

/** Undefined where nothing sensible can be made up. `all` also gives what may be left out. */
export function exampleOf(shape: Shape, want: { all: boolean }): unknown {
  const { schema } = shape;
  const given = schema.example ?? schema.examples?.[0] ?? schema.default ?? schema.const ?? schema.enum?.[0];
  if (given !== undefined) return given;
  if (shape.isRepeat) return undefined;
  const [variant] = shape.variants;
  if (variant) return exampleOf(variant, want);
  switch (shape.types[0]) {
    case "object":
      return objectExample(shape, want);
    case "array":
      return [...shape.firstItems, ...(shape.items ? [shape.items] : [])]
        .map((item) => exampleOf(item, want))
        .filter((item) => item !== undefined);
    case "integer":
    case "number":
      return numberExample(shape);
    case "boolean":
      return true;
    case "null":
      return null;
    case "string":
      return TEXTS[schema.format ?? ""] ?? "text";
    default:
      return undefined;
  }
}

function objectExample({ fields, otherFields, schema }: Shape, want: { all: boolean }): object {
  const chosen = fields.filter(({ isRequired, shape }) => want.all || isRequired || hasStatedExample(shape));
  // A change that requires no field still has to change one.
  const shown = chosen.length > 0 || (schema.minProperties ?? 0) === 0 ? chosen : fields.slice(0, 1);
  const entries = shown.map(({ name, shape }) => [name, exampleOf(shape, want)]);
  if (typeof otherFields === "object" && entries.length === 0) entries.push(["name", exampleOf(otherFields, want)]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function hasStatedExample({ schema }: Shape): boolean {
  return schema.example !== undefined || schema.examples !== undefined;
}

function numberExample({ schema }: Shape): number {
  const step = schema.multipleOf ?? 1;
  const least = schema.minimum ?? (schema.exclusiveMinimum === undefined ? step : schema.exclusiveMinimum + step);
  const start = least === Number.MIN_SAFE_INTEGER ? step : least;
  return Math.min(start, schema.maximum ?? Number.POSITIVE_INFINITY);
}
