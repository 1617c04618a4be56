/** Errors of a command: one line and an exit code for people, everything for the log. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Problem } from "../platform/problem.ts";
import { reportError } from "./exit.ts";
import { createLog } from "./log.ts";

function report(context: { mock: typeof test.mock }, error: unknown) {
  const lines: string[] = [];
  const log = createLog({ level: "info", to: { write: (line) => lines.push(line) } });
  const printed: string[] = [];
  const write = context.mock.method(process.stderr, "write", (text: string) => printed.push(text) > 0);
  const exitCode = reportError(error, log);
  write.mock.restore();
  return { exitCode, printed: printed.join(""), lines };
}

test("a problem is one line on stderr and its own exit code", (t) => {
  const { exitCode, printed, lines } = report(t, new Problem("missing", "event.unknown", "There is no such event."));
  assert.equal(exitCode, 3);
  assert.equal(printed, "event.unknown: There is no such event.\n");
  assert.deepEqual(lines, []);
});

test("anything else goes to the log with its stack, and exits 70", (t) => {
  const { exitCode, printed, lines } = report(t, new TypeError("x is undefined"));
  assert.equal(exitCode, 70);
  assert.equal(printed, "");
  assert.match(JSON.parse(lines[0] ?? "").err.stack, /TypeError: x is undefined\n +at /);
});
