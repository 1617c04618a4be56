/** A lottery whose workers die after every few steps, work at the same time, or meet who is late. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkPlaces, type OpenScene, onEachEngine, type Scene } from "../../tests/harness/entry.ts";
import {
  ANNOUNCED_MS,
  CUTOFF_MS,
  drawOf,
  expectedOrder,
  fileText,
  LOTTERY,
  storedOrder,
} from "../../tests/harness/entry-lottery.ts";
import { tableWith } from "../../tests/harness/entry-parts.ts";
import { refusedWith } from "../platform/contracts/refused.ts";
import type { Blobs } from "../platform/ports.ts";
import { findConfig, findTickets } from "./config.ts";
import { closeEntry, openEntry } from "./control.ts";
import { verifyDraw } from "./draw/verify-draw.mjs";
import { entrantsFile, proofFile } from "./lottery.ts";
import { tick } from "./schedule.ts";

onEachEngine("a lottery", (open) => {
  describe("whose workers die or compete", () => dyingWorkers(open));
  describe("and who is late", () => late(open));
});

/** Everybody has the result that the seed promised before entries opened. */
async function checkOutcome(scene: Scene, seed: string): Promise<void> {
  assert.equal((await drawOf(scene)).seed, seed);
  const order = await storedOrder(scene);
  assert.deepEqual(order, await expectedOrder(scene, seed));
  const report = await verifyDraw(await fileText(scene, proofFile(scene.eventId)));
  assert.equal(report.verdict, "verified", report.sentence);
  await checkPlaces(scene);
  for (const requestId of order) {
    const steps = await scene.steps(requestId);
    assert.deepEqual(steps.slice(0, 2), ["RECEIVED QUEUED", "QUEUED PROCESSING"]);
    assert.equal(steps.length, 3);
  }
  const given = (await scene.told()).flatMap((message) => (message.type === "places.given" ? message.places : []));
  const places = new Map(given.map(({ place, requestId }) => [place, requestId]));
  assert.equal(new Set(given.map(({ place, requestId }) => `${place} ${requestId}`)).size, places.size);
  const { capacityTotal } = await scene.capacity();
  assert.deepEqual(
    order.slice(0, capacityTotal),
    Array.from({ length: places.size }, (_, index) => places.get(index + 1)),
  );
}

/** A process that does so many writes and then dies, the last one done but not answered. */
function mortal(scene: Scene, lifetime: number) {
  let left = lifetime;
  const { table, draws, messages } = scene.entry;
  const live = async <T>(go: () => Promise<T>): Promise<T> => {
    if (left <= 0) throw new Error("dead");
    left -= 1;
    const done = await go();
    if (left <= 0) throw new Error("killed");
    return done;
  };
  const blobs: Blobs = {
    put: (key, body, about) => live(() => draws.put(key, body, about)),
    get: (key) => draws.get(key),
    getWhole: (key, mostBytes) => draws.getWhole(key, mostBytes),
    head: (key) => draws.head(key),
    list: (ask) => draws.list(ask),
    delete: (keys) => draws.delete(keys),
    signUpload: (grant) => draws.signUpload(grant),
    signDownload: (ask) => draws.signDownload(ask),
    beginParts: (grant) => draws.beginParts(grant),
    signPart: (grant) => draws.signPart(grant),
    listParts: (upload) => draws.listParts(upload),
    completeParts: (ask) => draws.completeParts(ask),
    abandonParts: (upload) => draws.abandonParts(upload),
  };
  const process = scene.open({
    table: tableWith(table, { write: (_, go) => live(go), update: (_, go) => live(go) }),
    draws: blobs,
    messages,
  });
  return { process, isDead: () => left <= 0 };
}

function dyingWorkers(open: OpenScene): void {
  test("every step is done again or taken up, and comes out the same", async () => {
    const scene = await open({ ...LOTTERY, capacityTotal: 4 });
    await scene.crowd(11);
    await scene.loseTickets(1);
    const { seed } = await drawOf(scene);
    let deaths = 0;
    let list: string | undefined;
    for (const inMs of [CUTOFF_MS, ANNOUNCED_MS]) {
      scene.clock.goTo(inMs);
      for (let isDone = false; !isDone; ) {
        const { process, isDead } = mortal(scene, 2 + (deaths % 3));
        await tick(process);
        isDone = !isDead();
        if (!isDone) deaths += 1;
        const { entrantsSha256 } = await drawOf(scene);
        list ??= entrantsSha256;
        assert.equal(entrantsSha256, list, "the frozen list changed");
      }
    }
    assert.ok(deaths >= 5, `only ${deaths} processes died`);
    await checkOutcome(scene, seed);
  });

  test("five workers at once come to one draw and one result", async () => {
    const scene = await open({ ...LOTTERY, capacityTotal: 4 });
    await scene.crowd(60);
    await scene.loseTickets(2);
    const { seed } = await drawOf(scene);
    const workers = Array.from({ length: 5 }, () => scene.open());
    scene.clock.goTo(CUTOFF_MS);
    await Promise.all(workers.map((worker) => tick(worker)));
    scene.clock.goTo(ANNOUNCED_MS);
    await Promise.all(workers.map((worker) => tick(worker)));
    await tick(scene.entry);
    assert.deepEqual(scene.errors, []);
    await checkOutcome(scene, seed);
  });
}

