/** A race that is moved to a later day: locks and requests live as long as if they had been made for it. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { onEachEngine, type Scene } from "../../tests/harness/entry.ts";
import { LOTTERY } from "../../tests/harness/entry-lottery.ts";
import { DAY_MS, tableWith } from "../../tests/harness/entry-parts.ts";
import { findConfig } from "./config.ts";
import { eventPartition, lockKey } from "./items.ts";
import { tick } from "./schedule.ts";

const DAY_SECONDS = 86_400;

/** When the lock and the request of each person go, in days after the scene began. */
async function livesOf(scene: Scene): Promise<Set<string>> {
  const began = Math.floor(scene.beganAt / 1000);
  const days = (ttl: unknown) => ((ttl as number) - began) / DAY_SECONDS;
  const lives = (await scene.requests()).map(async ({ userId, ttl }) => {
    const lock = await scene.item(lockKey(scene.eventId, userId));
    return `lock ${days(lock?.ttl)}, request ${days(ttl)}`;
  });
  return new Set(await Promise.all(lives));
}

onEachEngine("a race that is moved", (open) => {
  test("to a later day takes everybody along", async () => {
    const scene = await open({ capacityTotal: 1, endsInMs: 30 * DAY_MS });
    await scene.crowd(60);
    await scene.settle();
    assert.deepEqual(await livesOf(scene), new Set(["lock 37, request 90"]));
    await scene.change({ endsInMs: 200 * DAY_MS });
    await tick(scene.entry);
    assert.deepEqual(await livesOf(scene), new Set(["lock 207, request 207"]));
    assert.equal((await findConfig(scene.entry, scene.eventId))?.extendFrom, undefined);
    assert.equal((await scene.ask("runner-001")).duplicate, true);
  });

  test("takes those along who stand behind a ticket that nobody claimed, and the line itself", async () => {
    const scene = await open({ ...LOTTERY, endsInMs: 30 * DAY_MS });
    await scene.enter("ann");
    await scene.loseTickets(2);
    await scene.enter("bob");
    await scene.change({ endsInMs: 300 * DAY_MS });
    await tick(scene.entry);
    assert.deepEqual(await livesOf(scene), new Set(["lock 307, request 307"]));
    const end = (scene.beganAt + 300 * DAY_MS) / 1000;
    const blocks = await scene.items(eventPartition(scene.eventId), "TICKET#");
    assert.equal(blocks.length, 2);
    assert.ok(blocks.every(({ ttl }) => (ttl as number) > end));
  });

  test("to an earlier day takes nothing away", async () => {
    const scene = await open({ endsInMs: 200 * DAY_MS });
    await scene.enter("ann");
    await scene.change({ endsInMs: 30 * DAY_MS });
    await tick(scene.entry);
    assert.deepEqual(await livesOf(scene), new Set(["lock 207, request 207"]));
  });

  test("takes everybody along though processes die on the way, and it is moved once more", async () => {
    const scene = await open({ endsInMs: 30 * DAY_MS });
    await scene.crowd(20);
    await scene.change({ endsInMs: 200 * DAY_MS });
    let left = 15;
    const table = tableWith(scene.entry.table, {
      write: async (_, go) => {
        if (left === 0) throw new Error("killed");
        left -= 1;
        await go();
      },
    });
    await tick(scene.open({ table }));
    assert.match(String(scene.errors[0]), /killed/);
    assert.equal((await livesOf(scene)).size, 2);
    await scene.change({ endsInMs: 300 * DAY_MS });
    await tick(scene.entry);
    assert.deepEqual(await livesOf(scene), new Set(["lock 307, request 307"]));
  });

  test("leaves what it says of a request's status alone", async () => {
    const scene = await open({ endsInMs: 30 * DAY_MS });
    const [ann] = await scene.enter("ann");
    await scene.settle();
    const { ttl: _, ...before } = await scene.request(ann.requestId);
    await scene.change({ endsInMs: 200 * DAY_MS });
    await tick(scene.entry);
    const { ttl: __, ...after } = await scene.request(ann.requestId);
    assert.deepEqual(after, before);
  });
});
