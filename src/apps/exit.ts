/** The one place where an error becomes what a command prints and its exit code. */

import { asProblem, Problem } from "../platform/problem.ts";
import { createLog, type Log } from "./log.ts";

/** What people caused is told in one line; anything else is a defect, and the log gets all of it. */
export function reportError(error: unknown, log: Log = createLog({ level: "info" })): number {
  if (error instanceof Problem) process.stderr.write(`${error.code}: ${error.message}\n`);
  else log.fatal({ err: error }, "unexpected error");
  return asProblem(error).exitCode;
}

export function exitWith(error: unknown, log?: Log): never {
  process.exit(reportError(error, log));
}
