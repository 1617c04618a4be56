/** The page of the vision benchmark shows what it is given, and never as markup. */

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { writePage } from "./page.ts";

test("figures, mistakes and the words seen there", async () => {
  const folder = await mkdtemp(join(tmpdir(), "snaprace-page-"));
  try {
    const file = join(folder, "new", "page.html");
    const box = { left: 0.25, top: 0.5, width: 0.1, height: 0.2 };
    const words = [{ text: '<b>"1&2', confidence: 0.456, verdict: "refused: pattern" }];
    const mistakes = [
      { kind: "missed" as const, number: "123", note: "with a roster too", box, crop: "data:,crop", words },
      { kind: "wrong" as const, number: "456", note: "", words: [] },
    ];
    const cases = [{ title: "one.jpg", expected: "123", overview: "data:,photo", mistakes }];
    const rows = [{ measure: "recall", value: 0.51234, unit: "", target: "≥ 0.95", ok: false }];
    await writePage(file, ["a model"], [{ title: "Bibs", about: "Some.", rows, cases }]);
    const page = await readFile(file, "utf8");
    assert.match(page, /1 missed, 1 wrong, in 1 pictures/);
    assert.match(page, /<b>&lt;b>&quot;1&amp;2<\/b> 0\.46 <span>refused: pattern/);
    assert.match(page, /left:25\.00%;top:50\.00%;width:10\.00%;height:20\.00%/);
    assert.match(page, /<td>recall<td class="number">0\.5123<td><td>≥ 0\.95<td class="short">missed/);
    assert.match(page, /Its place is not known/);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
