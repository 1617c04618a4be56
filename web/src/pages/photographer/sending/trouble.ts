/** What goes wrong on the way: with one file, with the connection for a while, or with all of it. */

import { ApiProblem } from "../../../api/call.ts";

/** Wrong with this file only; the others go on. */
export class FileTrouble extends Error {
  readonly code: string;

  constructor(code: string, message = "") {
    super(message);
    this.code = code;
  }
}

/** A lost connection, or a server that restarts or has too much to do: it passes by itself. */
export class PassingTrouble extends Error {}

/** The URL has expired, or the upload in parts has ended: it is asked for again. */
export class StaleGrant extends Error {}

const TOO_MANY = 429;
const TIMED_OUT = 408;

export const isPassingStatus = (status: number) =>
  status === 0 || status >= 500 || status === TOO_MANY || status === TIMED_OUT;

export function isPassing(error: unknown): boolean {
  return error instanceof PassingTrouble || (error instanceof ApiProblem && isPassingStatus(error.status));
}

const STALE_CODES = new Set(["upload.not-found", "blob.parts-missing"]);

export function isStale(error: unknown): boolean {
  return error instanceof StaleGrant || (error instanceof ApiProblem && STALE_CODES.has(error.code));
}
