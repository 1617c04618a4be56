/** Watched gauges: read at every scrape, and harmless when they can't be read. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { createMetrics, watch } from "./metrics.ts";

test("a watched gauge shows what it reads now", async () => {
  const metrics = createMetrics();
  let waiting = 3;
  watch(metrics, {
    name: "queue_messages",
    help: "Messages by queue.",
    labels: ["queue"],
    read: async () => [{ labels: { queue: "entries" }, value: waiting }],
  });
  assert.match(await metrics.registry.metrics(), /^queue_messages\{queue="entries"\} 3$/m);
  waiting = 0;
  assert.match(await metrics.registry.metrics(), /^queue_messages\{queue="entries"\} 0$/m);
});

test("a gauge that can't be read leaves the others alone", async () => {
  const metrics = createMetrics();
  watch(metrics, { name: "broken", help: "Never there.", labels: [], read: () => Promise.reject(new Error("gone")) });
  const text = await metrics.registry.metrics();
  assert.doesNotMatch(text, /^broken /m);
  assert.match(text, /^process_cpu_seconds_total /m);
});
