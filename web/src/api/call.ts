/** Calls the API, typed by its own document, and turns what it refuses into an ApiProblem. */

import type { Calls, Problem } from "./types.ts";

type Call = { path?: object; query?: object; body?: unknown; answer: unknown };
type Parts<Name extends keyof Calls> = Omit<Calls[Name] & Call, "answer"> & {
  signal?: AbortSignal;
  /** For what must not come from the browser's own store. */
  cache?: RequestCache;
};
type NeedsParts<Name extends keyof Calls> = Calls[Name] extends { path: object } | { body: unknown } ? true : false;
type Arguments<Name extends keyof Calls> = NeedsParts<Name> extends true ? [Parts<Name>] : [Parts<Name>?];
export type AnswerOf<Name extends keyof Calls> = Calls[Name]["answer"];

/** What the API says is wrong, or that it can't be reached: `code` tells which. */
export class ApiProblem extends Error {
  readonly code: string;
  readonly status: number;
  readonly problem: Partial<Problem> & { [detail: string]: unknown };

  constructor(problem: ApiProblem["problem"]) {
    super(problem.detail ?? "");
    this.code = problem.code ?? "unknown";
    this.status = problem.status ?? 0;
    this.problem = problem;
  }
}

export const UNREACHABLE = "network.unreachable";

/** For what the browser loads by itself: parts of the program, texts. */
export function orUnreachable<T>(loading: Promise<T>): Promise<T> {
  return loading.catch(() => {
    throw new ApiProblem({ code: UNREACHABLE, status: 0 });
  });
}

export async function call<Name extends keyof Calls>(name: Name, ...[parts]: Arguments<Name>): Promise<AnswerOf<Name>> {
  const { path, query, body, signal, cache } = (parts ?? {}) as Parts<Name> & Call;
  const [method = "GET", template = ""] = name.split(" ");
  const answer = await send(addressOf(template, path, query), {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    ...(signal && { signal }),
    ...(cache && { cache }),
  });
  return (
    answer.status === 204 || answer.headers.get("content-length") === "0" ? undefined : await readJson(answer)
  ) as AnswerOf<Name>;
}

/** For what is no JSON: files, pictures, CSV. The path is as after `/api`. */
export async function send(address: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(address, { credentials: "same-origin", ...init }).catch((error: unknown) => {
    if (init.signal?.aborted) throw error;
    throw new ApiProblem({ code: UNREACHABLE, status: 0 });
  });
  if (!answer.ok) throw new ApiProblem(await readProblem(answer));
  return answer;
}

export function addressOf(template: string, path: object = {}, query: object = {}): string {
  const values = new Map(Object.entries(path));
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values.get(name))));
  const asked = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(asked.map(([name, value]) => [name, String(value)])).toString();
  return `/api${filled}${search ? `?${search}` : ""}`;
}

async function readJson(answer: Response): Promise<unknown> {
  const text = await answer.text();
  return text === "" ? undefined : JSON.parse(text);
}

async function readProblem(answer: Response): Promise<ApiProblem["problem"]> {
  const fallback = { code: `http.${answer.status}`, status: answer.status };
  const isProblem = answer.headers.get("content-type")?.includes("json");
  return isProblem ? answer.json().catch(() => fallback) : fallback;
}
