/** From RECEIVED to QUEUED when answers are lost, the table fails, or somebody else is faster. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type OpenScene, onEachEngine, type Scene } from "../../tests/harness/entry.ts";
import { until } from "../../tests/harness/entry-event.ts";
import { queueWith, tableWith } from "../../tests/harness/entry-parts.ts";
import type { Action } from "../platform/ports.ts";
import type { Entry } from "./entry.ts";
import { type RequestItem, requestKey } from "./items.ts";

async function ask(scene: Scene, userId: string, process?: Entry): Promise<RequestItem> {
  return (await scene.ask(userId, process)).request;
}

const isClaim = (actions: Action[]) =>
  actions.some((action) => "put" in action && action.put.SK.startsWith("TICKET#") && !action.put.voided);

onEachEngine("lining up", (open) => {
  describe("with a table that fails", () => failing(open));
  describe("beside somebody faster", () => overtaken(open));
  describe("with others", () => inOrder(open));
});

function failing(open: OpenScene): void {
  test("a claim whose answer was lost is found again: one ticket, none void", async () => {
    const scene = await open();
    let lost = 0;
    const table = tableWith(scene.entry.table, {
      write: async (actions, go) => {
        await go();
        if (isClaim(actions) && lost === 0) {
          lost += 1;
          throw new Error("the answer is lost");
        }
      },
    });
    const ann = await ask(scene, "ann", scene.open({ table }));
    assert.deepEqual([lost, ann.ticket, ann.status], [1, 1, "QUEUED"]);
    assert.deepEqual(await scene.blocks(), [[1, 1, [ann.requestId]]]);
  });

  test("a counter whose answer was lost costs a ticket, which is void later", async () => {
    const scene = await open();
    let lost = 0;
    const table = tableWith(scene.entry.table, {
      update: async (_, go) => {
        const item = await go();
        if (lost > 0) return item;
        lost += 1;
        throw new Error("the answer is lost");
      },
    });
    const ann = await ask(scene, "ann", scene.open({ table }));
    assert.equal(ann.ticket, 2);
    await scene.settle();
    assert.deepEqual(await scene.blocks(), [
      [1, 1, true],
      [2, 1, [ann.requestId]],
    ]);
    assert.equal((await scene.request(ann.requestId)).status, "SUCCEEDED");
  });

  test("who can't get a ticket is told; the request stays, and a worker brings it on", async () => {
    const scene = await open();
    const table = tableWith(scene.entry.table, {
      write: async (actions, go) => {
        if (isClaim(actions)) throw new Error("the table is away");
        await go();
      },
      update: async (_, go) => {
        await go();
        throw new Error("the table is away");
      },
    });
    await assert.rejects(ask(scene, "ann", scene.open({ table })), /the table is away/);
    const requestId = await scene.requestIdOf("ann");
    assert.equal((await scene.request(requestId)).status, "RECEIVED");
    assert.deepEqual(await scene.deliver([requestId], 10_000), []);
    assert.equal((await scene.request(requestId)).status, "SUCCEEDED");
  });
}

function overtaken(open: OpenScene): void {
  /** A process that holds its first claim back until `meanwhile` is done. */
  const slow = (scene: Scene, meanwhile: () => Promise<unknown>) => {
    let claims = 0;
    const table = tableWith(scene.entry.table, {
      write: async (actions, go) => {
        if (isClaim(actions)) claims += 1;
        if (isClaim(actions) && claims === 1) await meanwhile();
        await go();
      },
    });
    return scene.open({ table });
  };

  test("a claimant that was too slow gets another ticket; the void one stays void", async () => {
    const scene = await open({ capacityTotal: 1 });
    const process = slow(scene, async () => {
      await scene.enter("bob");
      await scene.settle();
    });
    const ann = await ask(scene, "ann", process);
    const [bob] = await scene.requests();
    assert.equal(ann.ticket, 3);
    assert.deepEqual(await scene.blocks(), [
      [1, 1, true],
      [2, 1, [bob?.requestId]],
      [3, 1, [ann.requestId]],
    ]);
    await scene.settle();
    const results = (await scene.requests()).map(({ userId, ticket, status }) => [userId, ticket, status]);
    assert.deepEqual(results, [
      ["bob", 2, "SUCCEEDED"],
      ["ann", 3, "REJECTED"],
    ]);
  });

  test("who got a ticket from a worker keeps it: the other is void at once, and the rest of the group is not", async () => {
    const scene = await open();
    const groups = groupsHeld(scene);
    let claims = 0;
    const table = tableWith(scene.entry.table, {
      write: async (actions, go) => {
        if (isClaim(actions) && actions.length === 5) {
          claims += 1;
          const ann = await scene.request(await scene.requestIdOf("ann"));
          await scene.entry.lineUp.add(ann, { sent: true });
        }
        await go();
      },
    });
    const process = scene.open({ table, requests: groups.requests });
    const first = ["f1", "f2", "f3"].map((userId) => ask(scene, userId, process));
    await groups.areHeld;
    const both = ["ann", "bob"].map((userId) => ask(scene, userId, process));
    await until(async () => {
      const ids = await Promise.all(["ann", "bob"].map((userId) => scene.requestIdOf(userId)));
      return ids.every((requestId) => process.lineUp.underWay(requestId));
    });
    groups.letGo();
    await Promise.all(first);
    const [ann, bob] = await Promise.all(both);
    assert.equal(claims, 1);
    assert.ok(ann && bob);
    // The three before them may take their tickets in between.
    const blocks = await scene.blocks();
    const blockOf = (ticket: number) => blocks.find(([first]) => first === ticket);
    const bobs = bob.ticket as number;
    assert.deepEqual(blockOf(bobs - 1), [bobs - 1, 1, true]);
    assert.deepEqual(blockOf(bobs), [bobs, 1, [bob.requestId]]);
    assert.deepEqual(blockOf(ann.ticket as number), [ann.ticket, 1, [ann.requestId]]);
    assert.ok((ann.ticket as number) > bobs);
  });
}

