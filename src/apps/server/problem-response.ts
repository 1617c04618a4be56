/** The one place that turns an error into an HTTP answer: problem+json for what people can act on, a bare 500 for the rest. */

import { STATUS_CODES } from "node:http";
import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import { asProblem, Problem } from "../../platform/problem.ts";
import { currentRequestId } from "../../platform/request-context.ts";
import type { Log } from "../log.ts";

export function problemResponse(c: Context, error: unknown, log: Log): Response {
  if (error instanceof HTTPException && error.status < 500) {
    return answer(c, error.status, `http.${error.status}`, error.message || sentenceFor(error.status));
  }
  const problem = asProblem(error);
  if (problem.httpStatus >= 500) log.error(whatWentWrong(problem), "request failed");
  if (problem.kind === "unauthenticated") c.header("www-authenticate", "Bearer");
  if (problem.retryInMs !== undefined) c.header("retry-after", String(Math.ceil(problem.retryInMs / 1000)));
  return answer(c, problem.httpStatus, problem.code, problem.message, problem.details);
}

/** For the log: what people are told, and behind it the error they are not told. */
export function whatWentWrong(problem: Problem) {
  const hidden = problem.cause instanceof Problem ? problem.cause.cause : problem.cause;
  return { code: problem.code, detail: problem.message, ...(hidden ? { err: hidden } : {}) };
}

export function nothingThere(c: Context): Problem {
  return new Problem("missing", "http.not-found", `There is nothing at ${c.req.method} ${c.req.path}.`);
}

function answer(c: Context, status: number, code: string, detail: string, details: object = {}): Response {
  const body = {
    ...details,
    type: "about:blank",
    title: STATUS_CODES[status],
    status,
    code,
    detail,
    requestId: currentRequestId(),
  };
  return c.body(JSON.stringify(body), status as 400, {
    "content-type": "application/problem+json",
    "cache-control": "no-store",
  });
}

function sentenceFor(status: number): string {
  return `The request can't be answered: ${STATUS_CODES[status] ?? status}.`;
}
