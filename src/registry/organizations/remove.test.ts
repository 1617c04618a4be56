/** What goes with an organization, and who hears of it, over HTTP, on both databases. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import type { Caller } from "../../../tests/harness/program.ts";
import { onEachDatabase, untilBlocked } from "../../../tests/harness/registry.ts";

onEachDatabase("removing an organization", (scene) => {
  const makeEvents = async (orgId: string, organizer: Caller, count: number) => {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) {
      const event = { eventId: `${orgId}-${n}`, name: "Race", date: "2090-04-18", timeZone: "Asia/Seoul" };
      ids.push((await organizer("POST", `/admin/organizations/${orgId}/events`, event)).body.eventId);
    }
    return ids;
  };
  const removedEvents = async (orgId: string) => {
    const messages = await scene.announced();
    return messages.flatMap((message) =>
      message.type === "event.removed" && message.orgId === orgId ? [message.eventId] : [],
    );
  };

  test("takes its events, runners and photographers along and announces each event", async () => {
    const { orgId, organizer } = await scene.program.makeOrganization();
    const other = await scene.program.makeOrganization();
    const events = await makeEvents(orgId, organizer, 3);
    await makeEvents(other.orgId, other.organizer, 1);
    await organizer("POST", `/admin/events/${events[0]}/runners`, { bib: "1" });
    const photographerId = `photographer-of-${orgId}`;
    await organizer("POST", `/admin/organizations/${orgId}/photographers`, { photographerId, name: "Minji" });
    await organizer("PUT", `/admin/events/${events[0]}/photographers/${photographerId}`, {});
    const before = Date.now();
    assert.equal((await organizer("DELETE", `/admin/organizations/${orgId}?confirm=${orgId}`)).status, 204);

    assert.deepEqual((await removedEvents(orgId)).sort(), events);
    assert.deepEqual(await removedEvents(other.orgId), []);
    const [message] = (await scene.announced()).filter((each) => "orgId" in each && each.orgId === orgId);
    const occurredAt = Date.parse(message?.occurredAt ?? "");
    assert.ok(occurredAt >= before && occurredAt <= Date.now(), message?.occurredAt);
    for (const eventId of events) assert.equal((await scene.operator("GET", `/admin/events/${eventId}`)).status, 404);
    assert.equal((await scene.operator("GET", `/photographers/${photographerId}`)).status, 404);
    const left = await scene.program.registry.db
      .selectFrom("event_runners")
      .selectAll()
      .where("event_id", "in", events)
      .execute();
    assert.deepEqual(left, []);
  });

  test("ends what old tokens say of it, also when there is one of the same id again", async () => {
    const { orgId, organizer } = await scene.program.makeOrganization();
    const photographerId = `same-${orgId}`;
    const register = { photographerId, name: "Minji" };
    await organizer("POST", `/admin/organizations/${orgId}/photographers`, register);
    const photographer = scene.program.as({ photographers: [photographerId] });
    assert.equal((await photographer("PATCH", `/photographers/${photographerId}`, { bio: "Hello" })).status, 200);
    await organizer("DELETE", `/admin/organizations/${orgId}?confirm=${orgId}`);

    const again = await scene.program.makeOrganization(orgId);
    await again.organizer("POST", `/admin/organizations/${orgId}/photographers`, register);
    assert.equal((await organizer("GET", `/admin/organizations/${orgId}`)).status, 403);
    assert.equal((await again.organizer("GET", `/admin/organizations/${orgId}`)).status, 200);
    const old = await photographer("PATCH", `/photographers/${photographerId}`, { bio: "Mine" });
    assert.deepEqual([old.status, old.body.code], [403, "access.forbidden"]);
  });

  if (scene.database === "PGlite") return;

  test("waits for an event that is just being made, and announces it too", async () => {
    const { orgId, organizer } = await scene.program.makeOrganization();
    const [eventId] = await makeEvents(orgId, organizer, 1);
    const late = `${orgId}-late`;
    const transaction = await scene.program.registry.db.startTransaction().execute();
    await sql`insert into events select (jsonb_populate_record(events, ${JSON.stringify({ event_id: late })})).*
      from events where event_id = ${eventId}`.execute(transaction);
    const removing = organizer("DELETE", `/admin/organizations/${orgId}?confirm=${orgId}`);
    await untilBlocked(scene.program, 1);
    await transaction.commit().execute();
    assert.equal((await removing).status, 204);
    assert.deepEqual((await removedEvents(orgId)).sort(), [eventId, late]);
  });

  test("is told to those who are just adding to it", async () => {
    const { orgId, organizer } = await scene.program.makeOrganization();
    const transaction = await scene.program.registry.db.startTransaction().execute();
    await transaction.deleteFrom("organizers").where("organizer_id", "=", orgId).execute();
    const path = `/admin/organizations/${orgId}`;
    const adding = [
      organizer("POST", `${path}/events`, { name: "Race", date: "2090-04-18", timeZone: "Asia/Seoul" }),
      organizer("POST", `${path}/photographers`, { name: "Minji" }),
      organizer("PUT", `${path}/organizers/kim@example.com`),
    ];
    await untilBlocked(scene.program, adding.length);
    await transaction.commit().execute();
    for (const { status, body } of await Promise.all(adding)) {
      assert.deepEqual([status, body.code], [404, "organization.not-found"]);
    }
  });
});
