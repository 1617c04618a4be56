/** What a worker makes of messages: early, late, twice, for what is gone, and of what is no message at all. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkPlaces, type OpenScene, onEachEngine, type Scene } from "../../tests/harness/entry.ts";
import { until } from "../../tests/harness/entry-event.ts";
import { messageOf, queueWith, tableWith } from "../../tests/harness/entry-parts.ts";
import { systemClock } from "../platform/clock.ts";
import { ConditionFailed } from "../platform/condition-failed.ts";
import { closeEntry } from "./control.ts";
import { eventPartition, requestKey } from "./items.ts";
import { participationRequested } from "./message.ts";
import { settleParticipations } from "./worker.ts";

onEachEngine("a worker", (open) => {
  describe("with messages of requests in line", () => inLine(open));
  describe("with a message before its request is in line", () => early(open));
  describe("with a message of an event that is gone", () => gone(open));
  describe("with messages that say nothing", () => nothing(open));
});

/** A request whose message is in the queue, and whose process died then. */
async function leaveReceived(scene: Scene, userId: string): Promise<string> {
  const { promise: isSent, resolve } = Promise.withResolvers<void>();
  const send = async (bodies: string[]) => {
    await scene.entry.requests.send(bodies);
    resolve();
    await new Promise(() => {});
  };
  void scene.ask(userId, scene.open({ requests: queueWith(scene.entry.requests, send) }));
  await isSent;
  return scene.requestIdOf(userId);
}

function inLine(open: OpenScene): void {
  test("settles everybody in line, whichever message it got, and the same again changes nothing", async () => {
    const scene = await open({ capacityTotal: 1 });
    const [ann, bob] = await scene.enter("ann", "bob");
    assert.deepEqual(await scene.deliver([bob.requestId]), []);
    await checkPlaces(scene);
    const statuses = async () => (await scene.requests()).map(({ status }) => status);
    assert.deepEqual(await statuses(), ["SUCCEEDED", "REJECTED"]);
    const before = await scene.capacity();
    const both = [ann.requestId, bob.requestId];
    assert.deepEqual(await scene.deliver([...both, ...both]), []);
    assert.deepEqual(await scene.capacity(), before);
    assert.equal((await scene.steps(bob.requestId)).length, 3);
  });

  test("settles after the closing whoever stands in line", async () => {
    const scene = await open();
    const [ann] = await scene.enter("ann");
    await closeEntry(scene.entry, scene.eventId);
    assert.deepEqual(await scene.deliver([ann.requestId]), []);
    assert.equal((await scene.request(ann.requestId)).status, "SUCCEEDED");
  });

  test("is done with a lottery's messages before the draw", async () => {
    const scene = await open({ eventType: "LOTTERY" });
    const [ann] = await scene.enter("ann");
    assert.deepEqual(await scene.deliver([ann.requestId]), []);
    assert.equal((await scene.request(ann.requestId)).status, "QUEUED");
  });

  test("leaves the messages of a line that is too busy, to come again soon", async () => {
    const scene = await open();
    const [ann] = await scene.enter("ann");
    const table = tableWith(scene.entry.table, { write: () => Promise.reject(new ConditionFailed([{ action: 0 }])) });
    const busy = settleParticipations(scene.open({ table }));
    const message = messageOf(scene.clock, participationRequested(ann));
    assert.deepEqual(await busy([message]), [{ id: message.id, reason: "The line is busy.", retryInMs: 500 }]);
  });

  test("leaves all messages of an event whose table fails, and does those of others", async () => {
    const scene = await open();
    const [ann] = await scene.enter("ann");
    const failing = tableWith(scene.entry.table, { write: () => Promise.reject(new Error("the table is away")) });
    const handler = settleParticipations(scene.open({ table: failing }));
    const mine = messageOf(scene.clock, participationRequested(ann));
    const stranger = { requestId: scene.entry.newRequestId(), eventId: "another" };
    const others = messageOf(scene.clock, participationRequested(stranger));
    assert.deepEqual(await handler([mine, others]), [{ id: mine.id, reason: "the table is away" }]);
  });
}

