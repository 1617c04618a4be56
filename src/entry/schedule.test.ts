/** What happens by time, and what is looked after though no message asks for it. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { checkPlaces, onEachEngine, type Scene } from "../../tests/harness/entry.ts";
import { ANNOUNCED_MS, CUTOFF_MS, LOTTERY } from "../../tests/harness/entry-lottery.ts";
import { DAY_MS, HOUR_MS, queueWith, tableWith } from "../../tests/harness/entry-parts.ts";
import { cancelParticipation } from "./cancel.ts";
import { findConfig, findTickets } from "./config.ts";
import { ACTIVE_EVENTS, activeKey, configKey } from "./items.ts";
import { tick } from "./schedule.ts";

const activeEvents = async ({ items }: Scene) => (await items(ACTIVE_EVENTS)).map(({ eventId }) => eventId);

onEachEngine("looking after all events", (open) => {
  test("closes entries when their time has come, and not before", async () => {
    const scene = await open({ closesInMs: HOUR_MS });
    await scene.enter("ann");
    scene.clock.goTo(HOUR_MS - 1);
    await tick(scene.entry);
    assert.equal((await findConfig(scene.entry, scene.eventId))?.status, "Open");
    scene.clock.goTo(HOUR_MS);
    await tick(scene.entry);
    const config = await findConfig(scene.entry, scene.eventId);
    assert.deepEqual([config?.status, config?.closedByTime], ["Closed", true]);
    assert.equal((await findTickets(scene.entry, scene.eventId))?.closed, true);
  });

  test("settles a line whose messages went astray, and tells the registry", async () => {
    const scene = await open({ capacityTotal: 1 });
    const [ann] = await scene.enter("ann", "bob");
    await tick(scene.entry);
    await checkPlaces(scene);
    assert.deepEqual(await scene.told(), [
      {
        type: "places.given",
        eventId: scene.eventId,
        places: [{ place: 1, requestId: ann.requestId, userId: "ann" }],
      },
    ]);
  });

  test("voids a ticket at the end of the line that nobody came for", async () => {
    const scene = await open();
    await scene.enter("ann");
    await scene.loseTickets(1);
    await tick(scene.entry);
    assert.deepEqual((await scene.blocks()).at(-1), [2, 1, true]);
    assert.equal((await scene.capacity()).voided, 1);
  });

  test("gives a freed place on when the process that freed it died", async () => {
    const scene = await open({ capacityTotal: 1 });
    const [ann] = await scene.enter("ann", "bob");
    await scene.settle();
    let writes = 0;
    const table = tableWith(scene.entry.table, {
      write: async (_, go) => {
        writes += 1;
        if (writes > 1) throw new Error("killed");
        await go();
      },
    });
    await cancelParticipation(scene.open({ table }), ann);
    await tick(scene.entry);
    await checkPlaces(scene);
    assert.equal((await scene.requests())[1]?.status, "SUCCEEDED");
  });

  test("sends what the registry was not told yet", async () => {
    const scene = await open();
    await scene.enter("ann");
    const messages = queueWith(scene.entry.messages, () => Promise.reject(new Error("the queue is away")));
    await assert.rejects(scene.settle(scene.open({ messages })), /the queue is away/);
    assert.deepEqual(await scene.told(), []);
    await tick(scene.entry);
    assert.equal((await scene.told()).length, 1);
    await tick(scene.entry);
    assert.deepEqual(await scene.told(), []);
  });

  test("leads lotteries on: freezes, draws and announces in their times", async () => {
    const scene = await open(LOTTERY);
    await scene.enter("ann", "bob", "cho");
    const phases: unknown[] = [];
    for (const inMs of [CUTOFF_MS - 1, CUTOFF_MS, ANNOUNCED_MS - 1, ANNOUNCED_MS]) {
      scene.clock.goTo(inMs);
      await tick(scene.entry);
      const [request] = await scene.requests();
      phases.push([(await findConfig(scene.entry, scene.eventId))?.status, request?.uiResult === "PENDING"]);
    }
    assert.deepEqual(phases, [
      ["Open", true],
      ["Closed", true],
      ["Closed", true],
      ["Announced", false],
    ]);
  });

  test("does not let one event that fails keep the others waiting", async () => {
    const scene = await open();
    await scene.enter("ann");
    const broken = "a-broken-one";
    await scene.entry.table.write([
      { put: { ...configKey(broken), eventType: "FIRST_COME", status: "Open", closesAt: 1 } },
      { put: { ...activeKey(broken), eventId: broken } },
    ]);
    const table = tableWith(scene.entry.table, {
      write: async (actions, go) => {
        if (JSON.stringify(actions).includes(broken)) throw new Error("broken");
        await go();
      },
    });
    await tick(scene.open({ table }));
    assert.match(String(scene.errors[0]), /broken/);
    assert.equal((await scene.requests())[0]?.status, "SUCCEEDED");
  });

  test("is done with an event when it is over and nobody is left in line", async () => {
    const scene = await open({ endsInMs: 2 * DAY_MS });
    await scene.enter("ann");
    scene.clock.goTo(2 * DAY_MS - 1);
    await tick(scene.entry);
    assert.deepEqual(await activeEvents(scene), [scene.eventId]);
    scene.clock.goTo(2 * DAY_MS);
    await tick(scene.entry);
    assert.deepEqual(await activeEvents(scene), []);
    await scene.change({ endsInMs: 3 * DAY_MS });
    assert.deepEqual(await activeEvents(scene), [scene.eventId]);
  });

  test("stays with a lottery that was never drawn, though its day is over", async () => {
    const scene = await open({ ...LOTTERY, beaconSource: "drand round 7", endsInMs: 2 * DAY_MS });
    await scene.enter("ann");
    scene.clock.goTo(3 * DAY_MS);
    await tick(scene.entry);
    assert.deepEqual(await activeEvents(scene), [scene.eventId]);
  });

  test("comes to all events, however many there are", async () => {
    const scene = await open();
    await scene.enter("ann");
    const gone = Array.from({ length: 130 }, (_, index) => `gone-${index}`);
    for (let from = 0; from < gone.length; from += 100) {
      const some = gone.slice(from, from + 100);
      await scene.entry.table.write(some.map((eventId) => ({ put: { ...activeKey(eventId), eventId } })));
    }
    await tick(scene.entry);
    assert.deepEqual(await activeEvents(scene), [scene.eventId]);
    assert.equal((await scene.requests())[0]?.status, "SUCCEEDED");
  });
});
