/** Asking for a place: on time, early and late, once and again, in one process and in several. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type OpenScene, onEachEngine, type Scene } from "../../tests/harness/entry.ts";
import { DAY_MS, drain, queueWith, tableWith } from "../../tests/harness/entry-parts.ts";
import { refusedWith } from "../platform/contracts/refused.ts";
import { Problem } from "../platform/problem.ts";
import { closeEntry, openEntry, pauseEntry } from "./control.ts";
import type { Entry } from "./entry.ts";
import { lockKey } from "./items.ts";
import { requestParticipation } from "./participate.ts";

/** Refused, and nothing is left of it. */
async function turnedAway(scene: Scene, code: string): Promise<void> {
  const before = await scene.entry.requests.depth();
  await refusedWith(code, scene.ask("zoe"));
  assert.equal(await scene.item(lockKey(scene.eventId, "zoe")), undefined);
  assert.deepEqual(await scene.entry.requests.depth(), before);
}

onEachEngine("asking for a place", (open) => {
  describe("whoever asks in time", () => onTime(open));
  describe("whoever asks again", () => again(open));
  describe("whoever asks while nobody can enter", () => notNow(open));
  describe("whoever asks after a process died", () => afterDeath(open));
});

function onTime(open: OpenScene): void {
  test("stands in line when they get their answer, in the order of asking", async () => {
    const scene = await open();
    const answers = [await scene.ask("ann"), await scene.ask("bob"), await scene.ask("cho")];
    const seen = answers.map(({ request, duplicate }) => [request.userId, request.status, request.ticket, duplicate]);
    assert.deepEqual(seen, [
      ["ann", "QUEUED", 1, false],
      ["bob", "QUEUED", 2, false],
      ["cho", "QUEUED", 3, false],
    ]);
    for (const { request } of answers) {
      const { status, ticket, queuedAt } = await scene.request(request.requestId);
      assert.deepEqual([status, ticket, queuedAt], ["QUEUED", request.ticket, request.queuedAt]);
    }
  });

  test("has a message in the queue before a ticket", async () => {
    const scene = await open();
    const { requests } = scene.entry;
    let atSending: unknown[] = [];
    const send = async (bodies: string[]) => {
      const { status, ticket, queuedAt, GSI2PK } = await scene.request(await scene.requestIdOf("ann"));
      atSending = [status, ticket, queuedAt, GSI2PK];
      await requests.send(bodies);
    };
    const { request } = await scene.ask("ann", scene.open({ requests: queueWith(scene.entry.requests, send) }));
    assert.deepEqual(atSending, ["RECEIVED", undefined, undefined, undefined]);
    const sent = (await drain(requests)).map(({ body }) => JSON.parse(body));
    const { requestId, eventId } = request;
    assert.deepEqual(sent, [{ type: "participation.requested", requestId, eventId }]);
  });

  test("has a time that is later for every later ticket, whatever the processes' clocks say", async () => {
    const scene = await open();
    const now = scene.clock.now();
    const ahead = scene.open({ clock: { ...scene.clock, now: () => now + 5000 } });
    const times = [
      (await scene.ask("ann")).request,
      (await scene.ask("bob")).request,
      (await scene.ask("cho", ahead)).request,
      (await scene.ask("dan")).request,
    ].map(({ ticket, queuedAt }) => [ticket, (queuedAt as number) - now]);
    assert.deepEqual(times, [
      [1, 0],
      [2, 1],
      [3, 5000],
      [4, 5001],
    ]);
  });

  test("finds entries open by hand before their time", async () => {
    const scene = await open({ opensInMs: 60_000 });
    await openEntry(scene.entry, scene.eventId);
    assert.equal((await scene.ask("ann")).request.ticket, 1);
  });
}

