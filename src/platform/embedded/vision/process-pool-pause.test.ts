/** How long the process pool waits after failed starts. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { startPause } from "./process-pool-pause.ts";

function pauseAfter(failures: number) {
  const pause = startPause();
  for (let count = 0; count < failures; count += 1) pause.lengthen();
  return pause;
}

test("the first failures cost no pause, many cost a long one, and none is endless", () => {
  assert.equal(pauseAfter(2).remainingMs(), 0);
  const after8 = pauseAfter(8).remainingMs();
  assert.ok(after8 > 16_000 && after8 <= 32_000, `${after8}`);
  const after5000 = pauseAfter(5000).remainingMs();
  assert.ok(after5000 > 32_000 && after5000 <= 60_000, `${after5000}`);
});

test("an answer makes up for all failures before", () => {
  const pause = pauseAfter(20);
  pause.forget();
  assert.equal(pause.remainingMs(), 0);
  pause.lengthen();
  assert.equal(pause.remainingMs(), 0);
});
