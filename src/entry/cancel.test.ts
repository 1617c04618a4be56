/** Giving a place back, and whom it goes to: until when, by whom, and what the log says of it. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkPlaces, type OpenScene, onEachEngine, type Scene } from "../../tests/harness/entry.ts";
import { HOUR_MS, tableWith } from "../../tests/harness/entry-parts.ts";
import { refusedWith } from "../platform/contracts/refused.ts";
import { cancelParticipation } from "./cancel.ts";
import type { Entry } from "./entry.ts";
import type { RequestItem } from "./items.ts";

onEachEngine("giving a place back", (open) => {
  describe("in time", () => inTime(open));
  describe("refused", () => refused(open));
  describe("by many at once, and by processes that die", () => atOnce(open));
  describe("and places that are added", () => added(open));
});

function cancel({ entry }: Scene, { requestId, userId }: RequestItem, process: Entry = entry): Promise<RequestItem> {
  return cancelParticipation(process, { requestId, userId });
}

const results = async ({ requests }: Scene) =>
  (await requests()).map(({ userId, status, resultCode, place }) => [userId, status, resultCode, place]);

function inTime(open: OpenScene): void {
  test("the next in line gets it, under a number of its own, and both logs say why", async () => {
    const scene = await open({ capacityTotal: 2 });
    const [ann, bob, cho] = await scene.enter("ann", "bob", "cho", "dan");
    await scene.settle();
    scene.clock.move(60_000);
    const answer = await cancel(scene, ann);
    assert.deepEqual([answer.status, answer.resultCode, answer.place], ["REJECTED", "CANCELLED", undefined]);
    assert.deepEqual([answer.uiResult, answer.cancelledAt], ["REJECTED", scene.clock.now()]);
    assert.deepEqual(await results(scene), [
      ["ann", "REJECTED", "CANCELLED", undefined],
      ["bob", "SUCCEEDED", "SUCCESS", 2],
      ["cho", "SUCCEEDED", "SUCCESS", 3],
      ["dan", "REJECTED", "REJECTED_CAPACITY", undefined],
    ]);
    const given = (await scene.log(ann.requestId)).at(-1);
    assert.deepEqual(
      [given?.fromStatus, given?.toStatus, given?.message],
      ["SUCCEEDED", "REJECTED", "Gave the place back."],
    );
    const got = (await scene.log(cho.requestId)).at(-1);
    assert.deepEqual(
      [got?.fromStatus, got?.toStatus, got?.message],
      ["REJECTED", "SUCCEEDED", "Ticket 1 gave its place back. Ticket 3 was next in line."],
    );
    const { promotedAt, finishedAt } = await scene.request(cho.requestId);
    assert.deepEqual([promotedAt, finishedAt], [scene.clock.now(), scene.clock.now()]);
    assert.equal((await scene.request(bob.requestId)).promotedAt, undefined);
    await checkPlaces(scene);
  });

  test("the registry hears who gave back and who got", async () => {
    const scene = await open({ capacityTotal: 1 });
    const [ann, bob] = await scene.enter("ann", "bob");
    await scene.settle();
    await scene.told();
    await cancel(scene, ann);
    assert.deepEqual(await scene.told(), [
      { type: "place.returned", eventId: scene.eventId, requestId: ann.requestId },
      {
        type: "places.given",
        eventId: scene.eventId,
        places: [{ place: 2, requestId: bob.requestId, userId: "bob" }],
      },
    ]);
  });

  test("twice is once", async () => {
    const scene = await open({ capacityTotal: 1 });
    const [ann] = await scene.enter("ann", "bob", "cho");
    await scene.settle();
    const first = await cancel(scene, ann);
    scene.clock.move(60_000);
    assert.deepEqual(await cancel(scene, ann), first);
    const { cancelled, capacityRemaining } = await scene.capacity();
    assert.deepEqual([cancelled, capacityRemaining], [1, 0]);
    assert.equal((await scene.steps(ann.requestId)).length, 4);
    await checkPlaces(scene);
  });

  test("with nobody waiting, it is kept for who comes next; who gave it back stays without", async () => {
    const scene = await open({ capacityTotal: 1 });
    const [ann] = await scene.enter("ann");
    await scene.settle();
    await cancel(scene, ann);
    assert.equal((await scene.capacity()).capacityRemaining, 1);
    const again = await scene.ask("ann");
    assert.deepEqual([again.duplicate, again.request.resultCode], [true, "CANCELLED"]);
    await scene.enter("bob", "cho");
    await scene.settle();
    assert.deepEqual(await results(scene), [
      ["ann", "REJECTED", "CANCELLED", undefined],
      ["bob", "SUCCEEDED", "SUCCESS", 2],
      ["cho", "REJECTED", "REJECTED_CAPACITY", undefined],
    ]);
  });

  test("who waits goes before who comes later, though both are in line", async () => {
    const scene = await open({ capacityTotal: 1 });
    const [ann] = await scene.enter("ann", "bob");
    await scene.settle();
    await scene.enter("cho");
    await cancel(scene, ann);
    assert.deepEqual((await results(scene)).slice(1), [
      ["bob", "SUCCEEDED", "SUCCESS", 2],
      ["cho", "REJECTED", "REJECTED_CAPACITY", undefined],
    ]);
  });

  test("steps of one millisecond leave a log item each, in their order", async () => {
    const scene = await open({ capacityTotal: 1 });
    const [ann, bob] = await scene.enter("ann", "bob");
    await scene.settle();
    await cancel(scene, ann);
    await cancel(scene, bob);
    const passed = ["RECEIVED QUEUED", "QUEUED PROCESSING"];
    assert.deepEqual(await scene.steps(ann.requestId), [...passed, "PROCESSING SUCCEEDED", "SUCCEEDED REJECTED"]);
    assert.deepEqual(await scene.steps(bob.requestId), [
      ...passed,
      "PROCESSING REJECTED",
      "REJECTED SUCCEEDED",
      "SUCCEEDED REJECTED",
    ]);
    assert.ok(scene.clock.now() - scene.beganAt < 10);
  });
}

function refused(open: OpenScene): void {
  test("who has no place can't give one back", async () => {
    const scene = await open({ capacityTotal: 1 });
    const [ann, bob] = await scene.enter("ann", "bob");
    await refusedWith("participation.no-place", cancel(scene, ann));
    await scene.settle();
    await refusedWith("participation.no-place", cancel(scene, bob));
    assert.deepEqual(await results(scene), [
      ["ann", "SUCCEEDED", "SUCCESS", 1],
      ["bob", "REJECTED", "REJECTED_CAPACITY", undefined],
    ]);
  });

  test("another's place is nobody else's to give", async () => {
    const scene = await open();
    const [ann] = await scene.enter("ann");
    await scene.settle();
    await refusedWith("request.not-found", cancel(scene, { ...ann, userId: "bob" }));
    const unknown = { ...ann, requestId: scene.entry.newRequestId() };
    await refusedWith("request.not-found", cancel(scene, unknown));
    assert.equal((await scene.request(ann.requestId)).status, "SUCCEEDED");
  });

  test("at the deadline it is too late, a millisecond before it is not", async () => {
    const scene = await open({ cancelInMs: HOUR_MS });
    const [ann, bob] = await scene.enter("ann", "bob");
    await scene.settle();
    scene.clock.goTo(HOUR_MS - 1);
    await cancel(scene, ann);
    scene.clock.move(1);
    await refusedWith("participation.too-late-to-cancel", cancel(scene, bob));
    // Asking again what was done in time is no error.
    assert.equal((await cancel(scene, ann)).resultCode, "CANCELLED");
  });

  test("without a deadline it is the start of the event's day", async () => {
    const scene = await open({ endsInMs: 24 * HOUR_MS + 1000 });
    const [ann, bob] = await scene.enter("ann", "bob");
    await scene.settle();
    scene.clock.goTo(999);
    await cancel(scene, ann);
    scene.clock.move(1);
    await refusedWith("participation.too-late-to-cancel", cancel(scene, bob));
  });
}

function atOnce(open: OpenScene): void {
  test("ten at once give ten places, each to the next in line", async () => {
    const scene = await open({ capacityTotal: 30 });
    await scene.crowd(60);
    await scene.settle();
    const entered = await scene.requests();
    const processes = [scene.entry, scene.open(), scene.open()];
    const giving = entered.slice(5, 15);
    await Promise.all(giving.map((request, index) => cancel(scene, request, processes[index % 3] as Entry)));
    await scene.settle();
    await checkPlaces(scene);
    const { cancelled, rejected, placesGiven, capacityRemaining } = await scene.capacity();
    assert.deepEqual([cancelled, rejected, placesGiven, capacityRemaining], [10, 20, 40, 0]);
    const promoted = (await scene.requests()).slice(30, 40);
    const logs = await Promise.all(promoted.map(async ({ requestId }) => (await scene.log(requestId)).at(-1)?.message));
    const reasons = logs.map((message) =>
      /^Ticket (\d+) gave its place back\. Ticket (\d+) was next/.exec(message ?? ""),
    );
    assert.deepEqual(
      reasons.map((reason) => Number(reason?.[2])),
      promoted.map(({ ticket }) => ticket),
    );
    assert.deepEqual(
      reasons.map((reason) => Number(reason?.[1])).toSorted((a, b) => a - b),
      giving.map(({ ticket }) => ticket),
    );
  });

  test("the same place given back by many clicks is one place", async () => {
    const scene = await open({ capacityTotal: 1 });
    const [ann] = await scene.enter("ann", "bob", "cho");
    await scene.settle();
    const processes = [scene.entry, scene.open(), scene.open()];
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, index) => cancel(scene, ann, processes[index % 3] as Entry)),
    );
    assert.ok(answers.every(({ resultCode }) => resultCode === "CANCELLED"));
    assert.equal((await scene.capacity()).cancelled, 1);
    await checkPlaces(scene);
  });

  test("when the process dies before the place goes on, the next look at the line gives it on", async () => {
    const scene = await open({ capacityTotal: 1 });
    const [ann, bob] = await scene.enter("ann", "bob");
    await scene.settle();
    let writes = 0;
    const table = tableWith(scene.entry.table, {
      write: async (_, go) => {
        writes += 1;
        if (writes > 1) throw new Error("killed");
        await go();
      },
    });
    const answer = await cancel(scene, ann, scene.open({ table }));
    assert.equal(answer.resultCode, "CANCELLED");
    assert.match(String(scene.errors[0]), /killed/);
    assert.equal((await scene.request(bob.requestId)).status, "REJECTED");
    await scene.settle();
    await checkPlaces(scene);
    assert.equal((await scene.request(bob.requestId)).status, "SUCCEEDED");
  });
}

function added(open: OpenScene): void {
  test("the next in line get them, and the log says that the capacity was raised", async () => {
    const scene = await open({ capacityTotal: 1 });
    const [, bob, cho] = await scene.enter("ann", "bob", "cho", "dan");
    await scene.settle();
    await scene.change({ capacityTotal: 3 });
    assert.deepEqual(
      (await results(scene)).map(([, status, , place]) => [status, place]),
      [
        ["SUCCEEDED", 1],
        ["SUCCEEDED", 2],
        ["SUCCEEDED", 3],
        ["REJECTED", undefined],
      ],
    );
    for (const [request, ticket] of [
      [bob, 2],
      [cho, 3],
    ] as const) {
      const message = `The capacity was raised to 3. Ticket ${ticket} was next in line.`;
      assert.equal((await scene.log(request.requestId)).at(-1)?.message, message);
    }
    await checkPlaces(scene);
  });

  test("more than a transaction holds go out all the same, past void tickets and who gave back", async () => {
    const scene = await open({ capacityTotal: 2 });
    const [ann] = await scene.enter("ann");
    await scene.loseTickets(3);
    await scene.crowd(130);
    await scene.settle();
    await cancel(scene, ann);
    await scene.change({ capacityTotal: 120 });
    await checkPlaces(scene);
    assert.equal((await scene.capacity()).capacityRemaining, 0);
    assert.equal((await scene.requests()).filter(({ status }) => status === "SUCCEEDED").length, 120);
  });
}
