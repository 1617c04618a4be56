/** Tells what went wrong on stderr, to people in lines and to scripts as a JSON object, and gives the exit code. */

import { CommanderError } from "commander";
import { z } from "zod";
import { asProblem, Problem } from "../../platform/problem.ts";
import { reportError } from "../exit.ts";

const MOST_ROWS = 20;

const BadRows = z.object({
  errorCount: z.number(),
  errors: z.array(z.object({ line: z.number(), reason: z.string() })),
});

export function reportFailure(error: unknown, { json }: { json: boolean }): number {
  const failure = error instanceof CommanderError ? usageProblem(error) : error;
  if (typeof failure === "number") return failure;
  if (!json) {
    process.stderr.write(linesBefore(failure).join(""));
    return reportError(failure);
  }
  const { code, message, details, exitCode } = asProblem(failure);
  process.stderr.write(`${JSON.stringify({ code, message, ...details, ...insideOf(failure) })}\n`);
  return exitCode;
}

/** Help and version are no failures; wrong usage is input like any other. */
function usageProblem({ code, exitCode, message }: CommanderError): Problem | number {
  if (exitCode === 0) return 0;
  const wrongUsage = new Problem("invalid", dotted(code), sentence(message));
  // Commander has printed the help itself: there was no command to run.
  return code === "commander.help" ? wrongUsage.exitCode : wrongUsage;
}

/** `commander.unknownOption` is `usage.unknown-option`. */
function dotted(code: string): string {
  return code.replace("commander.", "usage.").replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function sentence(message: string): string {
  const [first = "", ...rest] = message
    .replace(/^error: /, "")
    .replaceAll(/\s*\n\s*/g, " ")
    .trim();
  const text = first.toUpperCase() + rest.join("");
  return /[.)?]$/.test(text) ? text : `${text}.`;
}

function linesBefore(failure: unknown): string[] {
  if (!(failure instanceof Problem)) return [];
  const bad = BadRows.safeParse(failure.details).data;
  if (bad) return badRows(bad);
  if (failure.kind !== "unexpected") return [];
  if (typeof failure.cause === "string") return [failure.cause];
  return failure.details.requestId ? [`The request id is ${failure.details.requestId}.\n`] : [];
}

function badRows({ errors, errorCount }: z.infer<typeof BadRows>): string[] {
  const lines = errors.slice(0, MOST_ROWS).map(({ line, reason }) => `line ${line}: ${reason}\n`);
  const more = errorCount - lines.length;
  return more > 0 ? [...lines, `and ${more} more\n`] : lines;
}

/** What a log would get of a defect. */
function insideOf(failure: unknown): { inside?: string } {
  const cause = failure instanceof Problem ? failure.cause : failure;
  if (asProblem(failure).kind !== "unexpected" || cause === undefined) return {};
  return { inside: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) };
}
