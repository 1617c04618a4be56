/** What organizers do by hand with an event's entry, when it makes sense and when it does not. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkPlaces, type OpenScene, onEachEngine, type Scene } from "../../tests/harness/entry.ts";
import { ANNOUNCED_MS, CUTOFF_MS, checkSecret, LOTTERY } from "../../tests/harness/entry-lottery.ts";
import { HOUR_MS, tableWith } from "../../tests/harness/entry-parts.ts";
import { refusedWith } from "../platform/contracts/refused.ts";
import { findConfig, findTickets } from "./config.ts";
import { announceNow, closeEntry, drawNow, openEntry, pauseEntry } from "./control.ts";
import type { ConfigItem } from "./items.ts";
import { tick } from "./schedule.ts";

onEachEngine("an organizer", (open) => {
  describe("who opens", () => opening(open));
  describe("who pauses or closes", () => closing(open));
  describe("who draws and announces", () => drawing(open));
});

async function configOf({ entry, eventId }: Scene): Promise<ConfigItem> {
  return (await findConfig(entry, eventId)) as ConfigItem;
}

function opening(open: OpenScene): void {
  test("does so before the time, which the event keeps", async () => {
    const scene = await open({ opensInMs: HOUR_MS });
    await refusedWith("participation.not-open", scene.ask("ann"));
    await openEntry(scene.entry, scene.eventId);
    const { openedAt, opensAt, status } = await configOf(scene);
    assert.deepEqual([openedAt, opensAt, status], [scene.clock.now(), scene.beganAt + HOUR_MS, "Open"]);
    assert.equal((await scene.ask("ann")).request.ticket, 1);
  });

  test("opens what was closed by hand, and the counter goes on where it was", async () => {
    const scene = await open();
    await scene.enter("ann");
    await closeEntry(scene.entry, scene.eventId);
    await openEntry(scene.entry, scene.eventId);
    await openEntry(scene.entry, scene.eventId);
    assert.equal((await scene.ask("bob")).request.ticket, 2);
  });

  test("must move the closing time first when it has passed", async () => {
    const scene = await open({ closesInMs: HOUR_MS });
    scene.clock.goTo(HOUR_MS);
    await refusedWith("entry.past-closing", openEntry(scene.entry, scene.eventId));
    await scene.change({ closesInMs: 2 * HOUR_MS });
    await openEntry(scene.entry, scene.eventId);
    assert.equal((await scene.ask("ann")).request.ticket, 1);
  });

  test("can't once a lottery's cutoff has passed", async () => {
    const scene = await open(LOTTERY);
    scene.clock.goTo(CUTOFF_MS - 1);
    await openEntry(scene.entry, scene.eventId);
    scene.clock.goTo(CUTOFF_MS);
    await refusedWith("entry.frozen", openEntry(scene.entry, scene.eventId));
  });

  test("is told when somebody else did something at the same moment", async () => {
    const scene = await open();
    await scene.change({});
    const table = tableWith(scene.entry.table, {
      write: async (_, go) => {
        await closeEntry(scene.entry, scene.eventId);
        await go();
      },
    });
    await refusedWith("entry.changed", openEntry(scene.open({ table }), scene.eventId));
    await refusedWith("participation.closed", scene.ask("ann"));
  });

  test("finds no event that is not there", async () => {
    const scene = await open();
    for (const work of [openEntry, pauseEntry, closeEntry, drawNow, announceNow]) {
      await refusedWith("event.not-found", work(scene.entry, "another"));
    }
  });
}

function closing(open: OpenScene): void {
  test("pauses without anybody in line losing their turn, and ends it by opening", async () => {
    const scene = await open({ capacityTotal: 1 });
    await scene.enter("ann", "bob");
    await pauseEntry(scene.entry, scene.eventId);
    await refusedWith("participation.paused", scene.ask("cho"));
    await scene.settle();
    await checkPlaces(scene);
    await openEntry(scene.entry, scene.eventId);
    assert.equal((await configOf(scene)).paused, undefined);
    assert.equal((await scene.ask("cho")).request.ticket, 3);
  });

  test("closes the counter with it, so that nobody on the way gets a ticket", async () => {
    const scene = await open();
    await scene.enter("ann");
    await pauseEntry(scene.entry, scene.eventId);
    await closeEntry(scene.entry, scene.eventId);
    const { status, paused, closedByTime } = await configOf(scene);
    assert.deepEqual([status, paused, closedByTime], ["Closed", undefined, undefined]);
    assert.equal((await findTickets(scene.entry, scene.eventId))?.closed, true);
    await closeEntry(scene.entry, scene.eventId);
    await scene.settle();
    assert.equal((await scene.requests())[0]?.status, "SUCCEEDED");
  });

  test("can't pause what is closed", async () => {
    const scene = await open();
    await closeEntry(scene.entry, scene.eventId);
    await refusedWith("entry.closed", pauseEntry(scene.entry, scene.eventId));
  });
}

function drawing(open: OpenScene): void {
  test("can't where places go first-come", async () => {
    const scene = await open();
    await refusedWith("draw.first-come", drawNow(scene.entry, scene.eventId));
    await refusedWith("draw.first-come", announceNow(scene.entry, scene.eventId));
  });

  test("draws after the cutoff without waiting for the clock's next round", async () => {
    const scene = await open(LOTTERY);
    await scene.enter("ann", "bob", "cho");
    await refusedWith("draw.too-early", drawNow(scene.entry, scene.eventId));
    scene.clock.goTo(CUTOFF_MS);
    await drawNow(scene.entry, scene.eventId);
    await checkSecret(scene);
    await drawNow(scene.entry, scene.eventId);
    assert.equal((await scene.blocks("RANK")).length, 1);
  });

  test("announces when it is due and not before, and everybody has a result then", async () => {
    const scene = await open(LOTTERY);
    await scene.enter("ann", "bob", "cho");
    scene.clock.goTo(ANNOUNCED_MS - 1);
    await refusedWith("draw.not-due", announceNow(scene.entry, scene.eventId));
    await tick(scene.entry);
    await checkSecret(scene);
    scene.clock.goTo(ANNOUNCED_MS);
    await announceNow(scene.entry, scene.eventId);
    assert.equal((await configOf(scene)).status, "Announced");
    await checkPlaces(scene);
    assert.ok((await scene.requests()).every(({ uiPhase }) => uiPhase === "ANNOUNCED"));
    await announceNow(scene.entry, scene.eventId);
    await closeEntry(scene.entry, scene.eventId);
    assert.equal((await configOf(scene)).status, "Announced");
  });

  test("announces sooner once the time is moved", async () => {
    const scene = await open(LOTTERY);
    await scene.enter("ann");
    scene.clock.goTo(CUTOFF_MS);
    await scene.change({ announcedInMs: CUTOFF_MS });
    await announceNow(scene.entry, scene.eventId);
    await checkPlaces(scene);
  });

  test("can't announce while the beacon's value is missing", async () => {
    const scene = await open({ ...LOTTERY, beaconSource: "drand round 7" });
    await scene.enter("ann");
    scene.clock.goTo(ANNOUNCED_MS);
    await refusedWith("draw.needs-beacon", announceNow(scene.entry, scene.eventId));
    await checkSecret(scene);
  });
}
