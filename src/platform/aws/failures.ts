/** Which of AWS's errors pass by themselves, and how they are told to people. */

import { Problem } from "../problem.ts";

const PASSING_NAMES = new Set([
  "InternalError",
  "InternalFailure",
  "InternalServerError",
  "ProvisionedThroughputExceeded",
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "RequestThrottled",
  "RequestTimeout",
  "ServiceUnavailable",
  "SlowDown",
  "ThrottlingError",
  "ThrottlingException",
  "TimeoutError",
  "TooManyRequestsException",
  "TransactionConflict",
  "TransactionInProgressException",
]);
const NETWORK_CODES = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
]);

export function isPassingCode(code: string | undefined): boolean {
  return code !== undefined && PASSING_NAMES.has(code);
}

function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { $fault, code } = error as { $fault?: unknown; code?: unknown };
  return $fault === "server" || isPassingCode(error.name) || (typeof code === "string" && NETWORK_CODES.has(code));
}

export function isNamed(error: unknown, ...names: string[]): error is Error {
  return error instanceof Error && names.includes(error.name);
}

/** The error as it is to be thrown on: a Problem that says to wait when waiting helps, else the error itself. */
export function orUnavailable(error: unknown, code: string, what: string): unknown {
  if (!isPassing(error)) return error;
  return new Problem("unavailable", code, `${what} can't be reached or has too much to do. Try again in a moment.`, {
    cause: error,
  });
}
