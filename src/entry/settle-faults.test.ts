/** Settling a line when workers are killed in between, and when a ticket's owner died before claiming it. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkPlaces, type OpenScene, onEachEngine, type Scene } from "../../tests/harness/entry.ts";
import { tableWith } from "../../tests/harness/entry-parts.ts";
import type { Action } from "../platform/ports.ts";
import { blockKey } from "./items.ts";

onEachEngine("settling", (open) => {
  describe("interrupted", () => interrupted(open));
  describe("at a ticket that nobody claimed", () => gaps(open));
});

const results = async ({ requests }: Scene) =>
  (await requests()).map(({ userId, ticket, status, place }) => [userId, ticket, status, place]);

function interrupted(open: OpenScene): void {
  const isStart = (actions: Action[]) =>
    actions.some((action) => "update" in action && action.set?.status === "PROCESSING");
  const isResult = (actions: Action[]) =>
    actions.some((action) => "update" in action && action.set?.status === "SUCCEEDED");
  const dying = (scene: Scene, when: (actions: Action[]) => boolean, isDone: boolean) =>
    scene.open({
      table: tableWith(scene.entry.table, {
        write: async (actions, go) => {
          if (!when(actions) || isDone) await go();
          if (when(actions)) throw new Error("killed");
        },
      }),
    });

  const cases = [
    { name: "before the start", when: isStart, isDone: false, left: "QUEUED" },
    { name: "after the start, before the result", when: isStart, isDone: true, left: "PROCESSING" },
    { name: "at the result", when: isResult, isDone: false, left: "PROCESSING" },
    { name: "after the result", when: isResult, isDone: true, left: "SUCCEEDED" },
  ];
  for (const { name, when, isDone, left } of cases) {
    test(`${name}, another worker goes on, and everybody is settled once`, async () => {
      const scene = await open({ capacityTotal: 1 });
      const [ann, bob] = await scene.enter("ann", "bob");
      await assert.rejects(scene.settle(dying(scene, when, isDone)), /killed/);
      assert.equal((await scene.request(ann.requestId)).status, left);
      assert.equal((await scene.capacity()).capacityRemaining, left === "SUCCEEDED" ? 0 : 1);
      assert.equal(await scene.settle(), true);
      assert.deepEqual(await results(scene), [
        ["ann", 1, "SUCCEEDED", 1],
        ["bob", 2, "REJECTED", undefined],
      ]);
      assert.deepEqual(await scene.steps(bob.requestId), [
        "RECEIVED QUEUED",
        "QUEUED PROCESSING",
        "PROCESSING REJECTED",
      ]);
      assert.deepEqual(await scene.told(), [
        {
          type: "places.given",
          eventId: scene.eventId,
          places: [{ place: 1, requestId: ann.requestId, userId: "ann" }],
        },
      ]);
    });
  }
}

function gaps(open: OpenScene): void {
  test("the line waits a second, then voids it for everybody to see, and goes on", async () => {
    const scene = await open({ capacityTotal: 1 });
    await scene.enter("ann");
    await scene.loseTickets(1);
    await scene.enter("cho");
    await scene.change({ capacityTotal: 2 });
    assert.deepEqual(await results(scene), [
      ["ann", 1, "SUCCEEDED", 1],
      ["cho", 3, "SUCCEEDED", 2],
    ]);
    const block = await scene.item(blockKey(scene.eventId, "TICKET", 2));
    assert.deepEqual([block?.first, block?.count, block?.voided], [2, 1, true]);
    const waitedMs = (block?.voidedAt as number) - scene.beganAt;
    assert.ok(waitedMs >= 1000 && waitedMs < 2000, `it waited ${waitedMs} ms`);
    const { voided, head, placesGiven } = await scene.capacity();
    assert.deepEqual([voided, head, placesGiven], [1, 4, 2]);
  });

  test("many at once, in the middle and at the end, are all voided", async () => {
    const scene = await open({ capacityTotal: 2 });
    await scene.enter("ann");
    await scene.loseTickets(120);
    await scene.enter("bob");
    await scene.loseTickets(3);
    assert.equal(await scene.settle(), true);
    const blocks = await scene.blocks();
    assert.equal(blocks.filter(([, , who]) => who === true).length, 123);
    const { voided, head } = await scene.capacity();
    assert.deepEqual([voided, head], [123, 126]);
    await checkPlaces(scene);
    await scene.enter("cho");
    await scene.settle();
    assert.deepEqual((await results(scene)).at(-1), ["cho", 126, "REJECTED", undefined]);
  });

  test("an owner who claims while the line waits keeps it", async () => {
    const scene = await open({ capacityTotal: 1 });
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    const { promise: claiming, resolve: claims } = Promise.withResolvers<void>();
    const table = tableWith(scene.entry.table, {
      write: async (actions, go) => {
        if (actions.some((action) => "put" in action && action.put.SK.startsWith("TICKET#"))) {
          claims();
          await held;
        }
        await go();
      },
    });
    const slow = scene.ask("ann", scene.open({ table }));
    await claiming;
    await scene.enter("bob");
    let looks = 0;
    const sleep = async (ms: number) => {
      looks += 1;
      if (looks === 5) letGo();
      await (looks === 5 ? slow : scene.clock.sleep(ms));
    };
    await scene.settle(scene.open({ clock: { ...scene.clock, sleep } }));
    assert.equal(looks, 5);
    assert.deepEqual(await results(scene), [
      ["ann", 1, "SUCCEEDED", 1],
      ["bob", 2, "REJECTED", undefined],
    ]);
    assert.equal((await scene.capacity()).voided, 0);
  });
}
