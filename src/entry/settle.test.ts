/** Settling a line: exactly N places in the order of tickets, with any number of workers. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkPlaces, type OpenScene, onEachEngine, peopleNamed, type Scene } from "../../tests/harness/entry.ts";
import { until } from "../../tests/harness/entry-event.ts";
import { tableWith } from "../../tests/harness/entry-parts.ts";
import { systemClock } from "../platform/clock.ts";
import type { Entry } from "./entry.ts";
import { requestKey } from "./items.ts";
import { settleParticipations } from "./worker.ts";

onEachEngine("settling", (open) => {
  describe("a line", () => aLine(open));
  describe("with many workers", () => manyWorkers(open));
});

const results = async ({ requests }: Scene) =>
  (await requests()).map(({ userId, ticket, status, place }) => [userId, ticket, status, place]);

function aLine(open: OpenScene): void {
  test("the first in line get the places, the others are told why not", async () => {
    const scene = await open({ capacityTotal: 2 });
    const [ann, bob, cho] = await scene.enter("ann", "bob", "cho");
    scene.clock.move(500);
    assert.equal(await scene.settle(), true);
    assert.deepEqual(await results(scene), [
      ["ann", 1, "SUCCEEDED", 1],
      ["bob", 2, "SUCCEEDED", 2],
      ["cho", 3, "REJECTED", undefined],
    ]);
    const now = scene.clock.now();
    const seen = await Promise.all([bob, cho].map((request) => scene.request(request.requestId)));
    assert.deepEqual(
      seen.map(({ uiResult, resultCode, startedAt, finishedAt }) => [uiResult, resultCode, startedAt, finishedAt]),
      [
        ["SUCCESS", "SUCCESS", now, now],
        ["REJECTED", "REJECTED_CAPACITY", now, now],
      ],
    );
    const log = await scene.log(cho.requestId);
    assert.deepEqual(
      log.map(({ fromStatus, toStatus, message }) => [fromStatus, toStatus, message]),
      [
        ["RECEIVED", "QUEUED", "Stands in line with ticket 3."],
        ["QUEUED", "PROCESSING", "Its turn has come."],
        ["PROCESSING", "REJECTED", "All places had gone to tickets before 3."],
      ],
    );
    assert.equal((await scene.log(ann.requestId)).at(-1)?.message, "Ticket 1 got a place.");
  });

  test("the line's own numbers follow", async () => {
    const scene = await open({ capacityTotal: 2 });
    await scene.enter("ann", "bob", "cho");
    await scene.settle();
    const { capacityTotal, capacityRemaining, updatedAt, head, startedTo, reserveFrom, placesGiven, rejected } =
      await scene.capacity();
    assert.deepEqual([capacityTotal, capacityRemaining, updatedAt], [2, 0, scene.clock.now()]);
    assert.deepEqual([head, startedTo, reserveFrom, placesGiven, rejected], [4, 4, 3, 2, 1]);
  });

  test("fewer people than places leave places over, also for who comes later", async () => {
    const scene = await open({ capacityTotal: 3 });
    await scene.enter("ann");
    await scene.settle();
    assert.equal((await scene.capacity()).capacityRemaining, 2);
    await scene.enter("bob", "cho", "dan");
    await scene.settle();
    assert.deepEqual(
      (await results(scene)).map(([, , status, place]) => [status, place]),
      [
        ["SUCCEEDED", 1],
        ["SUCCEEDED", 2],
        ["SUCCEEDED", 3],
        ["REJECTED", undefined],
      ],
    );
  });

  test("places and results are there together, after every single write", async () => {
    const scene = await open({ capacityTotal: 70 });
    await scene.crowd(160);
    const seen = new Set<string>();
    const table = tableWith(scene.entry.table, {
      write: async (_, go) => {
        await go();
        const { capacityTotal, capacityRemaining } = await scene.capacity();
        const statuses = (await scene.requests()).map(({ status }) => status);
        const taken = statuses.filter((status) => status === "SUCCEEDED").length;
        assert.equal(capacityTotal - capacityRemaining, taken);
        // Nobody is decided while somebody before them is not.
        const ranks = statuses.map((status) => ["SUCCEEDED", "REJECTED", "PROCESSING", "QUEUED"].indexOf(status));
        assert.deepEqual(ranks, ranks.toSorted());
        for (const status of statuses) seen.add(status);
      },
    });
    await scene.settle(scene.open({ table }));
    assert.deepEqual([...seen].toSorted(), ["PROCESSING", "QUEUED", "REJECTED", "SUCCEEDED"]);
    await checkPlaces(scene);
  });

  test("nobody in line changes nothing; a line that is not there, or gone, is not settled", async () => {
    const scene = await open();
    assert.equal(await scene.settle(), false);
    await scene.enter("ann");
    await scene.settle();
    const before = await scene.capacity();
    assert.equal(await scene.settle(), true);
    assert.deepEqual(await scene.capacity(), before);
  });

  test("a request that has expired in line takes no place", async () => {
    const scene = await open({ capacityTotal: 1 });
    const [ann] = await scene.enter("ann", "bob");
    await scene.entry.table.write([{ delete: requestKey(ann.requestId) }]);
    await scene.settle();
    assert.deepEqual(await results(scene), [["bob", 2, "SUCCEEDED", 1]]);
    assert.equal((await scene.capacity()).failed, 1);
  });
}

function manyWorkers(open: OpenScene): void {
  test("a line of 150 gives exactly its places, each once, in order", async () => {
    const scene = await open({ capacityTotal: 60 });
    await scene.crowd(150);
    const workers = Array.from({ length: 6 }, () => scene.open());
    await Promise.all(workers.map((worker) => scene.settle(worker)));
    await scene.settle();
    await checkPlaces(scene);
    const winners = (await scene.requests()).slice(0, 60);
    assert.deepEqual(
      winners.map(({ place }) => place),
      winners.map((_, index) => index + 1),
    );
    const steps = await Promise.all((await scene.requests()).map(({ requestId }) => scene.steps(requestId)));
    assert.ok(
      steps.every((each) => each.length === 3),
      "somebody was settled twice",
    );
  });

  test("people enter by two processes while three workers take messages from the queue", async () => {
    const scene = await open({ capacityTotal: 20 });
    const clock = systemClock;
    const apis = [scene.open({ clock }), scene.open({ clock })];
    const workers = Array.from({ length: 3 }, () => scene.open({ clock }));
    const { requests } = scene.entry;
    const consumers = workers.map((worker) => requests.consume(settleParticipations(worker), { batchSize: 10 }));
    const people = peopleNamed(90);
    const asked = await Promise.all(people.map((userId, index) => scene.ask(userId, apis[index % 2] as Entry)));
    await until(async () => {
      const { waiting, inFlight } = await requests.depth();
      return waiting + inFlight === 0;
    });
    await Promise.all(consumers.map((consumer) => consumer.stop()));
    const settled = await scene.requests();
    assert.equal(settled.length, 90);
    assert.ok(settled.every(({ status }) => status === "SUCCEEDED" || status === "REJECTED"));
    await checkPlaces(scene);
    for (const { request } of asked) assert.equal((await scene.request(request.requestId)).ticket, request.ticket);
    assert.deepEqual(await requests.peekDead(10), []);
  });

  test("in one process, whoever comes while it settles shares the round after it", async () => {
    const scene = await open({ capacityTotal: 5 });
    await scene.enter("ann");
    let transactions = 0;
    const table = tableWith(scene.entry.table, {
      write: (_, go) => {
        transactions += 1;
        return go();
      },
    });
    const worker = scene.open({ table });
    const first = scene.settle(worker);
    await Promise.all([first, ...Array.from({ length: 10 }, () => scene.settle(worker))]);
    // One to start, one to settle, one to forget what the registry was told.
    assert.equal(transactions, 3);
    assert.equal(worker.settling.size, 0);
  });
}
