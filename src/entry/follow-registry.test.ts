/** What entry does when the registry says that an event changed or is gone. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { checkPlaces, onEachEngine, type Scene } from "../../tests/harness/entry.ts";
import { ANNOUNCED_MS, CUTOFF_MS, fileText, LOTTERY } from "../../tests/harness/entry-lottery.ts";
import { messageOf, queueWith, tableWith } from "../../tests/harness/entry-parts.ts";
import { refusedWith } from "../platform/contracts/refused.ts";
import { cancelParticipation } from "./cancel.ts";
import { followRegistry } from "./follow-registry.ts";
import { activeKey, eventPartition } from "./items.ts";
import { entrantsFile, proofFile } from "./lottery.ts";
import { listOwnRequests } from "./requests.ts";
import { tick } from "./schedule.ts";

/** What is left of an event's line; a removed event leaves a gravestone. */
async function lineOf({ items, eventId }: Scene): Promise<string[]> {
  const left = await items(eventPartition(eventId));
  return left.map(({ SK, removed, ttl }) => (removed && ttl !== undefined ? `${SK} removed` : SK));
}

onEachEngine("a message of the registry", (open) => {
  test("that an event changed is heard at once, also where settings are kept for a moment", async () => {
    const scene = await open({ capacityTotal: 1 });
    await scene.enter("ann", "bob");
    await scene.settle();
    await scene.change({ capacityTotal: 2, published: false });
    await refusedWith("event.not-found", scene.ask("cho"));
    await checkPlaces(scene);
    assert.equal((await scene.requests())[1]?.status, "SUCCEEDED");
  });

  test("that an event changed which takes no entries is no error", async () => {
    const scene = await open();
    scene.vanish();
    assert.deepEqual(await scene.follow("event.changed"), []);
    assert.deepEqual(await lineOf(scene), []);
  });

  test("that an event is gone ends it: no line, no files, and who had no result fails for good", async () => {
    const scene = await open(LOTTERY);
    const [ann] = await scene.enter("ann", "bob");
    scene.clock.goTo(CUTOFF_MS);
    await tick(scene.entry);
    assert.ok(await fileText(scene, proofFile(scene.eventId)));
    scene.vanish();
    assert.deepEqual(await scene.follow("event.removed"), []);
    assert.deepEqual(await lineOf(scene), ["CONFIG removed"]);
    assert.equal(await scene.item(activeKey(scene.eventId)), undefined);
    assert.equal(await fileText(scene, proofFile(scene.eventId)), undefined);
    assert.equal(await fileText(scene, entrantsFile(scene.eventId)), undefined);
    const { status, uiResult, resultCode, failureClass, errorCode } = await scene.request(ann.requestId);
    assert.deepEqual(
      [status, uiResult, resultCode, failureClass, errorCode],
      ["FAILED_FINAL", "FAILED", "FAILED_VALIDATION", "NON_RETRYABLE", "event.removed"],
    );
    assert.deepEqual(await scene.steps(ann.requestId), ["RECEIVED QUEUED", "QUEUED FAILED_FINAL"]);
    await refusedWith("event.not-found", scene.ask("cho"));
    await refusedWith("event.not-found", scene.ask("ann"));
  });

  test("that an event is gone leaves results as they are, and everybody sees theirs", async () => {
    const scene = await open({ capacityTotal: 1 });
    const [ann] = await scene.enter("ann", "bob");
    await scene.settle();
    scene.vanish();
    assert.deepEqual(await scene.follow("event.removed"), []);
    assert.deepEqual(
      (await scene.requests()).map(({ status }) => status),
      ["SUCCEEDED", "REJECTED"],
    );
    const { items } = await listOwnRequests(scene.entry, "ann", { limit: 10 });
    assert.deepEqual(
      items.map(({ requestId }) => requestId),
      [ann.requestId],
    );
    await refusedWith("event.not-found", cancelParticipation(scene.entry, ann));
    assert.deepEqual(await scene.deliver([ann.requestId]), []);
    await tick(scene.entry);
    assert.equal((await scene.request(ann.requestId)).status, "SUCCEEDED");
  });

  test("that an event is gone is taken up again where a process died", async () => {
    const scene = await open(LOTTERY);
    await scene.crowd(120);
    scene.clock.goTo(ANNOUNCED_MS - 1);
    await tick(scene.entry);
    scene.vanish();
    let deaths = 0;
    for (let lifetime = 1; ; lifetime += 20) {
      let left = lifetime;
      const table = tableWith(scene.entry.table, {
        write: async (_, go) => {
          if (left === 0) throw new Error("killed");
          left -= 1;
          await go();
        },
      });
      const failures = await scene.follow("event.removed", scene.open({ table }));
      if (failures.length === 0) break;
      assert.equal(failures[0]?.reason, "killed");
      deaths += 1;
    }
    assert.ok(deaths > 2);
    assert.deepEqual(await lineOf(scene), ["CONFIG removed"]);
    const statuses = (await scene.requests()).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === "FAILED_FINAL").length, 120);
  });

  test("that an event is gone is for good, also for a process that asked the registry before", async () => {
    const scene = await open();
    const event = await scene.entry.facts.eventForEntry(scene.eventId);
    await scene.enter("ann");
    scene.vanish();
    await scene.follow("event.removed");
    const late = scene.open({ facts: { eventForEntry: async () => event } });
    await assert.rejects(scene.ask("bob", late));
    assert.deepEqual(await lineOf(scene), ["CONFIG removed"]);
    await tick(scene.entry);
    assert.deepEqual(await lineOf(scene), ["CONFIG removed"]);
  });

  test("that an event is gone lets the same people enter another one under its id, from the first ticket on", async () => {
    const scene = await open({ capacityTotal: 1 });
    const [before] = await scene.enter("ann");
    await scene.settle();
    scene.vanish();
    await scene.follow("event.removed");
    scene.remake();
    scene.clock.move(1000);
    const { request, duplicate } = await scene.ask("ann");
    assert.deepEqual([request.ticket, duplicate], [1, false]);
    assert.notEqual(request.requestId, before.requestId);
    await scene.settle();
    const { status, place } = await scene.request(request.requestId);
    assert.deepEqual([status, place], ["SUCCEEDED", 1]);
  });

  test("that an event is gone keeps nobody out who was just about to enter it", async () => {
    const scene = await open();
    const { promise: sending, resolve: isSending } = Promise.withResolvers<void>();
    const send = () => {
      isSending();
      return new Promise<never>(() => {});
    };
    void scene.ask("ann", scene.open({ requests: queueWith(scene.entry.requests, send) }));
    await sending;
    const requestId = await scene.requestIdOf("ann");
    scene.vanish();
    await scene.follow("event.removed");
    assert.deepEqual(await scene.deliver([requestId], 5000), []);
    assert.equal((await scene.request(requestId)).errorCode, "event.removed");
    scene.remake();
    scene.clock.move(1000);
    const again = await scene.ask("ann");
    assert.deepEqual([again.duplicate, again.request.status], [false, "QUEUED"]);
  });

  test("that comes late, after the event was made again, ends nothing", async () => {
    const scene = await open();
    const [ann] = await scene.enter("ann");
    assert.deepEqual(await scene.follow("event.removed"), []);
    await scene.settle();
    assert.equal((await scene.request(ann.requestId)).status, "SUCCEEDED");
  });

  test("that can't be read is not lost, and does not keep others back", async () => {
    const scene = await open();
    await scene.enter("ann");
    const unreadable = ["no JSON", "{}", scene.message("event.removed").replace("removed", "lost")];
    scene.vanish();
    const messages = [...unreadable, scene.message("event.removed")].map((body) => messageOf(scene.clock, body));
    const failures = await followRegistry(scene.entry)(messages);
    assert.deepEqual(
      failures.map(({ id }) => id),
      messages.slice(0, 3).map(({ id }) => id),
    );
    assert.deepEqual(await lineOf(scene), ["CONFIG removed"]);
  });
});
