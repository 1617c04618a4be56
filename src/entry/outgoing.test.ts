/** Messages to the registry: kept with the change they tell of, sent at least once, each place under one number. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { onEachEngine, type Scene } from "../../tests/harness/entry.ts";
import { drain, queueWith, tableWith } from "../../tests/harness/entry-parts.ts";
import { cancelParticipation } from "./cancel.ts";
import type { EntryMessage } from "./events.ts";
import { type ConfigItem, eventPartition } from "./items.ts";
import { carryOutgoing, outgoingPut } from "./outgoing.ts";

const waiting = ({ items, eventId }: Scene) => items(eventPartition(eventId), "OUTGOING#");

const placesIn = (told: EntryMessage[]) =>
  told.flatMap((message) => (message.type === "places.given" ? message.places : []));

onEachEngine("what the registry is told", (open) => {
  test("waits in the table, with the result, until the queue has it", async () => {
    const scene = await open({ capacityTotal: 1 });
    const [ann] = await scene.enter("ann", "bob");
    const away = queueWith(scene.entry.messages, () => Promise.reject(new Error("the queue is away")));
    await assert.rejects(scene.settle(scene.open({ messages: away })), /the queue is away/);
    const places = [{ place: 1, requestId: ann.requestId, userId: "ann" }];
    const message = { type: "places.given", eventId: scene.eventId, places };
    assert.deepEqual(
      (await waiting(scene)).map((item) => item.message),
      [message],
    );
    assert.equal((await scene.request(ann.requestId)).status, "SUCCEEDED");
    await carryOutgoing(scene.entry, scene.eventId);
    assert.deepEqual(await scene.told(), [message]);
    assert.deepEqual(await waiting(scene), []);
    await carryOutgoing(scene.entry, scene.eventId);
    assert.deepEqual(await scene.told(), []);
  });

  test("is sent again, the same, when the process died before forgetting it", async () => {
    const scene = await open();
    await scene.enter("ann");
    const table = tableWith(scene.entry.table, {
      write: async (actions, go) => {
        if (actions.some((action) => "delete" in action)) throw new Error("killed");
        await go();
      },
    });
    await assert.rejects(scene.settle(scene.open({ table })), /killed/);
    const first = await scene.told();
    await scene.settle();
    assert.equal(first.length, 1);
    assert.deepEqual(await scene.told(), first);
  });

  test("goes out however much has gathered, by several processes at once", async () => {
    const scene = await open();
    await scene.enter("ann");
    const config = { endsAt: scene.beganAt } as ConfigItem;
    const messages = Array.from({ length: 60 }, (_, index) => ({
      type: "place.returned" as const,
      eventId: scene.eventId,
      requestId: `request-${String(index).padStart(2, "0")}`,
    }));
    const puts = messages.map((message, index) => outgoingPut(config, message, 1000 + index));
    await scene.entry.table.write(puts);
    await Promise.all([scene.entry, scene.open()].map((process) => carryOutgoing(process, scene.eventId)));
    const told = new Set((await scene.told()).map((message) => JSON.stringify(message)));
    assert.deepEqual([...told].toSorted(), messages.map((message) => JSON.stringify(message)).toSorted());
    assert.deepEqual(await waiting(scene), []);
  });

  test("gives each place number once, to one request, through all that happens to a line", async () => {
    const scene = await open({ capacityTotal: 5 });
    await scene.crowd(40);
    const workers = Array.from({ length: 3 }, () => scene.open());
    await Promise.all(workers.map((worker) => scene.settle(worker)));
    const winners = (await scene.requests()).slice(0, 3);
    await Promise.all(winners.map((request) => cancelParticipation(scene.entry, request)));
    await scene.change({ capacityTotal: 12 });
    const told = await scene.told();
    const given = new Map(placesIn(told).map(({ place, requestId }) => [place, requestId]));
    assert.equal(new Set(placesIn(told).map(({ place, requestId }) => `${place} ${requestId}`)).size, given.size);
    assert.deepEqual(
      [...given.keys()].toSorted((a, b) => a - b),
      Array.from({ length: 15 }, (_, index) => index + 1),
    );
    for (const { requestId, place, status } of await scene.requests()) {
      if (status === "SUCCEEDED") assert.equal(given.get(place as number), requestId);
    }
    const returned = told.flatMap((message) => (message.type === "place.returned" ? [message.requestId] : []));
    assert.deepEqual(returned.toSorted(), winners.map(({ requestId }) => requestId).toSorted());
  });

  test("says nothing of who got no place", async () => {
    const scene = await open({ capacityTotal: 1 });
    await scene.enter("ann", "bob", "cho");
    await scene.settle();
    assert.deepEqual(
      placesIn(await scene.told()).map(({ userId }) => userId),
      ["ann"],
    );
    assert.equal((await drain(scene.entry.messages)).length, 0);
  });
});
