/** What people read of a test run: a line for each file, every failure and skip in full, and the count as the last line. */

import { relative } from "node:path";
import type { Outcome } from "./test-outcome.ts";

export function fileLine(outcome: Outcome): string {
  const mark = outcome.failures.length > 0 ? "✗" : "✓";
  const seconds = `${(outcome.durationMs / 1000).toFixed(1)} s`;
  const count = outcome.passed + outcome.failures.length;
  return `${mark} ${shorten(outcome.file)}  ${count} ${count === 1 ? "test" : "tests"}, ${seconds}`;
}

export function failureReport(outcomes: Outcome[]): string {
  const blocks = outcomes.flatMap((outcome) => {
    if (outcome.failures.length === 0) return [];
    const failures = outcome.failures.map(
      (failure) => `✗ ${shorten(failure.place)}  ${failure.name}\n${indent(failure.explanation)}\n`,
    );
    const output = outcome.output.trim();
    return output === "" ? failures : [...failures, `  ${shorten(outcome.file)} printed:\n${indent(output)}\n`];
  });
  return blocks.length === 0 ? "" : `\nFailures\n\n${blocks.join("\n")}`;
}

export function skipReport(outcomes: Outcome[]): string {
  const lines = outcomes
    .flatMap((outcome) => outcome.skips)
    .map((skip) => `- ${shorten(skip.place)}  ${skip.name}: ${skip.reason}`);
  return lines.length === 0 ? "" : `\nSkipped\n\n${lines.join("\n")}\n`;
}

export function countLine(outcomes: Outcome[]): string {
  const sum = (count: (outcome: Outcome) => number) => outcomes.reduce((total, each) => total + count(each), 0);
  const passed = sum((outcome) => outcome.passed);
  const failed = sum((outcome) => outcome.failures.length);
  const skipped = sum((outcome) => outcome.skips.length);
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

function shorten(place: string): string {
  const short = relative(process.cwd(), place);
  return short.startsWith("..") ? place : short;
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "    ");
}