function again(open: OpenScene): void {
  test("gets the same request, with its ticket, and is told so", async () => {
    const scene = await open();
    const first = await scene.ask("ann");
    await scene.ask("bob");
    scene.clock.move(60_000);
    for (const process of [scene.entry, scene.open()]) {
      const { request, duplicate } = await scene.ask("ann", process);
      assert.equal(duplicate, true);
      assert.deepEqual(
        [request.requestId, request.ticket, request.queuedAt],
        [first.request.requestId, 1, first.request.queuedAt],
      );
    }
    assert.equal((await scene.requests()).length, 2);
  });

  test("while the first click is still on its way, shares its answer and its error without a write", async () => {
    const scene = await open();
    let sends = 0;
    let isBroken = false;
    const requests = queueWith(scene.entry.requests, async (bodies) => {
      if (isBroken) throw new Error("The queue is away.");
      sends += bodies.length;
      await scene.entry.requests.send(bodies);
    });
    let writes = 0;
    const table = tableWith(scene.entry.table, {
      write: (_, go) => {
        writes += 1;
        return go();
      },
    });
    const process = scene.open({ requests, table });
    // The first of all also writes what the registry says of the event.
    const alone = await scene.ask("ann", process);
    writes = 0;
    const answers = await Promise.all([1, 2, 3].map(() => scene.ask("bob", process)));
    assert.deepEqual([sends, writes], [2, 2]);
    assert.deepEqual(
      answers.map(({ request, duplicate }) => [request.ticket, duplicate]),
      [
        [2, false],
        [2, true],
        [2, true],
      ],
    );
    assert.notEqual(alone.request.requestId, answers[0]?.request.requestId);
    isBroken = true;
    const asked = [1, 2].map(() => scene.ask("cho", process));
    for (const each of asked) await refusedWith("participation.not-queued", each);
    assert.equal(process.asking.size, 0);
  });

  test("at the same time, in this process and in another, has one request and one ticket", async () => {
    const scene = await open();
    const processes = [scene.entry, scene.open(), scene.open()];
    const clicks = Array.from({ length: 15 }, (_, index) => processes[index % 3] as Entry);
    const answers = await Promise.all(clicks.map((process) => scene.ask("ann", process)));
    assert.equal(new Set(answers.map(({ request }) => request.requestId)).size, 1);
    assert.equal(answers.filter(({ duplicate }) => !duplicate).length, 1);
    assert.deepEqual(
      (await scene.requests()).map(({ requestId }) => requestId),
      [answers[0]?.request.requestId],
    );
    assert.ok(answers.every(({ request }) => request.ticket === answers[0]?.request.ticket));
  });

  test("after the result, a pause or the closing still gets their request", async () => {
    const scene = await open({ capacityTotal: 1 });
    const [ann, bob] = await scene.enter("ann", "bob");
    await scene.settle();
    const answers = async () =>
      (await Promise.all([scene.ask("ann"), scene.ask("bob")])).map(({ request, duplicate }) => [
        request.requestId,
        request.status,
        duplicate,
      ]);
    const wanted = [
      [ann.requestId, "SUCCEEDED", true],
      [bob.requestId, "REJECTED", true],
    ];
    assert.deepEqual(await answers(), wanted);
    await pauseEntry(scene.entry, scene.eventId);
    assert.deepEqual(await answers(), wanted);
    await closeEntry(scene.entry, scene.eventId);
    assert.deepEqual(await answers(), wanted);
  });

  test("when the lock of long ago has expired, has a new request", async () => {
    const scene = await open();
    const [first] = await scene.enter("ann");
    const expireIn = (seconds: number) => {
      const ttl = Math.floor(scene.clock.now() / 1000) + seconds;
      return scene.entry.table.write([{ update: lockKey(scene.eventId, "ann"), set: { ttl } }]);
    };
    await expireIn(60);
    assert.equal((await scene.ask("ann")).duplicate, true);
    await expireIn(-1);
    const second = await scene.ask("ann");
    assert.deepEqual([second.duplicate, second.request.ticket], [false, 2]);
    assert.notEqual(second.request.requestId, first.requestId);
    assert.equal(await scene.requestIdOf("ann"), second.request.requestId);
  });
}

