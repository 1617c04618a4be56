/** The throw-away PostgreSQL answers, and leaves nothing behind. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { startPostgres } from "./postgres.ts";

const run = promisify(execFile);

test("a throw-away PostgreSQL answers a query", async () => {
  const postgres = await startPostgres();
  try {
    const { stdout } = await run("psql", [postgres.url, "--tuples-only", "--no-align", "--command=select 1"]);
    assert.equal(stdout.trim(), "1");
  } finally {
    await postgres.stop();
  }
  await assert.rejects(run("psql", [postgres.url, "--command=select 1"]), /Connection refused/);
});
