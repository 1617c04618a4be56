/** The demo is what the API takes, on every day, and its runners are always the same. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import { NewEvent } from "../../registry/events/event.ts";
import { NewOrganization } from "../../registry/organizations/organizations.ts";
import { NewPhotographer } from "../../registry/photographers/photographer.ts";
import { RunnerFields } from "../../registry/runners/runner.ts";
import { demoEvents, demoOrganization, demoPhotographers } from "./demo-plan.ts";
import { demoRunners } from "./demo-runners.ts";

const DAY_MS = 86_400_000;

describe("the events", () => {
  test("are in the future of every day, on Sundays, and the photo event is today in Seoul", () => {
    for (let day = 0; day < 400; day += 1) {
      // A quarter of an hour before midnight in Seoul, to go over every edge there is.
      const now = Date.UTC(2026, 0, 1, 14, 45) + day * DAY_MS;
      const [firstCome, lottery, photos] = demoEvents(now).map(({ fields }) => fields.date);
      const today = new Date(now).toISOString().slice(0, 10);
      assert.equal(photos, today);
      for (const [date = "", days] of [
        [firstCome, 42],
        [lottery, 120],
      ] as const) {
        const ahead = (Date.parse(date) - Date.parse(today)) / DAY_MS;
        assert.equal(new Date(date).getUTCDay(), 0, date);
        assert.ok(ahead >= days && ahead < days + 7, `${date} is ${ahead} days after ${today}`);
      }
    }
  });

  test("begin where the API says they may, with entries open now", () => {
    const now = Date.now();
    const events = demoEvents(now).map(({ eventId, fields }) => NewEvent.parse({ eventId, ...fields }));
    assert.deepEqual(
      events.map(({ entry }) => entry && [entry.eventType, entry.capacityTotal]),
      [["FIRST_COME", 500], ["LOTTERY", 1000], null],
    );
    for (const { entry } of events) if (entry) assert.ok(Date.parse(entry.opensAt) < now);
  });
});

test("the organization and the photographers are such as the API takes", () => {
  NewOrganization.parse({ orgId: "demo", ...demoOrganization });
  for (const { photographerId, fields } of demoPhotographers) NewPhotographer.parse({ photographerId, ...fields });
});

describe("the runners", () => {
  const runners = demoRunners();

  test("are three hundred with bibs of their own, some with a letter, and all can be imported", () => {
    assert.equal(new Set(runners.map(({ bib }) => bib)).size, 300);
    assert.equal(runners[0]?.bib, "1001");
    assert.equal(runners.filter(({ bib }) => /^[A-Z]\d+$/.test(bib)).length, 20);
    for (const runner of runners) assert.deepEqual(RunnerFields.parse(runner), runner);
  });

  test("are the same every time", () => {
    const digest = createHash("sha256").update(JSON.stringify(runners)).digest("hex");
    assert.deepEqual(demoRunners(), runners);
    assert.equal(digest.slice(0, 16), "c45f102e7d937d90");
  });

  test("are of many kinds", () => {
    const share = (fits: (runner: (typeof runners)[0]) => boolean) => runners.filter(fits).length / runners.length;
    const shares = {
      korean: share(({ name }) => /^\p{Script=Hangul}+$/u.test(name ?? "")),
      women: share(({ gender }) => gender === "F"),
      inTeams: share(({ team }) => team !== null),
      finished: share(({ finishTime }) => finishTime !== null),
    };
    for (const [what, value] of Object.entries(shares)) assert.ok(value > 0.3 && value < 0.995, `${what}: ${value}`);
    const kinds = new Set(runners.map(({ name }) => name)).size;
    assert.ok(kinds > 200, `only ${kinds} names`);
  });
});
