/** Turns what the database refuses, a second row with the same key or one without its parent, into the sentence that fits it. */

import { Problem } from "../platform/problem.ts";

const UNIQUE_VIOLATION = "23505";
const FOREIGN_KEY_VIOLATION = "23503";

/** Use as `.catch(refuseDuplicate({ constraint: problem }))`; anything else goes on as it is. */
export function refuseDuplicate(problems: { [constraint: string]: [code: string, message: string] }) {
  return (error: unknown): never => {
    const { code, constraint = "" } = error as { code?: string; constraint?: string };
    const known = code === UNIQUE_VIOLATION ? problems[constraint] : undefined;
    if (!known) throw error;
    throw new Problem("conflict", known[0], known[1], { cause: error });
  };
}

/** Likewise `.catch(refuseOrphan(problem))`, for what was removed while somebody worked on it. */
export function refuseOrphan(problem: Problem) {
  return (error: unknown): never => {
    throw (error as { code?: string }).code === FOREIGN_KEY_VIOLATION ? problem : error;
  };
}
