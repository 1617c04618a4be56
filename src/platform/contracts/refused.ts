/** Asserts that work is refused with the given code. */

import assert from "node:assert/strict";
import { Problem } from "../problem.ts";

export async function refusedWith(code: string, work: Promise<unknown>, label = code): Promise<void> {
  const error = await work.then(
    () => assert.fail(`${label}: not refused`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Problem, `${label}: ${error instanceof Error ? error.stack : error}`);
  assert.equal(error.code, code, `${label}: ${error.message}`);
}
