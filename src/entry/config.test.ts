/** An event's entry as it is made from the registry's settings, and as it follows them. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { checkPlaces, type OpenScene, onEachEngine, type Scene } from "../../tests/harness/entry.ts";
import { drawOf, LOTTERY } from "../../tests/harness/entry-lottery.ts";
import { DAY_MS, HOUR_MS, tableWith } from "../../tests/harness/entry-parts.ts";
import { ConditionFailed } from "../platform/condition-failed.ts";
import { refusedWith } from "../platform/contracts/refused.ts";
import { applySettings, findConfig, freedFor, readConfig } from "./config.ts";
import { closeEntry } from "./control.ts";
import { activeKey, eventPartition, ticketsKey } from "./items.ts";
import { tick } from "./schedule.ts";

onEachEngine("an event's entry", (open) => {
  describe("when it is first asked for", () => made(open));
  describe("when its settings change", () => changed(open));
  describe("when its capacity changes", () => resized(open));
});

function made(open: OpenScene): void {
  test("is made from the settings, and named among the events to look after", async () => {
    const scene = await open({ capacityTotal: 3, closesInMs: DAY_MS, cancelInMs: HOUR_MS });
    const { beganAt, eventId } = scene;
    const config = await readConfig(scene.entry, eventId);
    assert.deepEqual(config, {
      PK: `EVENT#${eventId}`,
      SK: "CONFIG",
      eventType: "FIRST_COME",
      orgId: "han-river",
      published: true,
      capacityTotal: 3,
      opensAt: beganAt - HOUR_MS,
      closesAt: beganAt + DAY_MS,
      cancelUntil: beganAt + HOUR_MS,
      endsAt: beganAt + 31 * DAY_MS,
      revision: 1,
      status: "Open",
    });
    const { capacityTotal, capacityRemaining, updatedAt, entityType } = await scene.capacity();
    assert.deepEqual([entityType, capacityTotal, capacityRemaining, updatedAt], ["CAPACITY", 3, 3, beganAt]);
    assert.equal((await scene.item(ticketsKey(eventId)))?.next, 1);
    assert.equal((await scene.item(activeKey(eventId)))?.eventId, eventId);
  });

  test("of a lottery has its times and one draw, however many ask at once", async () => {
    const scene = await open({ ...LOTTERY, beaconSource: "drand round 7" });
    const processes = Array.from({ length: 6 }, () => scene.open());
    const configs = await Promise.all(processes.map((process) => readConfig(process, scene.eventId)));
    const { lotteryCutoffAt, announcedAt, closesAt } = configs[0] ?? {};
    const { beganAt } = scene;
    assert.deepEqual([lotteryCutoffAt, announcedAt, closesAt], [beganAt + HOUR_MS, beganAt + 2 * HOUR_MS, undefined]);
    const { seed, beaconSource } = await drawOf(scene);
    assert.equal(beaconSource, "drand round 7");
    await readConfig(scene.open(), scene.eventId);
    assert.equal((await drawOf(scene)).seed, seed);
    assert.deepEqual(new Set(configs.map(({ revision }) => revision)), new Set([1]));
  });

  test("is not made for an event that is unknown or takes no entries", async () => {
    const scene = await open();
    scene.vanish();
    await refusedWith("event.not-found", readConfig(scene.entry, scene.eventId));
    assert.equal(await applySettings(scene.entry, scene.eventId), undefined);
    assert.deepEqual(await scene.items(eventPartition(scene.eventId)), []);
    assert.equal(await scene.item(activeKey(scene.eventId)), undefined);
  });
}

function changed(open: OpenScene): void {
  test("has the new ones, and nothing of those that are gone", async () => {
    const scene = await open({ closesInMs: DAY_MS, cancelInMs: HOUR_MS });
    await scene.enter("ann");
    await scene.change({ closesInMs: undefined, opensInMs: -1, published: false, cancelInMs: 2 * HOUR_MS });
    const config = await findConfig(scene.entry, scene.eventId);
    assert.ok(config);
    const { closesAt, opensAt, published, cancelUntil, status, revision } = config;
    const { beganAt } = scene;
    assert.deepEqual([closesAt, opensAt, cancelUntil], [undefined, beganAt - 1, beganAt + 2 * HOUR_MS]);
    assert.deepEqual([published, status, revision], [false, "Open", 2]);
    await refusedWith("event.not-found", scene.ask("bob"));
  });

  test("never goes back to what another process read before", async () => {
    const scene = await open({ capacityTotal: 1 });
    const event = await scene.entry.facts.eventForEntry(scene.eventId);
    const late = scene.open({ facts: { eventForEntry: async () => event } });
    await scene.enter("ann");
    await scene.change({ capacityTotal: 5 });
    const config = await applySettings(late, scene.eventId);
    assert.deepEqual([config?.capacityTotal, config?.revision], [5, 2]);
    assert.equal((await scene.capacity()).capacityTotal, 5);
  });

  test("never goes back either when that process was between reading and writing", async () => {
    const scene = await open({ capacityTotal: 1 });
    await scene.enter("ann");
    let writes = 0;
    const table = tableWith(scene.entry.table, {
      write: async (_, go) => {
        writes += 1;
        if (writes === 1) await scene.change({ capacityTotal: 7 });
        await go();
      },
    });
    const event = await scene.entry.facts.eventForEntry(scene.eventId);
    assert.ok(event);
    const read = [{ ...event, entry: scene.settingsAfter({ capacityTotal: 4 }), revision: event.revision + 0.5 }];
    const facts = { eventForEntry: async (id: string) => read.pop() ?? scene.entry.facts.eventForEntry(id) };
    await applySettings(scene.open({ table, facts }), scene.eventId);
    assert.equal(writes, 1);
    const config = await findConfig(scene.entry, scene.eventId);
    assert.deepEqual([config?.capacityTotal, (await scene.capacity()).capacityTotal], [7, 7]);
  });

  test("opens again what was closed by its time when the time is moved, not what was closed by hand", async () => {
    const scene = await open({ closesInMs: HOUR_MS });
    await scene.enter("ann");
    scene.clock.goTo(HOUR_MS);
    await tick(scene.entry);
    await refusedWith("participation.closed", scene.ask("bob"));
    await scene.change({ closesInMs: 2 * HOUR_MS });
    assert.equal((await scene.ask("bob")).request.ticket, 2);
    await closeEntry(scene.entry, scene.eventId);
    await scene.change({ closesInMs: 3 * HOUR_MS });
    await refusedWith("participation.closed", scene.ask("cho"));
  });

  test("may become a lottery, which then has a draw with its beacon; and first-come again", async () => {
    const scene = await open();
    await scene.change({});
    await scene.change({ ...LOTTERY, beaconSource: "drand round 7" });
    const { seed, beaconSource } = await drawOf(scene);
    assert.equal(beaconSource, "drand round 7");
    await scene.change({ beaconSource: "drand round 8" });
    assert.deepEqual([(await drawOf(scene)).seed, (await drawOf(scene)).beaconSource], [seed, "drand round 8"]);
    await scene.change({ beaconSource: undefined });
    assert.equal((await drawOf(scene)).beaconSource, undefined);
    const [ann] = await scene.enter("ann");
    assert.deepEqual([ann.eventType, ann.uiPhase], ["LOTTERY", "COLLECTING"]);
    const other = await open(LOTTERY);
    await other.change({});
    await other.change({ eventType: "FIRST_COME" });
    const config = await findConfig(other.entry, other.eventId);
    assert.deepEqual(
      [config?.eventType, config?.lotteryCutoffAt, config?.announcedAt],
      ["FIRST_COME", undefined, undefined],
    );
  });

  test("gives up when the line is always busier", async () => {
    const scene = await open();
    await scene.change({});
    const table = tableWith(scene.entry.table, { write: () => Promise.reject(new ConditionFailed([{ action: 0 }])) });
    const event = await scene.entry.facts.eventForEntry(scene.eventId);
    const facts = { eventForEntry: async () => event && { ...event, revision: 9 } };
    await refusedWith("entry.busy", applySettings(scene.open({ table, facts }), scene.eventId));
  });
}

function resized(open: OpenScene): void {
  const capacityOf = async (scene: Scene) => {
    const { capacityTotal, capacityRemaining } = await scene.capacity();
    return [capacityTotal, capacityRemaining];
  };

  test("fewer places are left, but none that is taken goes away", async () => {
    const scene = await open({ capacityTotal: 10 });
    await scene.enter("ann", "bob", "cho");
    await scene.settle();
    await scene.change({ capacityTotal: 5 });
    assert.deepEqual(await capacityOf(scene), [5, 2]);
    await scene.change({ capacityTotal: 1 });
    assert.deepEqual(await capacityOf(scene), [3, 0]);
    await scene.enter("dan");
    await scene.settle();
    await checkPlaces(scene);
  });

  test("while a line is settled by many, everything still adds up", async () => {
    const scene = await open({ capacityTotal: 10 });
    await scene.crowd(100);
    const workers = Array.from({ length: 3 }, () => scene.open());
    const settling = Promise.all(workers.map((worker) => scene.settle(worker)));
    for (const capacityTotal of [20, 30, 45, 60]) await scene.change({ capacityTotal });
    await settling;
    await scene.settle();
    assert.deepEqual(await capacityOf(scene), [60, 0]);
    await checkPlaces(scene);
  });
}

describe("what is known of freed places", () => {
  const freedPlaces = fc.array(fc.record({ why: fc.string(), count: fc.integer({ min: 1, max: 5 }) }), {
    maxLength: 40,
  });
  const each = (freed: { why: string; count: number }[]) =>
    freed.flatMap(({ why, count }) => Array.from({ length: count }, () => why));

  test("is the end of what it was: as many as places are left, the oldest forgotten first", () => {
    fc.assert(
      fc.property(freedPlaces, fc.integer({ min: 0, max: 250 }), (freed, remaining) => {
        const before = each(freed);
        assert.deepEqual(each(freedFor(freed, remaining)), before.slice(Math.max(before.length - remaining, 0)));
      }),
    );
  });

  test("does not grow without end", () => {
    const freed = Array.from({ length: 80 }, (_, index) => ({ why: `${index}`, count: 1 }));
    assert.deepEqual(freedFor(freed, 1000), freed.slice(-50));
  });
});
