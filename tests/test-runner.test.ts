/** `npm test` tells the truth: each way a test file can end is counted, shown, and reflected in the exit code. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "./harness/temporary-folder.ts";

const runner = fileURLToPath(new URL("../scripts/run-tests.ts", import.meta.url));

/** Runs `npm test`'s script over files that exist only for this test. */
async function runTests(t: TestContext, files: Record<string, string>, options: string[] = []) {
  const folder = await temporaryFolder(t);
  const lead = 'import { describe, test } from "node:test";\nimport assert from "node:assert/strict";\n';
  await Promise.all(Object.entries(files).map(([name, code]) => writeFile(join(folder, name), lead + code)));
  const { NODE_TEST_CONTEXT, ...env } = process.env;
  return new Promise<{ exitCode: number; stdout: string; lastLine: string | undefined }>((resolve) => {
    const args = [runner, ...options, `${folder}/*.test.ts`];
    const child = execFile(process.execPath, args, { env, cwd: folder }, (_, stdout) => {
      resolve({ exitCode: child.exitCode ?? -1, stdout, lastLine: stdout.trimEnd().split("\n").at(-1) });
    });
  });
}

test("all is well", async (t) => {
  const { exitCode, stdout, lastLine } = await runTests(t, {
    "a.test.ts": 'describe("group", () => { test("one", () => {}); test("two", () => {}); });',
    "b.test.ts": 'test("three", () => {});',
  });
  assert.equal(lastLine, "3 passed, 0 failed");
  assert.match(stdout, /✓ a\.test\.ts {2}2 tests, \d+\.\d s/);
  assert.equal(exitCode, 0);
});

test("a failure shows its place, difference and stack", async (t) => {
  const { exitCode, stdout, lastLine } = await runTests(t, {
    "a.test.ts": 'test("sums", () => {\n  assert.deepEqual({ sum: 3 }, { sum: 4 });\n});\ntest("fine", () => {});',
  });
  assert.equal(lastLine, "1 passed, 1 failed");
  assert.match(stdout, /✗ a\.test\.ts:3 {2}sums/);
  assert.match(stdout, /\+ {3}sum: 3\n.*- {3}sum: 4/);
  assert.match(stdout, /at .*a\.test\.ts:4:/);
  assert.equal(exitCode, 1);
});

test("a failing subtest counts once", async (t) => {
  const { lastLine } = await runTests(t, {
    "a.test.ts": 'test("outer", async (t) => { await t.test("inner", () => assert.fail("no")); });',
  });
  assert.equal(lastLine, "0 passed, 1 failed");
});

test("a skipped test is shown with its reason", async (t) => {
  const { exitCode, stdout, lastLine } = await runTests(t, {
    "a.test.ts": 'test("fine", () => {}); test("later", { skip: "needs a printer" }, () => {});',
  });
  assert.equal(lastLine, "1 passed, 0 failed, 1 skipped");
  assert.match(stdout, /- a\.test\.ts:3 {2}later: needs a printer/);
  assert.equal(exitCode, 0);
});

const brokenFiles = [
  {
    way: "crashes",
    code: 'test("fine", () => {}); test("dies", () => process.exit(0));',
    says: /ended with exit code|no tests/,
  },
  { way: "can't be loaded", code: 'import "./nowhere.ts";', says: /Cannot find module/ },
  { way: "has no tests", code: "", says: /The file has no tests/ },
  {
    way: "never ends",
    code: 'test("fine", () => {}); setInterval(() => {}, 1000);',
    says: /did not end within 1\.5 s/,
  },
  { way: "is stuck in a loop", code: 'test("loop", () => { for (;;); });', says: /did not end within 1\.5 s/ },
  {
    way: "has a test that hangs",
    code: 'test("hang", () => new Promise((go) => setTimeout(go, 9000)));',
    says: /timed out/,
  },
  {
    way: "breaks in a hook",
    code: 'test.before(() => { throw new Error("hook"); }); test("fine", () => {});',
    says: /hook/,
  },
  {
    way: "throws too late",
    code: 'test("fine", () => { setTimeout(() => { throw new Error("late"); }, 20); });',
    says: /late/,
  },
];

for (const { way, code, says } of brokenFiles) {
  test(`a file that ${way} has failed`, async (t) => {
    const options = ["--test-limit-ms=500", "--file-limit-ms=1500"];
    const { exitCode, stdout, lastLine } = await runTests(
      t,
      { "a.test.ts": code, "b.test.ts": 'test("b", () => {});' },
      options,
    );
    assert.match(stdout, says);
    assert.match(lastLine ?? "", /^\d+ passed, [1-9]\d* failed$/);
    assert.match(stdout, /✓ b\.test\.ts/);
    assert.equal(exitCode, 1);
  });
}

test("a run without a single test has failed", async (t) => {
  const { exitCode, lastLine } = await runTests(t, {});
  assert.equal(lastLine, "0 passed, 0 failed");
  assert.equal(exitCode, 1);
});
