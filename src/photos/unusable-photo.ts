/** The error of a photo that no second try makes better: the workflow gives it up at once, and the organizer reads why. */

import { Problem, type ProblemKind } from "../platform/problem.ts";

const THEIR_KINDS: ReadonlySet<ProblemKind> = new Set(["invalid", "too-large", "unsupported-type"]);

export class UnusablePhoto extends Error {
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(`${code}: ${message}`, options);
    // The workflow file names it.
    this.name = "UnusablePhoto";
  }
}

/** What the person who sent the file caused; everything else may pass. */
export function orUnusable(error: unknown): unknown {
  const isTheirs = error instanceof Problem && THEIR_KINDS.has(error.kind);
  return isTheirs ? new UnusablePhoto(error.code, error.message, { cause: error }) : error;
}

/** Lambda wraps what was thrown in JSON. */
export function failureOf(cause: string): { code: string; message: string } {
  const text = messageIn(cause);
  const [, code, message] = /^([a-z][a-z-]*(?:\.[a-z][a-z-]*)+): (.+)$/s.exec(text) ?? [];
  if (code && message) return { code, message };
  return { code: "photo.failed", message: "Something went wrong on our side. Run it again." };
}

function messageIn(cause: string): string {
  try {
    const parsed = JSON.parse(cause) as { errorMessage?: unknown } | null;
    return typeof parsed?.errorMessage === "string" ? parsed.errorMessage : cause;
  } catch {
    return cause;
  }
}