function late(open: OpenScene): void {
  test("who had a ticket at the cutoff but not claimed it is not in the list, and is told so", async () => {
    const scene = await open(LOTTERY);
    await scene.enter("ann");
    const table = tableWith(scene.entry.table, {
      write: async (actions, go) => {
        if (actions.some((action) => "put" in action && action.put.SK.startsWith("TICKET#"))) {
          scene.clock.goTo(CUTOFF_MS);
          await tick(scene.entry);
        }
        await go();
      },
    });
    await refusedWith("participation.closed", scene.ask("bob", scene.open({ table })));
    const draw = await drawOf(scene);
    assert.equal(draw.entrants, 1);
    assert.match((await fileText(scene, entrantsFile(scene.eventId))) ?? "", /^1 [0-9a-f]{64}\n$/m);
    const bob = await scene.request(await scene.requestIdOf("bob"));
    assert.deepEqual([bob.status, bob.ticket, bob.errorCode], ["FAILED_FINAL", undefined, "participation.closed"]);
    scene.clock.goTo(ANNOUNCED_MS);
    await tick(scene.entry);
    await checkPlaces(scene);
    assert.equal((await scene.request(bob.requestId)).status, "FAILED_FINAL");
  });

  test("an organizer who opens entries at the moment of the freeze is too late", async () => {
    const scene = await open(LOTTERY);
    await scene.enter("ann");
    const table = tableWith(scene.entry.table, {
      write: async (_, go) => {
        scene.clock.goTo(CUTOFF_MS);
        await tick(scene.open());
        await go();
      },
    });
    await refusedWith("entry.changed", openEntry(scene.open({ table }), scene.eventId));
    assert.equal((await findConfig(scene.entry, scene.eventId))?.status, "Closed");
    const tickets = await findTickets(scene.entry, scene.eventId);
    assert.deepEqual([tickets?.closed, tickets?.frozen], [true, true]);
    scene.clock.goTo(ANNOUNCED_MS);
    await tick(scene.entry);
    await checkPlaces(scene);
    assert.equal((await scene.requests())[0]?.status, "SUCCEEDED");
  });

  test("an organizer who closed entries by hand before can't open them once the list is frozen", async () => {
    const scene = await open(LOTTERY);
    await scene.enter("ann");
    const { table } = scene.entry;
    // The status is the same before and after the freeze, so that only the counter tells.
    await closeEntry(scene.entry, scene.eventId);
    const held = tableWith(table, {
      write: async (_, go) => {
        scene.clock.goTo(CUTOFF_MS);
        await tick(scene.open());
        await go();
      },
    });
    await refusedWith("entry.changed", openEntry(scene.open({ table: held }), scene.eventId));
    assert.equal((await findTickets(scene.entry, scene.eventId))?.closed, true);
    await refusedWith("participation.closed", scene.ask("bob"));
  });

  test("a worker that comes late with its freeze changes nothing of what was frozen", async () => {
    const scene = await open(LOTTERY);
    await scene.enter("ann", "bob");
    scene.clock.goTo(CUTOFF_MS);
    const table = tableWith(scene.entry.table, {
      write: async (actions, go) => {
        if (actions.some((action) => "update" in action && action.set?.frozenAt !== undefined)) {
          scene.clock.move(5000);
          await tick(scene.entry);
        }
        await go();
      },
    });
    await tick(scene.open({ table }));
    const { frozenAt, seed } = await drawOf(scene);
    assert.equal(frozenAt, scene.beganAt + CUTOFF_MS + 5000);
    scene.clock.goTo(ANNOUNCED_MS);
    await tick(scene.entry);
    const report = await verifyDraw(await fileText(scene, proofFile(scene.eventId)));
    assert.ok(report.verdict === "verified", report.sentence);
    assert.equal(report.facts.frozenAt, frozenAt);
    await checkOutcome(scene, seed);
  });

  test("places added between the draw and the announcement go to the next ranks", async () => {
    const scene = await open({ ...LOTTERY, capacityTotal: 1 });
    await scene.crowd(4);
    scene.clock.goTo(CUTOFF_MS);
    await tick(scene.entry);
    await scene.change({ capacityTotal: 3 });
    scene.clock.goTo(ANNOUNCED_MS);
    await tick(scene.entry);
    await checkPlaces(scene);
    assert.equal((await scene.capacity()).capacityRemaining, 0);
    assert.equal((await drawOf(scene)).capacityTotal, 1);
  });
}
