/** Readiness is answered in time even when an engine hangs. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "../../platform/clock.ts";
import type { Engines } from "../../platform/ports.ts";
import { checkReadiness } from "./readiness.ts";

test("an engine that never answers is not ready", async () => {
  const hanging = { clock: systemClock, checkReady: () => new Promise<void>(() => {}) } as Partial<Engines>;
  await assert.rejects(checkReadiness(hanging as Engines, 20), { kind: "unavailable", code: "engines.no-answer" });
});
