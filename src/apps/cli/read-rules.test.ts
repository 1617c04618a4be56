/** Rosters in the forms that people have them, and patterns that fit whole bibs. */

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../tests/harness/temporary-folder.ts";
import { DEFAULT_MIN_CONFIDENCE, DEFAULT_WATERMARK_ZONES } from "../../photos/index.ts";
import { rulesOf } from "./read-rules.ts";

type Scope = Parameters<typeof temporaryFolder>[0];

async function rosterOf(scope: Scope, content: string | Buffer): Promise<string[]> {
  const file = join(await temporaryFolder(scope), "roster.csv");
  await writeFile(file, content);
  return [...((await rulesOf({ roster: file })).roster ?? [])];
}

test("without options the rules are the defaults", async () => {
  assert.deepEqual(await rulesOf({}), {
    watermarkZones: DEFAULT_WATERMARK_ZONES,
    minConfidence: DEFAULT_MIN_CONFIDENCE,
  });
  assert.equal((await rulesOf({ minConfidence: 0 })).minConfidence, 0);
});

test("a roster is a column of bibs, or a number a line", async (t) => {
  assert.deepEqual(await rosterOf(t, "bib,name\n1001,Kim\na7,Lee\n"), ["1001", "A7"]);
  assert.deepEqual(await rosterOf(t, "\ufeffName;Number\r\nKim;０１２\r\n"), ["012"]);
  assert.deepEqual(await rosterOf(t, "number\tBIB\n1\t1001\n2\t1002\n"), ["1001", "1002"], "bib outweighs number");
  assert.deepEqual(await rosterOf(t, "이름,배번\n김민지,55\n"), ["55"]);
  assert.deepEqual(await rosterOf(t, "1001\n1002\n\n1001\n"), ["1001", "1002"]);
  assert.deepEqual(await rosterOf(t, "bib,name\n,nobody yet\n7,Kim\n"), ["7"]);
});

test("what is no roster is told with its line", async (t) => {
  await assert.rejects(rosterOf(t, "1001,Kim\n1002,Lee\n"), { code: "roster.no-bib-column", kind: "invalid" });
  await assert.rejects(rosterOf(t, "bib\n\n"), { code: "roster.empty" });
  await assert.rejects(rosterOf(t, ""), { code: "roster.empty" });
  await assert.rejects(rosterOf(t, Buffer.from("bib\n\xff\n", "latin1")), { code: "csv.encoding" });
  await assert.rejects(rosterOf(t, "bib\n1001\nno bib at all!\n"), {
    code: "roster.bad-rows",
    details: {
      errorCount: 1,
      errors: [{ line: 3, reason: 'A bib has 1 to 12 letters, digits or "-", such as 1024 or A37.' }],
    },
  });
  await assert.rejects(rulesOf({ roster: "nowhere.csv" }), { code: "file.not-found", kind: "missing" });
});

test("a pattern fits the whole bib, and none that is too long for one", async () => {
  const { pattern } = await rulesOf({ pattern: "[A-F]\\d+|X" });
  const fitting = ["A1", "F12345", "X", "A1 ", "XA1", "G1", "A1X", `A${"1".repeat(11)}`, `A${"1".repeat(12)}`];
  assert.deepEqual(
    fitting.filter((text) => pattern?.test(text)),
    ["A1", "F12345", "X", `A${"1".repeat(11)}`],
  );
});
