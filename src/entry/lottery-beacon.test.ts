/** A lottery with a public value in its draw, that nobody knows before entries are over. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { checkPlaces, onEachEngine } from "../../tests/harness/entry.ts";
import {
  ANNOUNCED_MS,
  CUTOFF_MS,
  checkSecret,
  drawOf,
  expectedOrder,
  fileText,
  LOTTERY,
  sha256,
  storedOrder,
} from "../../tests/harness/entry-lottery.ts";
import { refusedWith } from "../platform/contracts/refused.ts";
import { drawNow } from "./control.ts";
import { verifyDraw } from "./draw/verify-draw.mjs";
import { proofFile } from "./lottery.ts";
import { tick } from "./schedule.ts";

onEachEngine("a lottery with a beacon", (open) => {
  const BEACON = { ...LOTTERY, beaconSource: "drand round 4567890" };

  test("the draw waits for the value, which is mixed into the seed", async () => {
    const scene = await open(BEACON);
    await scene.crowd(5);
    await refusedWith("draw.too-early", drawNow(scene.entry, scene.eventId, "9f2c"));
    scene.clock.goTo(ANNOUNCED_MS);
    await tick(scene.entry);
    const waiting = await drawOf(scene);
    assert.deepEqual([waiting.isListed, waiting.drawnAt, waiting.beaconSource], [true, undefined, BEACON.beaconSource]);
    await checkSecret(scene);
    await refusedWith("draw.needs-beacon", drawNow(scene.entry, scene.eventId));
    await drawNow(scene.entry, scene.eventId, "9f2c");
    const { seed, beaconValue } = await drawOf(scene);
    assert.equal(beaconValue, "9f2c");
    assert.deepEqual(await storedOrder(scene), await expectedOrder(scene, sha256(`${seed}\n9f2c`)));
    await tick(scene.entry);
    await checkPlaces(scene);
    const report = await verifyDraw(await fileText(scene, proofFile(scene.eventId)));
    assert.equal(report.verdict, "verified", report.sentence);
  });

  test("the value is given once; the same again is no error", async () => {
    const scene = await open(BEACON);
    await scene.enter("ann");
    scene.clock.goTo(CUTOFF_MS);
    await drawNow(scene.entry, scene.eventId, "9f2c");
    const order = await storedOrder(scene);
    await drawNow(scene.entry, scene.eventId, "9f2c");
    await refusedWith("draw.beacon-given", drawNow(scene.entry, scene.eventId, "another"));
    assert.equal((await drawOf(scene)).beaconValue, "9f2c");
    assert.deepEqual(await storedOrder(scene), order);
    scene.clock.goTo(ANNOUNCED_MS);
    await tick(scene.entry);
    await drawNow(scene.entry, scene.eventId, "9f2c");
    await refusedWith("draw.beacon-given", drawNow(scene.entry, scene.eventId, "another"));
  });

  test("a draw without a beacon takes no value", async () => {
    const scene = await open(LOTTERY);
    await scene.enter("ann");
    scene.clock.goTo(CUTOFF_MS);
    await refusedWith("draw.no-beacon", drawNow(scene.entry, scene.eventId, "9f2c"));
    await drawNow(scene.entry, scene.eventId);
    assert.equal((await drawOf(scene)).beaconValue, undefined);
  });
});
