/** Reads a call's parameters, query and body with the route's schemas, and says field by field what is wrong. */

import type { z } from "zod";
import { Problem } from "../problem.ts";
import { readText } from "./body.ts";
import type { Incoming } from "./exchange.ts";
import type { Route } from "./route.ts";

/** At most so many are listed: nobody mends a thousand at once. */
const MAX_LISTED = 50;
const MAX_JSON_BYTES = 1024 * 1024;
const NOT_STORABLE = "It has a character that can't be kept: U+0000 or half a surrogate pair.";
const NOT_STORABLE_ESCAPES = /\\u(?:0000|d[89a-f])/i;

type FieldProblem = { field: string; message: string };

export function readParams(route: Route, params: { [name: string]: string }): unknown {
  return parse(route.params, params, "path");
}

export async function readInput(route: Route, request: Incoming): Promise<{ query: unknown; body: unknown }> {
  return {
    query: parse(route.query, readQuery(request), "query"),
    body: route.body ? parse(route.body, await readJson(request, MAX_JSON_BYTES), "body") : undefined,
  };
}

function readQuery({ query: text }: Incoming): { [name: string]: string } {
  const query: { [name: string]: string } = Object.create(null);
  if (text === "") return query;
  for (const [name, value] of new URLSearchParams(text)) {
    if (name in query) throw invalid([{ field: name, message: "It is given twice." }], "query");
    if (!isStorable(value)) throw invalid([{ field: name, message: NOT_STORABLE }], "query");
    query[name] = value;
  }
  return query;
}

async function readJson(request: Incoming, maxBytes: number): Promise<unknown> {
  const type = request.header("content-type") ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new Problem(
      "unsupported-type",
      "input.not-json",
      `Send the body as JSON with content-type: application/json, not ${type || "without one"}.`,
    );
  }
  return parseJson(await readText(request, maxBytes));
}

function parseJson(text: string): unknown {
  let notStorable: string | undefined;
  const check = (name: string, value: unknown) => {
    if (!isStorable(name) || (typeof value === "string" && !isStorable(value))) notStorable ??= name;
    return value;
  };
  let value: unknown;
  try {
    // Only escapes can bring in what is looked for, and looking costs more than parsing.
    value = NOT_STORABLE_ESCAPES.test(text) ? JSON.parse(text, check) : JSON.parse(text);
  } catch {
    throw new Problem("invalid", "input.bad-json", "The body is not valid JSON.");
  }
  if (notStorable !== undefined) throw invalid([{ field: notStorable, message: NOT_STORABLE }], "body");
  return value;
}

/** PostgreSQL keeps neither NUL nor half a surrogate pair. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

function parse(schema: z.ZodType | undefined, value: unknown, part: string): unknown {
  if (!schema) {
    const names = Object.keys(value as object);
    if (names.length === 0) return value;
    throw invalid(
      names.map((name) => ({ field: name, message: "There is no such parameter." })),
      part,
    );
  }
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw invalid(parsed.error.issues.flatMap(fieldProblems), part, ownCode(parsed.error.issues));
}

function fieldProblems(issue: z.core.$ZodIssue): FieldProblem[] {
  const field = issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      field: field ? `${field}.${key}` : key,
      message: "There is no such field. Check its spelling or leave it out.",
    }));
  }
  if (issue.code === "invalid_type" && issue.input === undefined) return [{ field, message: "It is required." }];
  return [{ field, message: issue.message }];
}

/** A schema may give what it refuses a code of its own: `refine(…, { params: { code } })`. */
function ownCode(issues: z.core.$ZodIssue[]): string | undefined {
  const codes = issues.map((issue) => (issue.code === "custom" ? issue.params?.code : undefined));
  return codes.find((code) => typeof code === "string");
}

function invalid(fields: FieldProblem[], part: string, code = "input.invalid"): Problem {
  const shown = fields.slice(0, 3).map(({ field, message }) => (field ? `${field}: ${message}` : message));
  const more = fields.length > shown.length ? ` And ${fields.length - shown.length} more.` : "";
  return new Problem("invalid", code, `The ${part} is not right. ${shown.join(" ")}${more}`, {
    details: { errors: fields.slice(0, MAX_LISTED) },
  });
}
