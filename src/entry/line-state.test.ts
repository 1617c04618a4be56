/** How a line stands, for the many who ask: one read for all of them, and nothing where the event is gone. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { onEachEngine } from "../../tests/harness/entry.ts";
import { refusedWith } from "../platform/contracts/refused.ts";
import { createLineStates, findState, waitingIn } from "./line-state.ts";

onEachEngine("how a line stands", (open) => {
  test("is the line as it is, at most a moment ago", async () => {
    const scene = await open({ capacityTotal: 1 });
    await scene.enter("ann", "bob");
    const states = createLineStates(scene.entry);
    const before = await states.read(scene.eventId);
    assert.deepEqual([before.capacity.capacityRemaining, before.tickets.next, waitingIn(before)], [1, 3, 2]);
    await scene.settle();
    scene.clock.move(1000);
    const after = await states.read(scene.eventId);
    assert.deepEqual([after.capacity.capacityRemaining, after.config.capacityTotal, waitingIn(after)], [0, 1, 0]);
  });

  test("is asked of the table once for many", async () => {
    const scene = await open();
    await scene.enter("ann");
    let reads = 0;
    const { table } = scene.entry;
    const counting = {
      ...scene.entry,
      table: Object.assign(Object.create(table), {
        get: (key: Parameters<typeof table.get>[0]) => {
          reads += 1;
          return table.get(key);
        },
      }),
    };
    const states = createLineStates(counting);
    await Promise.all(Array.from({ length: 1000 }, () => states.read(scene.eventId)));
    assert.equal(reads, 3);
  });

  test("is nothing once the event is gone, so that its entrants still see their requests", async () => {
    const scene = await open();
    await scene.enter("ann");
    scene.vanish();
    await scene.follow("event.removed");
    const states = createLineStates(scene.entry);
    await refusedWith("event.not-found", states.read(scene.eventId));
    assert.equal(await findState(states, scene.eventId), undefined);
    const away = { ...scene.entry, facts: { eventForEntry: () => Promise.reject(new Error("the registry is away")) } };
    await assert.rejects(findState(createLineStates(away), scene.eventId), /the registry is away/);
  });
});
