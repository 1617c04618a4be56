/** Runs one test file in its own process and tells what came of it, whatever way the file ended. */

import { run } from "node:test";
import type { TestEvent } from "node:test/reporters";

export type Failure = { name: string; place: string; explanation: string };
export type Skip = { name: string; place: string; reason: string };

export type Outcome = {
  file: string;
  passed: number;
  failures: Failure[];
  skips: Skip[];
  durationMs: number;
  /** What the file printed, worth reading only when it failed. */
  output: string;
};

export type Limits = { testMs: number; fileMs: number };

type Failed = Extract<TestEvent, { type: "test:fail" }>["data"];
type Passed = Extract<TestEvent, { type: "test:pass" }>["data"];

export async function runTestFile(file: string, limits: Limits): Promise<Outcome> {
  const outcome: Outcome = { file, passed: 0, failures: [], skips: [], durationMs: 0, output: "" };
  const startedAt = performance.now();
  // A run of its own for each file, because only then the limit ends one stuck file and not all of them.
  const events = run({ files: [file], timeout: limits.testMs, signal: AbortSignal.timeout(limits.fileMs) });
  for await (const event of events) record(event, outcome, limits);
  outcome.durationMs = performance.now() - startedAt;
  if (outcome.passed + outcome.failures.length + outcome.skips.length === 0) {
    outcome.failures.push({ name: "(file)", place: file, explanation: "The file has no tests." });
  }
  return outcome;
}

function record(event: TestEvent, outcome: Outcome, limits: Limits): void {
  if (event.type === "test:stdout" || event.type === "test:stderr") outcome.output += event.data.message;
  if (event.type === "test:diagnostic" && "entryFile" in event.data) outcome.output += `${event.data.message}\n`;
  if (event.type === "test:pass") recordPass(event.data, outcome);
  if (event.type === "test:fail") recordFailure(event.data, outcome, limits);
}

/** The runner reports a file as a test of its own when it held none or its process ended badly. */
function isWholeFile(data: Passed | Failed): boolean {
  return !("entryFile" in data);
}

function recordPass(data: Passed, outcome: Outcome): void {
  if (data.details.type === "suite" || isWholeFile(data)) return;
  const reason = data.skip ?? data.todo;
  if (reason === undefined || reason === false) outcome.passed += 1;
  else
    outcome.skips.push({ name: data.name, place: placeOf(data), reason: reason === true ? "no reason given" : reason });
}

function recordFailure(data: Failed, outcome: Outcome, limits: Limits): void {
  const error = data.details.error;
  if (data.todo !== undefined && data.todo !== false) {
    outcome.skips.push({ name: data.name, place: placeOf(data), reason: `to do: ${data.todo}` });
    return;
  }
  if (isWholeFile(data)) {
    outcome.failures.push({ name: "(file)", place: outcome.file, explanation: explainFile(error, limits) });
    return;
  }
  // Its subtests are reported themselves: counting the parent too would tell one failure twice.
  if (failureType(error) === "subtestsFailed") return;
  outcome.failures.push({ name: data.name, place: placeOf(data), explanation: explain(error) });
}

function failureType(error: Error): unknown {
  return "failureType" in error ? error.failureType : undefined;
}

function placeOf(data: Passed | Failed): string {
  return `${data.file ?? "unknown file"}:${data.line ?? 0}`;
}

function explainFile(error: Error, limits: Limits): string {
  if (failureType(error) === "testAborted") return `The file did not end within ${limits.fileMs / 1000} s.`;
  const { exitCode, signal } = error as { exitCode?: number | null; signal?: string | null };
  return `The file's process ended with ${signal ?? `exit code ${exitCode}`}, outside of any test.`;
}

/** The runner wraps what a test threw; the cause has the message, the difference and the stack. */
function explain(error: Error): string {
  const thrown = error.cause instanceof Error ? error.cause : error;
  const stack = thrown.stack ?? "";
  const text = stack.includes(thrown.message) ? stack : `${thrown.message}\n${stack}`;
  const lines = text.split("\n").filter((line) => !/^\s+at .*node:internal|^\s+at .*node:async_hooks/.test(line));
  return lines.join("\n").trim();
}
