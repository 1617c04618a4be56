/** What callers of the process pool are told when a job isn't done, and a worker's failure as the error it was. */

import { Problem } from "../../problem.ts";
import type { ToldFailure } from "./process-pool-worker.ts";

const BUSY_RETRY_MS = 5000;

export function busy(): Problem {
  return new Problem("unavailable", "vision.busy", "Too many pictures are waiting. Try again in a few seconds.", {
    retryInMs: BUSY_RETRY_MS,
  });
}

export function stopping(): Problem {
  return new Problem("unavailable", "vision.closed", "The server is stopping. Try again in a moment.");
}

export function unavailable(startFailure: Error, retryInMs: number): Problem {
  return new Problem("unavailable", "vision.unavailable", `Pictures can't be looked at now: ${startFailure.message}`, {
    cause: startFailure,
    retryInMs,
  });
}

export function crashed(ending: Error): Problem {
  return new Problem(
    "invalid",
    "vision.crashed",
    "The picture was refused, because looking at it ended the worker. Save it anew with another program, or use another.",
    { cause: ending },
  );
}

/** A busy machine can be the reason: the same picture may go through later. */
export function timedOut(limitMs: number): Problem {
  return new Problem(
    "unavailable",
    "vision.timed-out",
    `Looking at the picture took longer than ${limitMs / 1000} s. Try again later, or use a smaller picture.`,
  );
}

export function outOfMemory(limitBytes: number): Problem {
  return new Problem(
    "too-large",
    "vision.out-of-memory",
    `Looking at the picture took more than ${Math.round(limitBytes / 1024 ** 2)} MB of memory. Use a smaller picture.`,
  );
}

export function errorOf(failure: ToldFailure): Error {
  if (!("kind" in failure)) return Object.assign(new Error(failure.message), { stack: failure.stack });
  const { kind, code, message, details, retryInMs } = failure;
  return new Problem(kind, code, message, { details, ...(retryInMs !== undefined && { retryInMs }) });
}