function early(open: OpenScene): void {
  test("waits a moment for the ticket", async () => {
    const scene = await open();
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    const { promise: isSent, resolve } = Promise.withResolvers<void>();
    const send = async (bodies: string[]) => {
      await scene.entry.requests.send(bodies);
      resolve();
      await held;
    };
    const asking = scene.ask("ann", scene.open({ requests: queueWith(scene.entry.requests, send) }));
    await isSent;
    const requestId = await scene.requestIdOf("ann");
    let looks = 0;
    const sleep = async (ms: number) => {
      looks += 1;
      letGo();
      await asking;
      await scene.clock.sleep(ms);
    };
    const worker = settleParticipations(scene.open({ clock: { ...scene.clock, sleep } }));
    const body = participationRequested({ requestId, eventId: scene.eventId });
    assert.deepEqual(await worker([messageOf(scene.clock, body)]), []);
    assert.equal(looks, 1);
    assert.equal((await scene.request(requestId)).status, "SUCCEEDED");
  });

  test("lets it come again while its process may be only slow", async () => {
    const scene = await open();
    const requestId = await leaveReceived(scene, "ann");
    const [failure, ...others] = await scene.deliver([requestId]);
    assert.deepEqual([failure?.reason, failure?.retryInMs, others], ["Its request has no ticket yet.", 2000, []]);
    assert.equal((await scene.request(requestId)).status, "RECEIVED");
  });

  test("gives the ticket itself when its process has died, without a second message", async () => {
    const scene = await open();
    const requestId = await leaveReceived(scene, "ann");
    const before = await scene.entry.requests.depth();
    assert.deepEqual(await scene.deliver([requestId, requestId], 2000), []);
    const { status, ticket } = await scene.request(requestId);
    assert.deepEqual([status, ticket], ["SUCCEEDED", 1]);
    assert.deepEqual(await scene.entry.requests.depth(), before);
    const again = await scene.ask("ann");
    assert.deepEqual([again.request.requestId, again.request.ticket, again.duplicate], [requestId, 1, true]);
  });

  test("two workers that adopt it at once give it one ticket; what is left over is void", async () => {
    const scene = await open();
    const requestId = await leaveReceived(scene, "ann");
    const body = participationRequested({ requestId, eventId: scene.eventId });
    const workers = [scene.entry, scene.open(), scene.open()].map(settleParticipations);
    const failures = await Promise.all(workers.map((worker) => worker([messageOf(scene.clock, body, 2000)])));
    assert.deepEqual(failures.flat(), []);
    await scene.settle();
    const { status, ticket } = await scene.request(requestId);
    const mine = (await scene.blocks()).filter(([, , who]) => who !== true);
    assert.deepEqual([status, mine], ["SUCCEEDED", [[ticket, 1, [requestId]]]]);
    await checkPlaces(scene);
  });

  test("says so when entries have closed meanwhile, and is done with it", async () => {
    const scene = await open();
    const requestId = await leaveReceived(scene, "ann");
    await closeEntry(scene.entry, scene.eventId);
    assert.deepEqual(await scene.deliver([requestId], 2000), []);
    const { status, resultCode, errorCode } = await scene.request(requestId);
    assert.deepEqual([status, resultCode, errorCode], ["FAILED_FINAL", "FAILED_VALIDATION", "participation.closed"]);
  });

  test("lets it come again when adopting it fails", async () => {
    const scene = await open();
    const requestId = await leaveReceived(scene, "ann");
    const table = tableWith(scene.entry.table, { update: () => Promise.reject(new Error("the table is away")) });
    const message = messageOf(scene.clock, participationRequested({ requestId, eventId: scene.eventId }), 2000);
    assert.deepEqual(await settleParticipations(scene.open({ table }))([message]), [
      { id: message.id, reason: "the table is away" },
    ]);
    assert.deepEqual(await scene.deliver([requestId], 2000), []);
    assert.equal((await scene.request(requestId)).status, "SUCCEEDED");
  });

  test("brings a request on by the queue alone, whoever died", async () => {
    const scene = await open();
    const requestId = await leaveReceived(scene, "ann");
    const consumer = scene.entry.requests.consume(settleParticipations(scene.open({ clock: systemClock })));
    await until(async () => (await scene.request(requestId)).status === "SUCCEEDED");
    await consumer.stop();
  });
}

