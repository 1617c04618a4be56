/** From RECEIVED to QUEUED: alone and in a burst, with a queue that refuses, and when entries close on the way. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type OpenScene, onEachEngine, peopleNamed, type Scene } from "../../tests/harness/entry.ts";
import { drain, queueWith, tableWith } from "../../tests/harness/entry-parts.ts";
import { refusedWith } from "../platform/contracts/refused.ts";
import type { Action } from "../platform/ports.ts";
import { closeEntry, openEntry } from "./control.ts";
import type { Entry } from "./entry.ts";
import { type BlockItem, eventPartition, type RequestItem } from "./items.ts";

async function ask(scene: Scene, userId: string, process?: Entry): Promise<RequestItem> {
  return (await scene.ask(userId, process)).request;
}

const isClaim = (actions: Action[]) =>
  actions.some((action) => "put" in action && action.put.SK.startsWith("TICKET#") && !action.put.voided);

onEachEngine("lining up", (open) => {
  describe("in a burst", () => inBurst(open));
  describe("with a queue that refuses", () => refused(open));
  describe("when entries close on the way", () => closedOnTheWay(open));
});

function inBurst(open: OpenScene): void {
  test("everybody gets one ticket, and many share a write", async () => {
    const scene = await open();
    let claims = 0;
    let sends = 0;
    const { table, requests } = scene.entry;
    const process = scene.open({
      table: tableWith(table, {
        write: (actions, go) => {
          if (isClaim(actions)) claims += 1;
          return go();
        },
      }),
      requests: queueWith(requests, (bodies) => {
        sends += 1;
        return requests.send(bodies);
      }),
    });
    const entered = await Promise.all(peopleNamed(150).map((userId) => ask(scene, userId, process)));
    const tickets = entered.map(({ ticket }) => ticket as number).toSorted((a, b) => a - b);
    assert.deepEqual(
      tickets,
      Array.from({ length: 150 }, (_, index) => index + 1),
    );
    assert.ok(claims < 15 && sends < 10, `${claims} claims and ${sends} sends for 150 people`);
    assert.equal(new Set((await drain(requests)).map(({ body }) => body)).size, 150);
  });

  test("a claim has at most 49 tickets, one after the other, and names whose they are", async () => {
    const scene = await open();
    await scene.crowd(120);
    const blocks = (await scene.items(eventPartition(scene.eventId), "TICKET#")) as BlockItem[];
    let next = 1;
    const owners: string[] = [];
    for (const { SK, first, count, requestIds = [], queuedAt } of blocks) {
      assert.equal(SK, `TICKET#${String(next).padStart(10, "0")}`);
      assert.deepEqual([first, requestIds.length], [next, count]);
      assert.ok(count <= 49 && typeof queuedAt === "number");
      owners.push(...requestIds);
      next += count;
    }
    const requests = await scene.requests();
    assert.deepEqual(
      owners,
      requests.map(({ requestId }) => requestId),
    );
  });

  test("the index has everybody in the order of tickets, also from several processes", async () => {
    const scene = await open();
    const processes = [scene.entry, scene.open(), scene.open()];
    await Promise.all(peopleNamed(90).map((userId, index) => ask(scene, userId, processes[index % 3])));
    const found = await scene.entry.table.query({
      index: "GSI2",
      partition: eventPartition(scene.eventId),
      limit: 200,
    });
    const tickets = found.items.map(({ ticket }) => ticket as number);
    assert.equal(new Set(tickets).size, 90);
    assert.deepEqual(
      tickets,
      tickets.toSorted((a, b) => a - b),
    );
    const times = found.items.map(({ queuedAt }) => queuedAt as number);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
  });
}

function refused(open: OpenScene): void {
  /** Refuses so often, then sends. */
  const refusing = (scene: Scene, times: number) => {
    let tries = 0;
    const { requests } = scene.entry;
    const send = async (bodies: string[]) => {
      tries += 1;
      if (tries <= times) throw new Error("the queue is away");
      await requests.send(bodies);
    };
    return { process: scene.open({ requests: queueWith(requests, send) }), tries: () => tries };
  };

  test("a request fails for good, and the entrant may try again", async () => {
    const scene = await open();
    const { process, tries } = refusing(scene, 3);
    await refusedWith("participation.not-queued", ask(scene, "ann", process));
    assert.equal(tries(), 3);
    const requestId = await scene.requestIdOf("ann");
    const { status, uiResult, resultCode, failureClass, errorCode, errorMessage, finishedAt, ticket, GSI1PK, GSI2PK } =
      await scene.request(requestId);
    assert.deepEqual(
      [status, uiResult, resultCode, failureClass, errorCode],
      ["FAILED_FINAL", "FAILED", "FAILED_INGEST_ENQUEUE", "RETRYABLE", "participation.not-queued"],
    );
    assert.ok(typeof errorMessage === "string" && errorMessage.length <= 256);
    assert.equal(finishedAt, scene.clock.now());
    assert.deepEqual([ticket, GSI1PK, GSI2PK], [undefined, undefined, undefined]);
    const [step, ...more] = await scene.log(requestId);
    assert.deepEqual([step?.fromStatus, step?.toStatus, more], ["RECEIVED", "FAILED_FINAL", []]);
    assert.match(String(scene.errors[0]), /the queue is away/);
  });

  test("asking again leads the same request on, and nothing of the failure is left", async () => {
    const scene = await open();
    const { process } = refusing(scene, 3);
    await refusedWith("participation.not-queued", ask(scene, "ann", process));
    const requestId = await scene.requestIdOf("ann");
    const { request, duplicate } = await scene.ask("ann", process);
    assert.deepEqual([request.requestId, request.ticket, duplicate], [requestId, 1, true]);
    const stored = await scene.request(requestId);
    assert.deepEqual([stored.status, stored.uiResult, stored.ticket], ["QUEUED", "PENDING", 1]);
    for (const name of ["resultCode", "failureClass", "errorCode", "errorMessage", "finishedAt"]) {
      assert.equal(stored[name], undefined, name);
    }
    await scene.settle();
    assert.deepEqual(await scene.steps(requestId), [
      "RECEIVED FAILED_FINAL",
      "FAILED_FINAL RECEIVED",
      "RECEIVED QUEUED",
      "QUEUED PROCESSING",
      "PROCESSING SUCCEEDED",
    ]);
    assert.equal((await scene.requests()).length, 1);
  });

  test("asking again many times at once leads it on once", async () => {
    const scene = await open();
    const { process } = refusing(scene, 3);
    await refusedWith("participation.not-queued", ask(scene, "ann", process));
    const processes = [process, scene.open(), scene.open()];
    const again = await Promise.all(
      Array.from({ length: 9 }, (_, index) => ask(scene, "ann", processes[index % 3] as Entry)),
    );
    assert.equal(new Set(again.map(({ requestId, ticket }) => `${requestId} ${ticket}`)).size, 1);
    assert.equal((await scene.requests()).length, 1);
  });

  test("a queue that comes back in time is not noticed", async () => {
    const scene = await open();
    const { process, tries } = refusing(scene, 2);
    assert.equal((await ask(scene, "ann", process)).ticket, 1);
    assert.equal(tries(), 3);
    assert.deepEqual(scene.errors, []);
  });
}

