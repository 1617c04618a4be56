/** Turns an answer that tells of a problem back into the Problem it was. */

import { z } from "zod";
import { Problem, type ProblemKind } from "../../platform/problem.ts";

const KINDS: { [status: number]: ProblemKind } = {
  400: "invalid",
  401: "unauthenticated",
  403: "forbidden",
  404: "missing",
  409: "conflict",
  413: "too-large",
  414: "too-long",
  415: "unsupported-type",
  429: "too-many",
  502: "unavailable",
  503: "unavailable",
  504: "unavailable",
};

const ProblemDocument = z.looseObject({ code: z.string(), detail: z.string() });

/** `server` is what to call it in a sentence. */
export async function checkAnswer(answer: Response, server: string): Promise<Response> {
  if (answer.ok) return answer;
  if (answer.status >= 300 && answer.status < 400) throw moved(server, answer.headers.get("location"));
  const text = await answer.text();
  if (/^application\/problem\+json\b/.test(answer.headers.get("content-type") ?? "")) {
    const parsed = ProblemDocument.safeParse(parseJson(text));
    if (parsed.success) throw toProblem(answer, parsed.data);
  }
  throw notSnapRace(server, `${answer.status} ${answer.statusText}`.trim(), kindOf(answer.status));
}

/** Answers of everything but files are JSON, or empty. */
export async function readAnswer(answer: Response, server: string): Promise<unknown> {
  const text = await answer.text();
  if (answer.status === 204) return undefined;
  const body = parseJson(text);
  if (body === undefined) throw notSnapRace(server, "something that is not JSON", "unexpected");
  return body;
}

function toProblem(answer: Response, document: z.infer<typeof ProblemDocument>): Problem {
  const { code, detail, type: _type, title: _title, status: _status, ...details } = document;
  const waitSeconds = Number(answer.headers.get("retry-after") ?? Number.NaN);
  // Two kinds have the same status, and only what nobody foresaw has this code.
  const kind = answer.status === 500 && code !== "internal.error" ? "misconfigured" : kindOf(answer.status);
  return new Problem(kind, code, detail, {
    details,
    ...(Number.isFinite(waitSeconds) && { retryInMs: waitSeconds * 1000 }),
  });
}

const kindOf = (status: number): ProblemKind => KINDS[status] ?? "unexpected";

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function moved(server: string, location: string | null): Problem {
  const sentence = `${server} sends callers on to ${location ?? "another address"}. Give that address instead.`;
  return new Problem("misconfigured", "server.moved", sentence);
}

function notSnapRace(server: string, what: string, kind: ProblemKind): Problem {
  const sentence = `${server} answered ${what}, as no SnapRace does. Check the address, and any proxy before it.`;
  return new Problem(kind, "server.not-snaprace", sentence);
}
