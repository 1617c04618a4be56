/** What many ask for is read once for all of them, and never kept longer than it is fresh. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestClock } from "../../tests/harness/entry-parts.ts";
import { keepFresh } from "./fresh.ts";

function counting(freshMs = 100) {
  const clock = createTestClock();
  const reads: string[] = [];
  const fresh = keepFresh({ clock, freshMs }, async (eventId) => {
    reads.push(eventId);
    return `${eventId} ${reads.length}`;
  });
  return { clock, reads, fresh };
}

test("many who ask at once, and within the time, share one read", async () => {
  const { clock, reads, fresh } = counting();
  assert.deepEqual(await Promise.all(["a", "a", "b", "a"].map(fresh.read)), ["a 1", "a 1", "b 2", "a 1"]);
  clock.move(99);
  assert.equal(await fresh.read("a"), "a 1");
  assert.deepEqual(reads, ["a", "b"]);
});

test("after the time it is read again, and what was forgotten at once", async () => {
  const { clock, fresh } = counting();
  await fresh.read("a");
  clock.move(100);
  assert.equal(await fresh.read("a"), "a 2");
  fresh.forget("a");
  assert.equal(await fresh.read("a"), "a 3");
  fresh.forget("never asked for");
});

test("what is forgotten while it is read is not kept", async () => {
  const { fresh } = counting();
  const under = fresh.read("a");
  fresh.forget("a");
  assert.deepEqual([await fresh.read("a"), await under, await fresh.read("a")], ["a 2", "a 1", "a 2"]);
});

test("a read that failed is told to all who shared it, and done again by the next", async () => {
  let reads = 0;
  const fresh = keepFresh({ clock: createTestClock(), freshMs: 100 }, async () => {
    reads += 1;
    if (reads === 1) throw new Error("away");
    return reads;
  });
  const [first, second] = await Promise.allSettled([fresh.read("a"), fresh.read("a")]);
  assert.deepEqual([first.status, second.status, reads], ["rejected", "rejected", 1]);
  assert.equal(await fresh.read("a"), 2);
});

test("a failure that comes late does not push out what is newer", async () => {
  const clock = createTestClock();
  const { promise: slow, reject } = Promise.withResolvers<number>();
  let reads = 0;
  const fresh = keepFresh({ clock, freshMs: 100 }, () => {
    reads += 1;
    return reads === 1 ? slow : Promise.resolve(reads);
  });
  const failing = assert.rejects(fresh.read("a"), /too late/);
  clock.move(100);
  assert.equal(await fresh.read("a"), 2);
  reject(new Error("too late"));
  await failing;
  assert.deepEqual([await fresh.read("a"), reads], [2, 2]);
});

test("no more is kept than a few hundred events", async () => {
  const { reads, fresh } = counting();
  for (let index = 0; index < 1000; index += 1) await fresh.read(`event-${index}`);
  await fresh.read("event-0");
  assert.equal(reads.length, 1001);
});
