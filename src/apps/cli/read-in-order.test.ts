/** Results come in order, however long each takes, and never more is under way than asked for. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { inOrder } from "./read-in-order.ts";

/** Things that end when told to, in whatever order. */
function scene(count: number) {
  const tasks = Array.from({ length: count }, (_, n) => ({ n, ...Promise.withResolvers<number>() }));
  const started: number[] = [];
  const work = (n: number) => {
    started.push(n);
    return tasks[n]?.promise ?? Promise.reject(new Error(`there is no ${n}`));
  };
  return { tasks, started, items: tasks.map(({ n }) => n), work };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test("the order is that of the things, and as many as asked for are under way", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(fc.nat(), { maxLength: 12 }), async (atOnce, picks) => {
      const { tasks, started, items, work } = scene(picks.length);
      const given: number[] = [];
      const reading = (async () => {
        for await (const result of inOrder(items, atOnce, work)) given.push(result);
      })();
      const ended = new Set<number>();
      for (const pick of picks) {
        await settle();
        const running = started.filter((n) => !ended.has(n));
        assert.equal(running.length, Math.min(atOnce, picks.length - ended.size));
        const next = running[pick % running.length] as number;
        ended.add(next);
        tasks[next]?.resolve(next);
      }
      await reading;
      assert.deepEqual(given, items);
    }),
  );
});

test("a failure is told in its turn, after which nothing starts and what runs is waited for", async () => {
  const { tasks, started, items, work } = scene(6);
  const given: number[] = [];
  const reading = (async () => {
    for await (const result of inOrder(items, 3, work)) given.push(result);
  })();
  let failure: unknown;
  reading.catch((error) => {
    failure = error;
  });
  tasks[1]?.reject(new Error("broken"));
  await settle();
  assert.deepEqual([given, started, failure], [[], [0, 1, 2, 3], undefined]);
  tasks[0]?.resolve(0);
  await settle();
  assert.deepEqual([given, failure], [[0], undefined], "2, 3 and 4 still run");
  for (const n of [2, 3, 4]) tasks[n]?.resolve(n);
  await assert.rejects(reading, /broken/);
  assert.deepEqual(started, [0, 1, 2, 3, 4]);
});
