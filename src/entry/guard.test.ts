/** Which changes of an event's entry come too late, and which do not. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { onEachEngine, type Scene } from "../../tests/harness/entry.ts";
import { ANNOUNCED_MS, CUTOFF_MS, LOTTERY } from "../../tests/harness/entry-lottery.ts";
import { type EventWish, HOUR_MS } from "../../tests/harness/entry-parts.ts";
import { refusedWith } from "../platform/contracts/refused.ts";
import { Problem } from "../platform/problem.ts";
import { checkEntryChange } from "./guard.ts";
import { tick } from "./schedule.ts";

function check({ entry, eventId, settingsAfter }: Scene, wish: EventWish | null): Promise<void> {
  const after = wish === null ? null : settingsAfter(wish);
  return checkEntryChange(entry, { eventId, before: settingsAfter({}), after });
}

const refused = (scene: Scene, wish: EventWish | null) =>
  refusedWith("entry.fixed", check(scene, wish), JSON.stringify(wish));

onEachEngine("changing an event's entry", (open) => {
  test("is free before anybody has entered, whatever it is", async () => {
    const scene = await open({ ...LOTTERY, beaconSource: "drand round 7" });
    await check(scene, null);
    await scene.change({});
    await check(scene, null);
    await check(scene, { eventType: "FIRST_COME" });
    await check(scene, { beaconSource: "drand round 8" });
    await check(scene, { capacityTotal: 1, cutoffInMs: 2 * HOUR_MS, announcedInMs: 3 * HOUR_MS });
    const { entry, eventId, settingsAfter } = scene;
    await checkEntryChange(entry, { eventId, before: null, after: settingsAfter({}) });
  });

  test("can't take away what somebody entered for, nor make another kind of event of it", async () => {
    const scene = await open();
    await scene.enter("ann");
    await refused(scene, null);
    await refused(scene, LOTTERY);
    await check(scene, { closesInMs: HOUR_MS, cancelInMs: 5, opensInMs: -5 });
    const lottery = await open(LOTTERY);
    await lottery.enter("ann");
    await refused(lottery, { eventType: "FIRST_COME" });
  });

  test("can't take places away that are taken, and says how many are, at which setting", async () => {
    const scene = await open({ capacityTotal: 5 });
    await scene.enter("ann", "bob");
    await check(scene, { capacityTotal: 1 });
    await scene.settle();
    await refused(scene, { capacityTotal: 1 });
    const refusal = await check(scene, { capacityTotal: 1 }).catch((error) => error);
    assert.ok(refusal instanceof Problem);
    assert.match(refusal.message, /^2 places are taken/);
    assert.deepEqual(refusal.details.errors, [{ field: "entry.capacityTotal", message: refusal.message }]);
    await check(scene, { capacityTotal: 2 });
    await check(scene, { capacityTotal: 9 });
  });

  test("can't change the beacon once somebody relied on it", async () => {
    const scene = await open({ ...LOTTERY, beaconSource: "drand round 7" });
    await scene.enter("ann");
    await refused(scene, { beaconSource: "drand round 8" });
    await refused(scene, { beaconSource: undefined });
    await check(scene, { cutoffInMs: 2 * HOUR_MS, announcedInMs: 3 * HOUR_MS, capacityTotal: 1 });
  });

  test("can't move the cutoff nor take places away once the list is frozen", async () => {
    const scene = await open({ ...LOTTERY, capacityTotal: 3 });
    await scene.enter("ann");
    scene.clock.goTo(CUTOFF_MS);
    await tick(scene.entry);
    await refused(scene, { cutoffInMs: CUTOFF_MS + 1 });
    await refused(scene, { cutoffInMs: CUTOFF_MS - 1 });
    await refused(scene, { capacityTotal: 2 });
    await check(scene, { capacityTotal: 4 });
    await check(scene, { announcedInMs: 5 * HOUR_MS });
  });

  test("can't make another kind of event of a frozen lottery, though nobody entered", async () => {
    const scene = await open(LOTTERY);
    await scene.change({});
    scene.clock.goTo(CUTOFF_MS);
    await check(scene, { eventType: "FIRST_COME" });
    await tick(scene.entry);
    await refused(scene, { eventType: "FIRST_COME" });
  });

  test("can't move the announcement once it is made", async () => {
    const scene = await open(LOTTERY);
    await scene.enter("ann");
    scene.clock.goTo(ANNOUNCED_MS);
    await tick(scene.entry);
    await refused(scene, { announcedInMs: 5 * HOUR_MS });
    await check(scene, { capacityTotal: 4 });
  });
});
