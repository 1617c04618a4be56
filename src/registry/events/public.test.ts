/** Events as everybody sees them, over HTTP, on both databases. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Caller } from "../../../tests/harness/program.ts";
import { onEachDatabase, readPages } from "../../../tests/harness/registry.ts";

type Listed = { eventId: string; date: string };

onEachDatabase("published events", (scene) => {
  /** Three in May, one of them twice on a day, and a draft. */
  const publish = async () => {
    const { orgId, organizer } = await scene.program.makeOrganization();
    const events = [
      { eventId: `${orgId}-b`, date: "2090-05-01" },
      { eventId: `${orgId}-a`, date: "2090-05-01" },
      { eventId: `${orgId}-new`, date: "2090-05-30" },
      { eventId: `${orgId}-draft`, date: "2090-05-31", published: false },
    ];
    for (const event of events) {
      const body = { name: "Race", timeZone: "Asia/Seoul", ...event };
      await organizer("POST", `/admin/organizations/${orgId}/events`, body);
    }
    return { orgId, organizer, shown: ["new", "a", "b"].map((name) => `${orgId}-${name}`) };
  };
  const list = async (caller: Caller, query = "", limit = 2) =>
    (await readPages<Listed>(caller, `/events${query}`, limit)).flat();
  const idsOf = (events: Listed[], orgId: string) =>
    events.map(({ eventId }) => eventId).filter((id) => id.startsWith(`${orgId}-`));

  test("are listed page by page, the latest day first, drafts left out", async () => {
    const [one, other] = [await publish(), await publish()];
    const nobody = scene.program.as();
    const events = await list(nobody);
    const order = events.map(({ date, eventId }) => ({ date, eventId }));
    const latestFirst = (a: Listed, b: Listed) =>
      a.date === b.date ? (a.eventId < b.eventId ? -1 : 1) : a.date < b.date ? 1 : -1;
    assert.deepEqual(order, order.toSorted(latestFirst));
    assert.deepEqual(idsOf(events, one.orgId), one.shown);
    assert.deepEqual(idsOf(events, other.orgId), other.shown);
    // Even its own organizer gets the public's list here.
    assert.deepEqual(idsOf(await list(one.organizer), one.orgId), one.shown);
  });

  test("can be asked for by their organization's id or subdomain", async () => {
    const [one, other] = [await publish(), await publish()];
    const subdomain = `sub-${one.orgId}`;
    await one.organizer("PATCH", `/admin/organizations/${one.orgId}`, { subdomain });
    const nobody = scene.program.as();
    for (const filter of [`organization=${one.orgId}`, `subdomain=${subdomain}`]) {
      const events = await list(nobody, `?${filter}`, 1);
      assert.deepEqual(
        events.map(({ eventId }) => eventId),
        one.shown,
      );
    }
    assert.equal((await list(nobody, `?organization=${other.orgId}`)).length, 3);
    assert.deepEqual(await list(nobody, "?organization=nobody"), []);
    const korean = await scene.program.makeOrganization(`한강-${one.orgId}`);
    const event = { name: "Race", date: "2090-05-01", timeZone: "Asia/Seoul" };
    await korean.organizer("POST", `/admin/organizations/${encodeURIComponent(korean.orgId)}/events`, event);
    const decomposed = encodeURIComponent(korean.orgId.normalize("NFD"));
    assert.equal((await list(nobody, `?organization=${decomposed}`)).length, 1);
    assert.equal((await nobody("GET", "/events?organization=%00")).status, 400);
  });

  test("show what a page needs, and nothing for the organizers alone", async () => {
    const { orgId, organizer, shown } = await publish();
    const branding = { accentColor: "#c2410c", logoUrl: "https://example.com/logo.png" };
    await organizer("PATCH", `/admin/organizations/${orgId}`, { branding });
    const { status, body } = await scene.program.as()("GET", `/events/${shown[0]}`);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      eventId: shown[0],
      name: "Race",
      date: "2090-05-30",
      location: "To be announced",
      timeZone: "Asia/Seoul",
      displayMode: "RESULTS_AND_PHOTOS",
      entry: null,
      organization: { orgId, name: `Runners of ${orgId}`, subdomain: orgId, branding },
    });
  });

  test("are not there while they are drafts or their organization is hidden", async () => {
    const { orgId, organizer, shown } = await publish();
    const nobody = scene.program.as();
    for (const caller of [nobody, organizer]) {
      const { status, body } = await caller("GET", `/events/${orgId}-draft`);
      assert.deepEqual([status, body.code], [404, "event.not-found"]);
    }
    await organizer("PATCH", `/admin/events/${orgId}-draft`, { published: true });
    assert.equal((await nobody("GET", `/events/${orgId}-draft`)).status, 200);
    await scene.operator("PATCH", `/admin/organizations/${orgId}`, { active: false });
    assert.deepEqual(idsOf(await list(nobody, `?organization=${orgId}`), orgId), []);
    assert.equal((await nobody("GET", `/events/${shown[0]}`)).status, 404);
    assert.equal((await organizer("GET", `/admin/events/${shown[0]}`)).status, 200);
    await scene.operator("PATCH", `/admin/organizations/${orgId}`, { active: true });
    assert.equal((await list(nobody, `?organization=${orgId}`)).length, 4);
  });

  test("are counted by the page: one entry at least, two hundred at most", async () => {
    const nobody = scene.program.as();
    for (const limit of ["0", "201", "2.5", "many", ""]) {
      const { status, body } = await nobody("GET", `/events?limit=${limit}`);
      assert.deepEqual([status, body.code], [400, "input.invalid"], limit);
    }
    assert.equal((await nobody("GET", "/events?limit=200")).status, 200);
    assert.equal((await nobody("GET", "/events?limit=1&limit=2")).status, 400);
  });
});
