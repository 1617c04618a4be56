/** The one error people see: a dotted code, a sentence that says what to do, and a kind that maps to HTTP and exit codes. */

const KINDS = {
  invalid: { httpStatus: 400, exitCode: 2 },
  unauthenticated: { httpStatus: 401, exitCode: 4 },
  forbidden: { httpStatus: 403, exitCode: 4 },
  missing: { httpStatus: 404, exitCode: 3 },
  conflict: { httpStatus: 409, exitCode: 3 },
  "too-large": { httpStatus: 413, exitCode: 2 },
  "too-long": { httpStatus: 414, exitCode: 2 },
  "unsupported-type": { httpStatus: 415, exitCode: 2 },
  "too-many": { httpStatus: 429, exitCode: 75 },
  unavailable: { httpStatus: 503, exitCode: 75 },
  misconfigured: { httpStatus: 500, exitCode: 78 },
  unexpected: { httpStatus: 500, exitCode: 70 },
} as const;

export type ProblemKind = keyof typeof KINDS;

/** What else the caller gets told: fields beside the sentence, and when to try again. */
export type ProblemOptions = ErrorOptions & { details?: { [field: string]: unknown }; retryInMs?: number };

export class Problem extends Error {
  readonly kind: ProblemKind;
  readonly code: string;
  readonly details: { [field: string]: unknown };
  readonly retryInMs: number | undefined;

  constructor(kind: ProblemKind, code: string, message: string, options: ProblemOptions = {}) {
    super(message, options);
    this.name = "Problem";
    this.kind = kind;
    this.code = code;
    this.details = options.details ?? {};
    this.retryInMs = options.retryInMs;
  }

  get httpStatus() {
    return KINDS[this.kind].httpStatus;
  }

  get exitCode() {
    return KINDS[this.kind].exitCode;
  }
}

/** Anything that is not a Problem is told to nobody but the log. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem(
    "unexpected",
    "internal.error",
    "Something went wrong on our side. Try again; if it stays, give the operator the request id.",
    { cause: error },
  );
}