function closedOnTheWay(open: OpenScene): void {
  /** Entries close after the message is sent, before there is a ticket. */
  const closing = (scene: Scene) =>
    scene.open({
      requests: queueWith(scene.entry.requests, async (bodies) => {
        await scene.entry.requests.send(bodies);
        await closeEntry(scene.entry, scene.eventId);
      }),
    });

  test("nobody gets a ticket any more, and the request says why", async () => {
    const scene = await open();
    await refusedWith("participation.closed", ask(scene, "ann", closing(scene)));
    const requestId = await scene.requestIdOf("ann");
    const { status, resultCode, failureClass, errorCode, ticket } = await scene.request(requestId);
    assert.deepEqual(
      [status, resultCode, failureClass, errorCode, ticket],
      ["FAILED_FINAL", "FAILED_VALIDATION", "RETRYABLE", "participation.closed", undefined],
    );
    assert.deepEqual(
      (await scene.log(requestId)).map(({ toStatus, message }) => [toStatus, message]),
      [["FAILED_FINAL", "Entries for this event are closed."]],
    );
    await refusedWith("participation.closed", ask(scene, "ann"));
    assert.deepEqual(await scene.deliver([requestId], 10_000), []);
    assert.equal((await scene.request(requestId)).status, "FAILED_FINAL");
  });

  test("when entries open again, the same request goes on", async () => {
    const scene = await open();
    await refusedWith("participation.closed", ask(scene, "ann", closing(scene)));
    await openEntry(scene.entry, scene.eventId);
    const again = await ask(scene, "ann");
    assert.deepEqual([again.requestId, again.ticket], [await scene.requestIdOf("ann"), 1]);
  });

  test("a closing time that comes on the way closes too", async () => {
    const scene = await open({ closesInMs: 60_000 });
    const send = async (bodies: string[]) => {
      await scene.entry.requests.send(bodies);
      scene.clock.move(60_000);
    };
    await refusedWith(
      "participation.closed",
      ask(scene, "ann", scene.open({ requests: queueWith(scene.entry.requests, send) })),
    );
    assert.deepEqual(await scene.blocks(), []);
  });
}
