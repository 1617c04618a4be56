/** What is told at the end when some pictures failed. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { asProblem, Problem } from "../../platform/problem.ts";
import { checkFailures } from "./read-looking.ts";

const missing = new Problem("missing", "file.not-found", "There is no file.");
const unreadable = new Problem("invalid", "picture.unreadable", "It is no picture.");
const check = (failures: Problem[]) => checkFailures(failures, "photos.not-read", "Some could not be read.");

test("without failures nothing is told; else the first one decides the exit code", () => {
  check([]);
  assert.throws(() => check([missing, unreadable]), { code: "photos.not-read", exitCode: 3, cause: undefined });
  assert.throws(() => check([unreadable, missing]), { code: "photos.not-read", exitCode: 2 });
});

test("a defect outweighs them, and shows its inside", () => {
  const defect = asProblem(new TypeError("x is not a function"));
  assert.throws(
    () => check([missing, defect]),
    (error: Problem) => {
      assert.deepEqual([error.code, error.exitCode], ["photos.not-read", 70]);
      assert.match(String(error.cause), /^TypeError: x is not a function\n {4}at [\s\S]*\n$/);
      return true;
    },
  );
});