function notNow(open: OpenScene): void {
  test("is told when entries open", async () => {
    const scene = await open({ opensInMs: 60_000 });
    await turnedAway(scene, "participation.not-open");
    const refusal = await scene.ask("zoe").catch((error) => error);
    assert.ok(refusal instanceof Problem);
    assert.deepEqual([refusal.httpStatus, refusal.retryInMs], [409, 60_000]);
    assert.deepEqual(refusal.details, { opensAt: scene.beganAt + 60_000 });
    scene.clock.move(59_999);
    await turnedAway(scene, "participation.not-open");
    scene.clock.move(1);
    assert.equal((await scene.ask("zoe")).request.ticket, 1);
  });

  test("is told that entries are closed, from that millisecond on", async () => {
    const scene = await open({ closesInMs: 60_000 });
    scene.clock.move(59_999);
    await scene.enter("ann");
    scene.clock.move(1);
    await turnedAway(scene, "participation.closed");
  });

  test("is told that entries are closed when the race is over, if nothing else closed them", async () => {
    const scene = await open({ endsInMs: DAY_MS });
    scene.clock.goTo(DAY_MS - 1);
    await scene.enter("ann");
    scene.clock.goTo(DAY_MS);
    await turnedAway(scene, "participation.closed");
  });

  test("is told that a lottery is closed, from its cutoff on", async () => {
    const scene = await open({ eventType: "LOTTERY", cutoffInMs: 60_000 });
    scene.clock.move(59_999);
    await scene.enter("ann");
    scene.clock.move(1);
    await turnedAway(scene, "participation.closed");
  });

  test("is told that entries were closed by hand, in another process too", async () => {
    const scene = await open();
    await scene.enter("ann");
    await closeEntry(scene.open(), scene.eventId);
    scene.clock.move(1000);
    await turnedAway(scene, "participation.closed");
  });

  test("is told of a pause, and enters when it is over", async () => {
    const scene = await open();
    await pauseEntry(scene.entry, scene.eventId);
    await turnedAway(scene, "participation.paused");
    await openEntry(scene.entry, scene.eventId);
    assert.equal((await scene.ask("zoe")).request.ticket, 1);
  });

  test("finds no event that is a draft, unknown, gone, or takes no entries", async () => {
    await turnedAway(await open({ published: false }), "event.not-found");
    const scene = await open();
    await refusedWith("event.not-found", requestParticipation(scene.entry, { eventId: "another", userId: "zoe" }));
    const facts = { eventForEntry: async (eventId: string) => ({ ...(await found(scene, eventId)), entry: null }) };
    await refusedWith("event.not-found", scene.ask("zoe", scene.open({ facts })));
    scene.vanish();
    await turnedAway(scene, "event.not-found");
  });
}

async function found({ entry }: Scene, eventId: string) {
  const event = await entry.facts.eventForEntry(eventId);
  assert.ok(event);
  return event;
}

function afterDeath(open: OpenScene): void {
  /** A process that dies while it sends: the request is RECEIVED, and nobody leads it on. */
  const leaveReceived = async (scene: Scene): Promise<string> => {
    const { promise: sending, resolve: isSending } = Promise.withResolvers<void>();
    const send = () => {
      isSending();
      return new Promise<never>(() => {});
    };
    void scene.ask("ann", scene.open({ requests: queueWith(scene.entry.requests, send) }));
    await sending;
    return scene.requestIdOf("ann");
  };

  test("brings their request on from where it was left, once it is sure that nobody else does", async () => {
    const scene = await open();
    const requestId = await leaveReceived(scene);
    const { request, duplicate } = await scene.ask("ann");
    assert.deepEqual([request.requestId, request.ticket, duplicate], [requestId, 1, true]);
    assert.ok((request.queuedAt as number) - scene.beganAt >= 2000, "it was not left alone for two seconds");
    assert.equal((await drain(scene.entry.requests)).length, 1);
  });

  test("is told that entries are closed meanwhile", async () => {
    const scene = await open({ closesInMs: 60_000 });
    await leaveReceived(scene);
    scene.clock.move(60_000);
    await refusedWith("participation.closed", scene.ask("ann"));
  });

  test("waits for a process that is only slow, instead of taking a second ticket", async () => {
    const scene = await open();
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    const { promise: sending, resolve: isSending } = Promise.withResolvers<void>();
    const send = async (bodies: string[]) => {
      isSending();
      await held;
      await scene.entry.requests.send(bodies);
    };
    const slow = scene.ask("ann", scene.open({ requests: queueWith(scene.entry.requests, send) }));
    await sending;
    let looks = 0;
    const sleep = async (ms: number) => {
      looks += 1;
      if (looks === 3) letGo();
      await (looks < 3 ? scene.clock.sleep(ms) : slow);
    };
    const other = await scene.ask("ann", scene.open({ clock: { ...scene.clock, sleep } }));
    assert.deepEqual([other.request.requestId, other.request.ticket], [(await slow).request.requestId, 1]);
    assert.equal(looks, 3);
    assert.equal((await scene.requests()).length, 1);
  });
}
