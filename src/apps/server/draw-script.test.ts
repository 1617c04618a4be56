/** The script that people take along to check a draw. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { drawScriptRoutes } from "./draw-script.ts";

test("it is the one that the command line runs", async () => {
  const answer = await drawScriptRoutes().request("/verify-draw.mjs");
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), "text/javascript; charset=utf-8");
  const file = new URL("../../entry/draw/verify-draw.mjs", import.meta.url);
  assert.equal(await answer.text(), readFileSync(file, "utf8"));
});
