/** `npm test`: runs every test file, or those named, two at a time, and ends with the count. */

import { globSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Outcome, runTestFile } from "./test-outcome.ts";
import { countLine, failureReport, fileLine, skipReport } from "./test-reporter.ts";

// The tests start servers, browsers and databases: more than two files at once slows all of them down.
const FILES_AT_ONCE = 2;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    "test-limit-ms": { type: "string", default: "120000" },
    "file-limit-ms": { type: "string", default: "900000" },
  },
});

const limits = { testMs: Number(values["test-limit-ms"]), fileMs: Number(values["file-limit-ms"]) };
const files = findTestFiles(positionals.length > 0 ? positionals : ["src", "tests", "bench", "infra"]);
const outcomes = await runAll(files);

process.stdout.write(failureReport(outcomes) + skipReport(outcomes));
if (files.length === 0) console.log("No test file was found.");
const passed = outcomes.reduce((total, outcome) => total + outcome.passed, 0);
const failed = outcomes.some((outcome) => outcome.failures.length > 0);
process.exitCode = failed || passed === 0 ? 1 : 0;
console.log(`\n${countLine(outcomes)}`);

function findTestFiles(places: string[]): string[] {
  const found = places.flatMap((place) => {
    const isFolder = statSync(place, { throwIfNoEntry: false })?.isDirectory();
    return globSync(isFolder ? `${place}/**/*.test.ts` : place);
  });
  return [...new Set(found.map((file) => resolve(file)))].sort();
}

async function runAll(all: string[]): Promise<Outcome[]> {
  const waiting = [...all];
  const done: Outcome[] = [];
  const work = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const outcome = await runTestFile(file, limits);
      console.log(fileLine(outcome));
      done.push(outcome);
    }
  };
  await Promise.all(Array.from({ length: FILES_AT_ONCE }, work));
  return done;
}
