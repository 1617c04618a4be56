/** Who photographs which event, over HTTP, on both databases. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Caller } from "../../../tests/harness/program.ts";
import { onEachDatabase, readPages } from "../../../tests/harness/registry.ts";

type Assigned = { photographerId: string; role: string };

onEachDatabase("assignments", (scene) => {
  const openEvents = async (count = 1) => {
    const { orgId, organizer } = await scene.program.makeOrganization();
    const eventIds = Array.from({ length: count }, (_, n) => `${orgId}-${n}`);
    for (const eventId of eventIds) {
      const event = { eventId, name: "Race", date: "2090-04-18", timeZone: "Asia/Seoul", published: false };
      await organizer("POST", `/admin/organizations/${orgId}/events`, event);
    }
    const path = (photographerId = "") => `/admin/events/${eventIds[0]}/photographers/${photographerId}`;
    return { orgId, organizer, eventIds, path };
  };
  const register = async (orgId: string, organizer: Caller, photographerId: string) => {
    const photographer = { photographerId, name: "Kim Minji", displayName: "Minji", email: "minji@example.com" };
    await organizer("POST", `/admin/organizations/${orgId}/photographers`, photographer);
    return photographerId;
  };

  test("are made, given another role, and ended", async () => {
    const { orgId, organizer, eventIds, path } = await openEvents();
    const minji = await register(orgId, organizer, `minji-${orgId}`);
    const list = async () =>
      (await organizer("GET", `/admin/events/${eventIds[0]}/photographers`)).body.items.map((each: Assigned) => [
        each.photographerId,
        each.role,
      ]);
    assert.equal((await organizer("PUT", path(minji), {})).status, 204);
    assert.deepEqual(await list(), [[minji, "photographer"]]);
    assert.equal((await organizer("PUT", path(minji), { role: " finish line " })).status, 204);
    assert.deepEqual(await list(), [[minji, "finish line"]]);
    assert.equal((await organizer("PUT", path(minji), { role: "" })).status, 400);
    const unknown = await organizer("PUT", path("nobody"), {});
    assert.deepEqual([unknown.status, unknown.body.code], [404, "photographer.not-found"]);
    assert.equal((await organizer("DELETE", path(minji))).status, 204);
    const again = await organizer("DELETE", path(minji));
    assert.deepEqual([again.status, again.body.code], [404, "assignment.not-found"]);
    assert.deepEqual(await list(), []);
  });

  test("take another organization's photographer, of whom only the credit is shown", async () => {
    const [home, away] = [await openEvents(), await openEvents()];
    const minji = await register(home.orgId, home.organizer, `minji-${home.orgId}`);
    assert.equal((await away.organizer("PUT", away.path(minji), { role: "start" })).status, 204);
    const { body } = await away.organizer("GET", `/admin/events/${away.eventIds[0]}/photographers`);
    const [{ assignedAt, ...assigned }] = body.items;
    assert.ok(Date.parse(assignedAt) > 0);
    assert.deepEqual(assigned, {
      photographerId: minji,
      displayName: "Minji",
      instagramHandle: null,
      websiteUrl: null,
      bio: null,
      role: "start",
    });
    // Being assigned gives no say over them.
    const ownPath = `/admin/organizations/${away.orgId}/photographers/${minji}`;
    assert.equal((await away.organizer("GET", ownPath)).status, 404);
    // And nobody assigns to an event of somebody else.
    const foreign = await away.organizer("PUT", home.path(minji), {});
    assert.deepEqual([foreign.status, foreign.body.code], [404, "event.not-found"]);
    assert.equal((await home.organizer("DELETE", away.path(minji))).status, 404);
  });

  test("take nobody who is not active", async () => {
    const { orgId, organizer, path } = await openEvents();
    const minji = await register(orgId, organizer, `minji-${orgId}`);
    const ownPath = `/admin/organizations/${orgId}/photographers/${minji}`;
    await organizer("PATCH", ownPath, { active: false });
    const refused = await organizer("PUT", path(minji), {});
    assert.deepEqual([refused.status, refused.body.code], [404, "photographer.not-found"]);
    await organizer("PATCH", ownPath, { active: true });
    assert.equal((await organizer("PUT", path(minji), {})).status, 204);
  });

  test("are listed page by page", async () => {
    const { orgId, organizer, eventIds, path } = await openEvents();
    const ids = [1, 2, 3, 4, 5].map((n) => `${orgId}-${n}`);
    for (const id of ids.toReversed()) {
      await organizer("PUT", path(await register(orgId, organizer, id)), {});
    }
    const pages = await readPages<Assigned>(organizer, `/admin/events/${eventIds[0]}/photographers`, 2);
    assert.deepEqual(
      pages.map((page) => page.map(({ photographerId }) => photographerId)),
      [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)],
    );
  });

  test("are listed to the photographer, drafts too, each event once", async () => {
    const { orgId, organizer, eventIds } = await openEvents(5);
    const [one, two, other] = [`${orgId}-one`, `${orgId}-two`, `${orgId}-other`];
    for (const id of [one, two, other]) await register(orgId, organizer, id);
    const assign = (n: number, id: string) => organizer("PUT", `/admin/events/${eventIds[n]}/photographers/${id}`, {});
    for (const n of [3, 1, 0]) await assign(n, one);
    for (const n of [3, 4]) await assign(n, two);
    await assign(2, other);
    const photographer = scene.program.as({ photographers: [one, two] });
    const pages = await readPages<{ eventId: string; organization: object }>(photographer, "/me/assignments", 3);
    assert.deepEqual(
      pages.map((page) => page.map(({ eventId }) => eventId)),
      [[0, 1, 3].map((n) => eventIds[n]), [eventIds[4]]],
    );
    const organization = { orgId, name: `Runners of ${orgId}`, subdomain: orgId, branding: {} };
    assert.deepEqual(pages[0]?.[0]?.organization, organization);
    const nobody = await scene.program.as({ organizations: [orgId] })("GET", "/me/assignments");
    assert.deepEqual([nobody.status, nobody.body.code], [403, "access.forbidden"]);
  });

  test("go with the photographer and with the event", async () => {
    const { orgId, organizer, eventIds } = await openEvents(2);
    const ids = [`${orgId}-a`, `${orgId}-b`];
    for (const id of ids) {
      await register(orgId, organizer, id);
      for (const eventId of eventIds) await organizer("PUT", `/admin/events/${eventId}/photographers/${id}`, {});
    }
    await organizer("DELETE", `/admin/organizations/${orgId}/photographers/${ids[0]}`);
    await organizer("DELETE", `/admin/events/${eventIds[0]}?confirm=${eventIds[0]}`);
    const { body } = await organizer("GET", `/admin/events/${eventIds[1]}/photographers`);
    assert.deepEqual(
      body.items.map(({ photographerId }: Assigned) => photographerId),
      [ids[1]],
    );
    const own = await scene.program.as({ photographers: [ids[1] ?? ""] })("GET", "/me/assignments");
    assert.deepEqual(
      own.body.items.map(({ eventId }: { eventId: string }) => eventId),
      [eventIds[1]],
    );
  });
});
