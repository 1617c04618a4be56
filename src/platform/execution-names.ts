/** Step Functions' rules for execution names and input, checked in front of both engines. */

import type { Value } from "./ports.ts";
import { Problem } from "./problem.ts";

const MAX_INPUT_BYTES = 256 * 1024;

export function checkExecution(name: string, input: Value): void {
  if (!/^[A-Za-z0-9_-]{1,80}$/.test(name)) {
    throw new Problem("invalid", "workflow.bad-name", "An execution's name has 1 to 80 letters, digits, - or _.");
  }
  if (Buffer.byteLength(JSON.stringify(input)) > MAX_INPUT_BYTES) {
    throw new Problem(
      "too-large",
      "workflow.input-too-large",
      `An execution's input has at most ${MAX_INPUT_BYTES} bytes.`,
    );
  }
}
