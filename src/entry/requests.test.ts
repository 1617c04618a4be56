/** Finding requests again: one's own, an event's in the order of its line, and what happened to each. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { onEachEngine, type Scene } from "../../tests/harness/entry.ts";
import { queueWith } from "../../tests/harness/entry-parts.ts";
import { refusedWith } from "../platform/contracts/refused.ts";
import type { Page } from "../platform/ports.ts";
import { type RequestItem, requestKey } from "./items.ts";
import {
  findRequest,
  type ListAsk,
  listEventRequests,
  listOwnRequests,
  readEventRequests,
  readLog,
} from "./requests.ts";

/** All pages, and how many there were. */
async function pagesOf<T>(
  read: (cursor: string | undefined) => Promise<Page<T>>,
): Promise<{ items: T[]; sizes: number[] }> {
  const items: T[] = [];
  const sizes: number[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await read(cursor);
    items.push(...page.items);
    sizes.push(page.items.length);
    cursor = page.cursor;
    if (cursor === undefined) return { items, sizes };
  }
}

const ticketsOf = (items: RequestItem[]) => items.map(({ ticket }) => ticket);

async function listed(scene: Scene, ask: Omit<ListAsk, "cursor">) {
  const { items, sizes } = await pagesOf((cursor) => listEventRequests(scene.entry, scene.eventId, { ...ask, cursor }));
  return { tickets: ticketsOf(items), sizes };
}

/** The same person in an event of another name, as if they had entered it so long before. */
async function enterAnother({ entry, beganAt }: Scene, userId: string, agoMs: number): Promise<string> {
  const requestId = entry.newRequestId();
  const queuedAt = beganAt - agoMs;
  const sort = `QAT#${queuedAt}#REQ#${requestId}`;
  const keys = { GSI1PK: `USER#${userId}`, GSI1SK: sort, GSI2PK: "EVENT#another", GSI2SK: sort };
  await entry.table.write([{ put: { ...requestKey(requestId), requestId, userId, queuedAt, ...keys } }]);
  return requestId;
}

onEachEngine("requests", (open) => {
  test("are found by their owner, and by who may see all", async () => {
    const scene = await open();
    const [{ requestId }] = await scene.enter("ann");
    assert.equal((await findRequest(scene.entry, requestId, "ann")).ticket, 1);
    assert.equal((await findRequest(scene.entry, requestId)).userId, "ann");
    await refusedWith("request.not-found", findRequest(scene.entry, requestId, "bob"));
    await refusedWith("request.not-found", findRequest(scene.entry, scene.entry.newRequestId()));
  });

  test("of one person come newest first, page by page, and nobody else's with them", async () => {
    const scene = await open();
    const [{ requestId: last }] = await scene.enter("ann", "bob");
    const older = [];
    for (const agoMs of [1000, 2000, 3000, 4000]) older.push(await enterAnother(scene, "ann", agoMs));
    const { items, sizes } = await pagesOf((cursor) => listOwnRequests(scene.entry, "ann", { limit: 2, cursor }));
    assert.deepEqual(
      items.map(({ requestId }) => requestId),
      [last, ...older],
    );
    assert.ok(sizes.every((size) => size <= 2));
    assert.deepEqual((await listOwnRequests(scene.entry, "nobody", { limit: 5 })).items, []);
  });

  test("that never got a ticket are in no list", async () => {
    const scene = await open();
    const requests = queueWith(scene.entry.requests, () => Promise.reject(new Error("the queue is away")));
    await refusedWith("participation.not-queued", scene.ask("ann", scene.open({ requests })));
    assert.deepEqual((await listOwnRequests(scene.entry, "ann", { limit: 5 })).items, []);
    assert.deepEqual((await listed(scene, { order: "queue", limit: 5 })).tickets, []);
  });

  test("of an event come in the order of the line or newest first, each once", async () => {
    const scene = await open();
    await scene.crowd(23);
    const all = Array.from({ length: 23 }, (_, index) => index + 1);
    const queue = await listed(scene, { order: "queue", limit: 5 });
    assert.deepEqual(queue.tickets, all);
    assert.ok(queue.sizes.every((size) => size <= 5));
    assert.deepEqual((await listed(scene, { order: "newest", limit: 7 })).tickets, all.toReversed());
    const read: RequestItem[] = [];
    for await (const request of readEventRequests(scene.entry, scene.eventId)) read.push(request);
    assert.deepEqual(ticketsOf(read), all);
  });

  test("of one status are all found, in pages of the size asked at most, none twice and none passed over", async () => {
    const scene = await open({ capacityTotal: 7 });
    await scene.crowd(23);
    await scene.settle();
    const first = Array.from({ length: 7 }, (_, index) => index + 1);
    const rest = Array.from({ length: 16 }, (_, index) => index + 8);
    for (const limit of [1, 3, 100]) {
      const won = await listed(scene, { order: "queue", status: "SUCCEEDED", limit });
      assert.deepEqual(won.tickets, first);
      const lost = await listed(scene, { order: "newest", status: "REJECTED", limit });
      assert.deepEqual(lost.tickets, rest.toReversed());
      assert.ok([...won.sizes, ...lost.sizes].every((size) => size <= limit));
    }
    assert.deepEqual((await listed(scene, { order: "queue", status: "QUEUED", limit: 5 })).tickets, []);
  });

  test("have a log in the order of its steps, page by page", async () => {
    const scene = await open();
    const [{ requestId }] = await scene.enter("ann");
    scene.clock.move(5);
    await scene.settle();
    const { items, sizes } = await pagesOf((cursor) => readLog(scene.entry, requestId, { limit: 2, cursor }));
    assert.deepEqual(
      items.map(({ toStatus, occurredAt }) => [toStatus, occurredAt - scene.beganAt]),
      [
        ["QUEUED", 0],
        ["PROCESSING", 5],
        ["SUCCEEDED", 5],
      ],
    );
    assert.deepEqual(sizes, [2, 1]);
    assert.deepEqual((await readLog(scene.entry, scene.entry.newRequestId(), { limit: 5 })).items, []);
  });
});
