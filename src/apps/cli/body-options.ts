/** Options that become fields of a request's body, and what is wrong with a field told by its option's name. */

import { type Command, Option } from "commander";
import { z } from "zod";
import { Problem } from "../../platform/problem.ts";

export type Body = { [field: string]: unknown };

export type BodyOption = {
  flags: string;
  description: string;
  /** Where it goes in the body: `entry.opensAt` is `opensAt` in `entry`. An object is merged into what is there. */
  field: string;
  parse?: (text: string, previous?: unknown) => unknown;
  /** What the option's value means in the body, where it does not mean itself. */
  toBody?: (value: unknown) => unknown;
  /** Names of options that it can't be given with. */
  conflicts?: string[];
};

const FieldErrors = z.array(z.object({ field: z.string(), message: z.string() })).min(1);

/** For what can be taken away again. */
export const emptyIsNull = (value: unknown) => (value === "" ? null : value);

/** For options that may be repeated. */
export const collect = (text: string, previous: unknown = []) => [...(previous as string[]), text];

export function withoutNulls(body: Body): Body {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

export function addBodyOptions(command: Command, all: BodyOption[]): Command {
  for (const each of all) {
    const option = toOption(each);
    if (each.parse) option.argParser(each.parse);
    if (each.conflicts) option.conflicts(each.conflicts);
    command.addOption(option);
  }
  return command;
}

/** Only what was given: defaults are the API's, and what a change leaves out stays as it is. */
export function readBody(command: Command, all: BodyOption[]): Body {
  const body: Body = {};
  for (const each of all) {
    if (!isGiven(command, each)) continue;
    const value: unknown = command.getOptionValue(toOption(each).attributeName());
    put(body, each.field.split("."), each.toBody ? each.toBody(value) : value);
  }
  return body;
}

/** Like `readBody`, for a change, which must change something. */
export function readChange(command: Command, all: BodyOption[]): Body {
  const body = readBody(command, all);
  if (Object.keys(body).length > 0) return body;
  const sentence = "There is nothing to change: give at least one option of what is to be different.";
  throw new Problem("invalid", "usage.nothing-to-change", sentence);
}

/** People typed options and know nothing of a body. */
export async function namingOptions<T>(command: Command, all: BodyOption[], work: Promise<T>): Promise<T> {
  return work.catch((error) => {
    const errors = error instanceof Problem ? FieldErrors.safeParse(error.details.errors).data : undefined;
    if (!errors) throw error;
    const sentences = errors.map(({ field, message }) => `${optionFor(command, all, field)}: ${message}`);
    const { kind, code, details } = error;
    throw new Problem(kind, code, sentences.join(" "), { details });
  });
}

/** An option that was given is rather meant than one that was not. */
function optionFor(command: Command, all: BodyOption[], field: string): string {
  const fitting = all.filter((each) => field === each.field || field.startsWith(`${each.field}.`));
  const exact = fitting.filter((each) => each.field === field);
  const candidates = exact.length > 0 ? exact : fitting;
  const meant = candidates.find((each) => isGiven(command, each)) ?? candidates[0];
  return meant?.flags.split(" ")[0] ?? field;
}

function isGiven(command: Command, option: BodyOption): boolean {
  return command.getOptionValueSource(toOption(option).attributeName()) === "cli";
}

const toOption = ({ flags, description }: BodyOption) => new Option(flags, description);

function put(body: Body, [first = "", ...rest]: string[], value: unknown): void {
  const there = body[first];
  if (rest.length > 0) {
    const inner = isObject(there) ? there : {};
    body[first] = inner;
    put(inner, rest, value);
  } else {
    body[first] = isObject(there) && isObject(value) ? { ...there, ...value } : value;
  }
}

function isObject(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