function gone(open: OpenScene): void {
  test("fails for good whatever has no result, and says why", async () => {
    const scene = await open();
    const received = await leaveReceived(scene, "ann");
    const [bob] = await scene.enter("bob");
    const [cho] = await scene.enter("cho");
    const settled = { update: requestKey(cho.requestId), set: { status: "SUCCEEDED" } };
    await scene.entry.table.write([settled]);
    scene.vanish();
    const line = await scene.items(eventPartition(scene.eventId));
    await scene.entry.table.write(line.map(({ PK, SK }) => ({ delete: { PK, SK } })));
    const ids = [received, bob.requestId, cho.requestId];
    assert.deepEqual(await scene.deliver(ids), []);
    const seen = await Promise.all(ids.map(async (id) => scene.request(id)));
    assert.deepEqual(
      seen.map(({ status, resultCode, failureClass, errorCode }) => [status, resultCode, failureClass, errorCode]),
      [
        ["FAILED_FINAL", "FAILED_VALIDATION", "NON_RETRYABLE", "event.removed"],
        ["FAILED_FINAL", "FAILED_VALIDATION", "NON_RETRYABLE", "event.removed"],
        ["SUCCEEDED", undefined, undefined, undefined],
      ],
    );
    assert.deepEqual(await scene.steps(received), ["RECEIVED FAILED_FINAL"]);
    assert.deepEqual(await scene.steps(bob.requestId), ["RECEIVED QUEUED", "QUEUED FAILED_FINAL"]);
  });

  test("asks again when the registry can't be asked, rather than failing anybody", async () => {
    const scene = await open();
    const requestId = scene.entry.newRequestId();
    const facts = { eventForEntry: () => Promise.reject(new Error("the registry is away")) };
    const message = messageOf(scene.clock, participationRequested({ requestId, eventId: scene.eventId }));
    const failures = await settleParticipations(scene.open({ facts }))([message]);
    assert.deepEqual(failures, [{ id: message.id, reason: "the registry is away" }]);
  });
}

function nothing(open: OpenScene): void {
  test("sends them to the dead letters, and does the others beside them", async () => {
    const scene = await open();
    const [ann] = await scene.enter("ann");
    const { requestId, eventId } = ann;
    const bodies = [
      "no JSON at all",
      "null",
      "[]",
      "{}",
      JSON.stringify({ type: "participation.requested", requestId: "short", eventId }),
      JSON.stringify({ type: "participation.requested", requestId, eventId: "no/id" }),
      JSON.stringify({ type: "something.else", requestId, eventId }),
    ];
    const bad = bodies.map((body) => messageOf(scene.clock, body));
    const good = messageOf(scene.clock, participationRequested({ requestId, eventId }));
    const failures = await settleParticipations(scene.entry)([...bad, good]);
    const reason = "It is no message about a request for a place.";
    assert.deepEqual(
      failures,
      bad.map(({ id }) => ({ id, reason, retryInMs: 0 })),
    );
    assert.equal((await scene.request(requestId)).status, "SUCCEEDED");
  });

  test("is done with a request that nobody knows", async () => {
    const scene = await open();
    await scene.enter("ann");
    assert.deepEqual(await scene.deliver([scene.entry.newRequestId()], 60_000), []);
  });
}
