/** The one place that turns an error into an HTTP answer: problem+json for what people can act on, a bare 500 for the rest. */

import { STATUS_CODES } from "node:http";
import { HTTPException } from "hono/http-exception";
import type { HeaderFields, Incoming, Outgoing } from "../../platform/http/exchange.ts";
import { asProblem, Problem } from "../../platform/problem.ts";
import { currentRequestId } from "../../platform/request-context.ts";
import type { Log } from "../log.ts";

export function problemAnswer(error: unknown, log: Log): Outgoing {
  if (error instanceof HTTPException && error.status < 500) {
    return answer(error.status, `http.${error.status}`, error.message || sentenceFor(error.status));
  }
  const problem = asProblem(error);
  if (problem.httpStatus >= 500) log.error(whatWentWrong(problem), "request failed");
  const { httpStatus, code, message, details, retryInMs } = problem;
  return answer(httpStatus, code, message, {
    details,
    headers: {
      ...(problem.kind === "unauthenticated" && { "www-authenticate": "Bearer" }),
      ...(retryInMs !== undefined && { "retry-after": String(Math.ceil(retryInMs / 1000)) }),
    },
  });
}

/** For the log: what people are told, and behind it the error they are not told. */
export function whatWentWrong(problem: Problem) {
  const hidden = problem.cause instanceof Problem ? problem.cause.cause : problem.cause;
  return { code: problem.code, detail: problem.message, ...(hidden ? { err: hidden } : {}) };
}

export function nothingThere({ method, path }: Pick<Incoming, "method" | "path">): Problem {
  return new Problem("missing", "http.not-found", `There is nothing at ${method} ${path}.`);
}

function answer(
  status: number,
  code: string,
  detail: string,
  { details, headers }: { details?: object; headers?: HeaderFields } = {},
): Outgoing {
  const body = {
    ...details,
    type: "about:blank",
    title: STATUS_CODES[status],
    status,
    code,
    detail,
    requestId: currentRequestId(),
  };
  return {
    status,
    headers: { "content-type": "application/problem+json", "cache-control": "no-store", ...headers },
    body: JSON.stringify(body),
  };
}

function sentenceFor(status: number): string {
  return `The request can't be answered: ${STATUS_CODES[status] ?? status}.`;
}
