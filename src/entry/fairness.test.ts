/** The look at a line finds what is unfair in it, shares its walks, and sees a line that nobody settles. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { FIRST_COME, makeEntryEvent, untilSettled } from "../../tests/harness/entry-event.ts";
import { openDatabases, type TestProgram } from "../../tests/harness/program.ts";
import { readPages } from "../../tests/harness/registry.ts";
import type { Table } from "../platform/ports.ts";
import type { Entry } from "./entry.ts";
import { createFairness } from "./fairness.ts";
import { capacityKey, requestKey } from "./items.ts";
import { settleLine } from "./settle.ts";
import { takeTickets } from "./tickets.ts";

type Standing = { requestId: string; userId: string };

describe("fairness", () => {
  let program: TestProgram;
  let entry: Entry;
  let close = async () => {};
  before(async () => {
    const databases = await openDatabases("PGlite");
    close = databases.close;
    // Lines are settled when a test says so.
    program = await databases.open({ SNAPRACE_RATE_LIMIT: "100000", SNAPRACE_WORKERS: "off" });
    entry = program.entry.entry;
  });
  after(() => close());

  const makeSettled = async (capacityTotal: number, people: number) => {
    const event = await makeEntryEvent(program, { ...FIRST_COME, capacityTotal });
    await Promise.all(Array.from({ length: people }, (_, index) => event.enter(`runner-${index}`)));
    await settleLine(entry, event.eventId);
    await untilSettled(event);
    const pages = await readPages<Standing>(event.organizer, `/admin/events/${event.eventId}/requests`, 200);
    const line = pages.flat();
    return { ...event, requestIds: line.map(({ requestId }) => requestId), first: line[0]?.userId ?? "" };
  };
  const change = (requestId: string | undefined, set: { [name: string]: string | number }) =>
    entry.table.update({ update: requestKey(requestId ?? ""), set });

  /** The same, but every read of items is counted, and may be waited for. */
  function counting(onRead: () => Promise<void> = async () => {}) {
    const counted = { batches: 0 };
    const batchGet: Table["batchGet"] = async (keys) => {
      counted.batches += 1;
      const items = await entry.table.batchGet(keys);
      await onRead();
      return items;
    };
    const table = new Proxy(entry.table, {
      get: (target, name) => {
        if (name === "batchGet") return batchGet;
        const member = target[name as keyof Table];
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
    return { counted, fairness: createFairness({ ...entry, table }) };
  }

  test("counts everybody who lost their place to somebody behind them", async () => {
    const { eventId, requestIds } = await makeSettled(2, 6);
    const read = async () => (await createFairness(entry).read(eventId)).inversions;
    assert.equal(await read(), 0);
    await change(requestIds[5], { status: "SUCCEEDED", resultCode: "SUCCESS" });
    assert.equal(await read(), 3);
    await change(requestIds[0], { status: "REJECTED", resultCode: "REJECTED_CAPACITY" });
    assert.equal(await read(), 4);
    await change(requestIds[0], { status: "REJECTED", resultCode: "CANCELLED" });
    assert.equal(await read(), 3);
  });

  test("takes nobody for a loser who got a place while the walk went on", async () => {
    const { eventId, requestIds } = await makeSettled(1, 600);
    let isFirst = true;
    const { fairness } = counting(async () => {
      if (!isFirst) return;
      isFirst = false;
      // As if all of them had got places that came free, between the first batch of the walk and the next.
      for (const id of requestIds) await change(id, { status: "SUCCEEDED", resultCode: "SUCCESS" });
    });
    const { inversions, checkedRequests } = await fairness.read(eventId);
    assert.deepEqual([inversions, checkedRequests], [0, 600]);
  });

  test("walks once for all who ask, and not again before the line moves", async () => {
    const { eventId, requestIds, first } = await makeSettled(2, 4);
    const { counted, fairness } = counting();
    const answers = await Promise.all([1, 2, 3].map(() => fairness.read(eventId)));
    assert.equal(new Set(answers.map(({ checkedAt }) => checkedAt)).size, 1);
    assert.equal(counted.batches, 1);
    await fairness.read(eventId);
    assert.equal(counted.batches, 1);
    await program.as({ userId: first })("POST", `/requests/${requestIds[0]}/cancellation`);
    for (const pausedAt = Date.now(); counted.batches === 1 && Date.now() < pausedAt + 10_000; )
      await fairness.read(eventId);
    assert.equal(counted.batches, 2);
  });

  test("tries again after a walk that failed", async () => {
    const { eventId } = await makeSettled(1, 2);
    let isBroken = true;
    const { fairness } = counting(async () => {
      if (isBroken) throw new Error("The table is away.");
    });
    await assert.rejects(fairness.read(eventId), { message: "The table is away." });
    isBroken = false;
    assert.equal((await fairness.read(eventId)).checkedRequests, 2);
  });

  test("sees who waits in a line that nobody settles, though it does not move", async () => {
    const event = await makeEntryEvent(program, FIRST_COME);
    const fairness = createFairness(entry);
    assert.equal((await fairness.read(event.eventId)).oldestUnsettledTicket, null);
    await event.enter("ann", "bob");
    const waiting = await fairness.read(event.eventId);
    assert.deepEqual([waiting.oldestUnsettledTicket, waiting.checkedRequests], [1, 0]);
    assert.ok((waiting.oldestUnsettledAgeMs ?? -1) >= 0);
    await settleLine(entry, event.eventId);
    assert.equal((await fairness.read(event.eventId)).oldestUnsettledTicket, null);
  });

  test("shows tickets that nobody came for", async () => {
    const event = await makeEntryEvent(program, FIRST_COME);
    await event.enter("ann");
    const config = (await event.get("/entry")).body;
    const { first } = await takeTickets(entry, config, {
      eventId: event.eventId,
      count: 120,
      notBefore: Date.now() + 1,
    });
    await event.enter("bob");
    await settleLine(entry, event.eventId);
    const { voidedTickets, voidedCount, checkedRequests } = await createFairness(entry).read(event.eventId);
    assert.deepEqual([first, voidedCount, checkedRequests], [2, 120, 2]);
    assert.deepEqual(
      voidedTickets,
      Array.from({ length: 100 }, (_, index) => index + 2),
    );
    const { voided } = (await entry.table.get(capacityKey(event.eventId))) as { voided?: number };
    assert.equal(voided, 120);
  });

  test("measures the lag by those who were settled in their turn", async () => {
    const { eventId, requestIds } = await makeSettled(2, 4);
    const { queuedAt = 0 } = (await entry.table.get(requestKey(requestIds[2] ?? ""))) as { queuedAt?: number };
    for (const [index, requestId] of requestIds.entries()) {
      await change(requestId, { queuedAt, finishedAt: queuedAt + 100 * (index + 1) });
    }
    const read = async () => (await createFairness(entry).read(eventId)).settleLagMs;
    assert.deepEqual(await read(), { median: 300, max: 400 });
    await change(requestIds[3], { cancelledAt: queuedAt + 5 });
    assert.deepEqual(await read(), { median: 200, max: 300 });
    await change(requestIds[2], { promotedAt: queuedAt + 300 });
    assert.deepEqual(await read(), { median: 200, max: 200 });
  });
});
