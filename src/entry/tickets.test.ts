/** Tickets: each number is given out once, and belongs for good to whoever was first, claimant or voider. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { onEachEngine, type Scene } from "../../tests/harness/entry.ts";
import { ConditionFailed } from "../platform/condition-failed.ts";
import { refusedWith } from "../platform/contracts/refused.ts";
import { readConfig } from "./config.ts";
import { closeEntry } from "./control.ts";
import { blockKey, type ConfigItem, type RequestItem, requestKey, ticketsKey } from "./items.ts";
import { claimTickets, takeTickets, voidTickets } from "./tickets.ts";

async function prepare(scene: Scene): Promise<ConfigItem> {
  return readConfig(scene.entry, scene.eventId);
}

/** A request that is RECEIVED and nothing more. */
async function received({ entry, eventId }: Scene, userId: string): Promise<RequestItem> {
  const requestId = entry.newRequestId();
  const request = { ...requestKey(requestId), requestId, eventId, userId, status: "RECEIVED", requestedAt: 1 };
  await entry.table.write([{ put: request }]);
  return request as unknown as RequestItem;
}

onEachEngine("tickets", (open) => {
  test("come in a row, however many are taken at once and by whom", async () => {
    const scene = await open();
    const config = await prepare(scene);
    const taken = await Promise.all(
      [3, 1, 5, 2, 4].map(async (count) => {
        const { first, queuedAt } = await takeTickets(scene.open(), config, { eventId: scene.eventId, count });
        return { first, count, queuedAt };
      }),
    );
    let next = 1;
    let last = 0;
    for (const { first, count, queuedAt } of taken.toSorted((a, b) => a.first - b.first)) {
      assert.equal(first, next);
      assert.ok(queuedAt > last, "a later ticket has no later time");
      next += count;
      last = queuedAt;
    }
    const counter = await scene.item(ticketsKey(scene.eventId));
    assert.deepEqual([counter?.next, counter?.queuedAt], [16, last]);
  });

  test("are not given before a time that this process knows of", async () => {
    const scene = await open();
    const notBefore = scene.clock.now() + 7;
    const ask = { eventId: scene.eventId, count: 1, notBefore };
    assert.equal((await takeTickets(scene.entry, await prepare(scene), ask)).queuedAt, notBefore);
  });

  test("are not to be had once the counter is closed, the time has come, or the event is gone", async () => {
    const scene = await open({ closesInMs: 60_000 });
    const config = await prepare(scene);
    const ask = { eventId: scene.eventId, count: 1 };
    await refusedWith("participation.closed", takeTickets(scene.entry, config, { ...ask, eventId: "another" }));
    await refusedWith(
      "participation.closed",
      takeTickets(scene.entry, config, { ...ask, notBefore: config.closesAt ?? 0 }),
    );
    await takeTickets(scene.entry, config, { ...ask, notBefore: (config.closesAt ?? 0) - 1 });
    await closeEntry(scene.entry, scene.eventId);
    await refusedWith("participation.closed", takeTickets(scene.entry, config, ask));
    assert.equal((await scene.item(ticketsKey(scene.eventId)))?.next, 2);
  });

  test("that are void can't be claimed, and their requests stay as they were", async () => {
    const scene = await open();
    const config = await prepare(scene);
    const request = await received(scene, "ann");
    const { first, queuedAt } = await takeTickets(scene.entry, config, { eventId: scene.eventId, count: 1 });
    assert.equal(await voidTickets(scene.entry, config, { eventId: scene.eventId, tickets: [first] }), true);
    const claim = claimTickets(scene.entry, config, [{ request, ticket: first, queuedAt }]);
    await assert.rejects(claim, (error) => error instanceof ConditionFailed && error.failures[0]?.action === 0);
    const stored = await scene.request(request.requestId);
    assert.deepEqual([stored.status, stored.ticket, stored.GSI2PK], ["RECEIVED", undefined, undefined]);
    assert.deepEqual(await scene.log(request.requestId), []);
  });

  test("that are claimed can't be voided, and then none of those asked for is", async () => {
    const scene = await open();
    const config = await prepare(scene);
    const request = await received(scene, "ann");
    const { eventId } = scene;
    const { queuedAt } = await takeTickets(scene.entry, config, { eventId, count: 2 });
    await claimTickets(scene.entry, config, [{ request, ticket: 2, queuedAt }]);
    assert.equal(await voidTickets(scene.entry, config, { eventId, tickets: [1, 2] }), false);
    assert.equal(await scene.item(blockKey(eventId, "TICKET", 1)), undefined);
    assert.deepEqual((await scene.item(blockKey(eventId, "TICKET", 2)))?.requestIds, [request.requestId]);
  });

  test("go to no request that has one, nor to the others of its claim", async () => {
    const scene = await open();
    const config = await prepare(scene);
    const { eventId } = scene;
    const [ann] = await scene.enter("ann");
    const bob = await received(scene, "bob");
    const { first, queuedAt } = await takeTickets(scene.entry, config, { eventId, count: 2 });
    const claim = claimTickets(scene.entry, config, [
      { request: bob, ticket: first, queuedAt },
      { request: ann, ticket: first + 1, queuedAt },
    ]);
    await assert.rejects(claim, (error) => error instanceof ConditionFailed && error.failures[0]?.action === 2);
    assert.equal((await scene.request(ann.requestId)).ticket, 1);
    assert.equal((await scene.request(bob.requestId)).status, "RECEIVED");
    assert.equal((await scene.blocks()).length, 1);
  });
});