/** Whoever comes together has tickets in the order of their requests' ids, which is that of the index. */
function inOrder(open: OpenScene): void {
  test("an older request that is brought on with newer ones goes before them", async () => {
    const scene = await open();
    const groups = groupsHeld(scene);
    const process = scene.open({ requests: groups.requests });
    const first = ["f1", "f2", "f3"].map((userId) => ask(scene, userId, process));
    await groups.areHeld;
    const [older, newer] = [await received(scene, "ann"), await received(scene, "bob")];
    const both = [process.lineUp.add(newer), process.lineUp.add(older)];
    groups.letGo();
    await Promise.all(first);
    const [bob, ann] = await Promise.all(both);
    assert.deepEqual([bob?.userId, ann?.userId], ["bob", "ann"]);
    assert.equal(bob?.ticket, (ann?.ticket as number) + 1);
  });
}

/** A request that is RECEIVED and nothing more. */
async function received({ entry, eventId, clock }: Scene, userId: string): Promise<RequestItem> {
  const requestId = entry.newRequestId();
  const known = { requestId, eventId, userId, status: "RECEIVED", requestedAt: clock.now() };
  const request = { ...requestKey(requestId), ...known };
  await entry.table.write([{ put: request }]);
  return request as unknown as RequestItem;
}

/** Holds as many groups back as a process leads at once, so that whoever comes then goes together. */
function groupsHeld({ entry }: Scene) {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: areHeld, resolve: hold } = Promise.withResolvers<void>();
  let sends = 0;
  const requests = queueWith(entry.requests, async (bodies) => {
    sends += 1;
    if (sends === 3) hold();
    if (sends <= 3) await held;
    await entry.requests.send(bodies);
  });
  return { requests, areHeld, letGo };
}
