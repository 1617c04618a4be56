/** A large file goes in and out in a stream. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { it } from "node:test";
import { promisify } from "node:util";

it("takes and gives 200 MB without having them in memory", async () => {
  const script = new URL("../harness/large-object.ts", import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [script]);
  const { sizeBytes, received, grownMb } = JSON.parse(stdout);
  assert.equal(sizeBytes, 200_000_000);
  assert.equal(received, 200_000_000);
  assert.ok(grownMb < 120, `memory grew by ${grownMb} MB`);
});
