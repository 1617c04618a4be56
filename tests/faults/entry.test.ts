/** The server is killed while people enter and while lines are settled: nothing acknowledged is lost, and the order holds. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { openInstallation } from "../../bench/entry/installation.ts";
import { playScene } from "../../bench/entry/scene.ts";
import { killRepeatedly } from "../../bench/entry/with-kills.ts";

const PEOPLE = 1200;
const PLACES = 100;
const KILLS = 3;

test("after kill -9 of the server, mid-burst and mid-settling, all invariants hold and work goes on by itself", async () => {
  const installation = await openInstallation();
  try {
    const ask = { people: PEOPLE, places: PLACES, ratePerSecond: 300 };
    const scene = await playScene(installation, ask, () => killRepeatedly(KILLS, installation.killAndRestart));
    assert.deepEqual(scene.breaches, []);
    assert.equal(scene.inversions, 0);
    assert.notEqual(scene.settledAt, undefined, "not everybody got a result");
    assert.equal(scene.requests.length, PEOPLE);
    assert.equal(scene.requests.filter(({ status }) => status === "SUCCEEDED").length, PLACES);
    assert.equal(scene.kills.length, KILLS);
  } finally {
    await installation.close();
  }
});
