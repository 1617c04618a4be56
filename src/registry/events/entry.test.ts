/** What entry must know of events: told when it changes, asked before it changes, and read whenever; on both databases. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { onEachDatabase } from "../../../tests/harness/registry.ts";
import { Problem } from "../../platform/problem.ts";
import type { EntryChange, Registry } from "../registry.ts";
import { changeEvent } from "./events.ts";

const NEW = { name: "Han River 10K", date: "2090-04-18", timeZone: "Asia/Seoul" };
const FIRST_COME = {
  eventType: "FIRST_COME" as const,
  capacityTotal: 300,
  opensAt: "2090-01-05T01:00:00.000Z",
  bibStart: 1,
  bibFormat: "0000",
};
const HOUR_MS = 3_600_000;

onEachDatabase("events and entry", (scene) => {
  const open = async (event: object = {}) => {
    const { orgId, organizer } = await scene.program.makeOrganization();
    const { body } = await organizer("POST", `/admin/organizations/${orgId}/events`, { ...NEW, ...event });
    const eventId: string = body.eventId;
    const change = (fields: object) => organizer("PATCH", `/admin/events/${eventId}`, fields);
    return { orgId, eventId, change };
  };
  const announced = async (eventId: string) => {
    const messages = (await scene.announced()).filter((each) => "eventId" in each && each.eventId === eventId);
    return messages.map(({ type }) => type);
  };

  test("are announced when they are made with entry settings", async () => {
    const before = Date.now();
    const { eventId } = await open({ entry: FIRST_COME });
    const [message] = (await scene.announced()).filter((each) => "eventId" in each && each.eventId === eventId);
    assert.deepEqual(message, { type: "event.changed", eventId, occurredAt: message?.occurredAt });
    const occurredAt = Date.parse(message?.occurredAt ?? "");
    assert.ok(occurredAt >= before && occurredAt <= Date.now(), message?.occurredAt);
    const without = await open();
    assert.deepEqual(await announced(without.eventId), []);
  });

  test("are not announced when they could not be made", async () => {
    const { orgId, eventId } = await open({ entry: FIRST_COME });
    const path = `/admin/organizations/${orgId}/events`;
    const again = await scene.operator("POST", path, { ...NEW, eventId, entry: FIRST_COME });
    assert.deepEqual([again.status, again.body.code], [409, "event.exists"]);
    const nowhere = "/admin/organizations/nowhere/events";
    const orphan = await scene.operator("POST", nowhere, { ...NEW, eventId: `lost-${orgId}`, entry: FIRST_COME });
    assert.deepEqual([orphan.status, orphan.body.code], [404, "organization.not-found"]);
    assert.deepEqual(await announced(eventId), ["event.changed"]);
    assert.deepEqual(await announced(`lost-${orgId}`), []);
  });

  test("are announced whenever something changes that entry goes by, and only then", async () => {
    const { eventId, change } = await open();
    const telling = [
      { entry: FIRST_COME },
      { entry: { ...FIRST_COME, capacityTotal: 301 } },
      { entry: { ...FIRST_COME, capacityTotal: 301, cancelUntil: "2090-02-05T01:00:00Z" } },
      { date: "2090-04-19" },
      { timeZone: "Asia/Tokyo" },
      { published: false },
      { entry: null },
    ];
    for (const [done, fields] of telling.entries()) {
      assert.equal((await change(fields)).status, 200);
      assert.equal((await announced(eventId)).length, done + 1, JSON.stringify(fields));
      // The same once more changes nothing, whatever the order of its fields.
      const same = "entry" in fields && fields.entry ? { entry: reversed(fields.entry) } : fields;
      assert.equal((await change({ ...same, name: `Run ${done}`, photos: { retentionDays: 1 } })).status, 200);
      assert.equal((await announced(eventId)).length, done + 1, JSON.stringify(same));
    }
    assert.equal((await change({ date: "2020-01-01", published: true })).status, 400);
    assert.deepEqual(await announced(eventId), Array(telling.length).fill("event.changed"));
  });

  test("with entry settings are announced when their organization is hidden or shown again", async () => {
    const { orgId, eventId } = await open({ entry: FIRST_COME });
    const without = await scene.operator("POST", `/admin/organizations/${orgId}/events`, NEW);
    const path = `/admin/organizations/${orgId}`;
    await scene.operator("PATCH", path, { name: "Renamed" });
    assert.equal((await announced(eventId)).length, 1);
    for (const active of [false, true]) {
      await scene.operator("PATCH", path, { active });
      const facts = await scene.program.registry.facts.eventForEntry(eventId);
      assert.equal(facts?.published, active);
    }
    assert.equal((await announced(eventId)).length, 3);
    assert.deepEqual(await announced(without.body.eventId), []);
  });

  test("are shown to entry as they are now", async () => {
    const eventForEntry = async (eventId: string) => {
      const { revision, ...facts } = (await scene.program.registry.facts.eventForEntry(eventId)) ?? { revision: 0 };
      return facts;
    };
    const { orgId, eventId, change } = await open({ published: false });
    const startsAt = Date.parse("2090-04-17T15:00:00Z");
    const expected = { eventId, orgId, published: false, startsAt, endsAt: startsAt + 24 * HOUR_MS, entry: null };
    assert.deepEqual(await eventForEntry(eventId), expected);
    await change({ published: true, date: "2090-03-12", timeZone: "America/New_York", entry: FIRST_COME });
    // On that day New York's clocks go forward.
    const shorter = Date.parse("2090-03-12T05:00:00Z");
    assert.deepEqual(await eventForEntry(eventId), {
      ...expected,
      published: true,
      startsAt: shorter,
      endsAt: shorter + 23 * HOUR_MS,
      entry: FIRST_COME,
    });
    assert.equal(await scene.program.registry.facts.eventForEntry("nothing-such"), undefined);
  });

  test("have a revision that grows with every change that entry hears of", async () => {
    const { orgId, eventId, change } = await open({ entry: FIRST_COME });
    const revisionOf = async () => (await scene.program.registry.facts.eventForEntry(eventId))?.revision ?? 0;
    const grows: (() => Promise<{ status: number }>)[] = [
      () => change({ entry: { ...FIRST_COME, capacityTotal: 301 } }),
      () => change({ published: false }),
      () => change({ entry: null }),
      () => change({ entry: FIRST_COME }),
      () => scene.operator("PATCH", `/admin/organizations/${orgId}`, { active: false }),
      async () => {
        await scene.operator("DELETE", `/admin/events/${eventId}?confirm=${eventId}`);
        const removed = (await scene.announced()).at(-1);
        assert.deepEqual(removed?.type === "event.removed" && [removed.eventId, removed.revision], [eventId, before]);
        const again = { ...NEW, eventId, entry: FIRST_COME };
        return scene.operator("POST", `/admin/organizations/${orgId}/events`, again);
      },
    ];
    let before = 0;
    for (const [step, work] of grows.entries()) {
      const { status } = await work();
      const revision = await revisionOf();
      assert.ok(status < 300 && revision > before, `step ${step} answered ${status}: ${before} then ${revision}`);
      before = revision;
    }
    await scene.operator("PATCH", `/admin/events/${eventId}`, { name: "Renamed", entry: FIRST_COME });
    assert.equal(await revisionOf(), before);
  });

  /** The registry's own, but for who guards the entry settings. */
  const guardedBy = (checkEntryChange: Registry["checkEntryChange"]): Registry => ({
    db: scene.program.registry.db,
    clock: scene.program.opened.engines.clock,
    revocations: { revoke: async () => {} },
    carrySoon: () => {},
    checkEntryChange,
  });

  test("change their entry settings only as entry lets them", async () => {
    const { eventId } = await open({ entry: FIRST_COME });
    const asked: EntryChange[] = [];
    const refusal = new Problem("conflict", "entry.fewer-places", "There are more runners than that.");
    const registry = guardedBy(async (change) => {
      asked.push(change);
      if ((change.after?.capacityTotal ?? 0) < 300) throw refusal;
    });
    const { db } = registry;
    const rowOf = () => db.selectFrom("events").selectAll().where("event_id", "=", eventId).executeTakeFirst();
    const before = await rowOf();
    for (const entry of [{ ...FIRST_COME, capacityTotal: 299 }, null]) {
      const changing = changeEvent(registry, eventId, { entry, name: "Smaller", date: "2090-05-01" });
      await assert.rejects(changing, refusal);
      assert.deepEqual(asked.pop(), { eventId, before: FIRST_COME, after: entry });
      assert.deepEqual(await rowOf(), before);
    }
    assert.deepEqual(await announced(eventId), ["event.changed"]);

    const larger = { ...FIRST_COME, capacityTotal: 301 };
    assert.deepEqual((await changeEvent(registry, eventId, { entry: larger })).entry, larger);
    assert.deepEqual(asked, [{ eventId, before: FIRST_COME, after: larger }]);
    assert.equal((await announced(eventId)).length, 2);
  });

  test("ask entry nothing when their entry settings stay", async () => {
    const { eventId } = await open({ entry: FIRST_COME });
    const registry = guardedBy(async () => assert.fail("asked"));
    await changeEvent(registry, eventId, { name: "Renamed", date: "2090-05-01", published: false });
    await changeEvent(registry, eventId, { entry: reversed(FIRST_COME) as typeof FIRST_COME });
    assert.equal((await announced(eventId)).length, 2);
  });
});

const reversed = (fields: object) => Object.fromEntries(Object.entries(fields).reverse());
