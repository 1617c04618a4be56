/** Organizations over HTTP, on both databases. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { onEachDatabase, readPages, wrongFields } from "../../../tests/harness/registry.ts";

onEachDatabase("organizations", (scene) => {
  test("are made, shown, changed and removed", async () => {
    const { orgId, organizer } = await scene.program.makeOrganization();
    const shown = await organizer("GET", `/admin/organizations/${orgId}`);
    assert.equal(shown.status, 200);
    assert.equal(shown.body.subdomain, orgId);
    const changed = await organizer("PATCH", `/admin/organizations/${orgId}`, { name: "한강 러너스" });
    assert.equal(changed.body.name, "한강 러너스");
    assert.equal(changed.body.subdomain, orgId);
    assert.equal((await organizer("DELETE", `/admin/organizations/${orgId}`)).body.code, "input.not-confirmed");
    const removed = await organizer("DELETE", `/admin/organizations/${orgId}?confirm=${orgId}`);
    assert.equal(removed.status, 204, JSON.stringify(removed.body));
    assert.equal((await scene.operator("GET", `/admin/organizations/${orgId}`)).status, 404);
    const again = await scene.operator("DELETE", `/admin/organizations/${orgId}?confirm=${orgId}`);
    assert.deepEqual([again.status, again.body.code], [404, "organization.not-found"]);
  });

  test("keep the id they were given, or get one from the name", async () => {
    const { operator } = scene;
    const chosen = await operator("POST", "/admin/organizations", { orgId: "Chosen.2027", name: "Chosen" });
    assert.equal(chosen.status, 201);
    assert.equal(chosen.body.orgId, "Chosen.2027");
    assert.equal(chosen.headers.get("location"), "/api/admin/organizations/Chosen.2027");
    // A dot is no part of a subdomain's name.
    assert.match(chosen.body.subdomain, /^race-[0-9a-f]{6}$/);
    const made = await operator("POST", "/admin/organizations", { name: "  Café Runners!  " });
    assert.match(made.body.orgId, /^cafe-runners-[0-9a-f]{6}$/);
    assert.equal(made.body.name, "Café Runners!");
    assert.equal(made.body.subdomain, made.body.orgId);
    assert.deepEqual([made.body.active, made.body.branding], [true, {}]);
    const korean = await operator("POST", "/admin/organizations", { name: "한강" });
    assert.match(korean.body.orgId, /^organization-[0-9a-f]{6}$/);
    const again = await operator("POST", "/admin/organizations", { orgId: "Chosen.2027", name: "Another" });
    assert.deepEqual([again.status, again.body.code], [409, "organization.exists"]);
  });

  test("have a subdomain of their own", async () => {
    const [one, other] = [await scene.program.makeOrganization(), await scene.program.makeOrganization()];
    const taken = { name: "Late", subdomain: one.orgId.toUpperCase() };
    const late = await scene.operator("POST", "/admin/organizations", taken);
    assert.deepEqual([late.status, late.body.code], [409, "organization.subdomain-taken"]);
    const path = `/admin/organizations/${other.orgId}`;
    const moved = await other.organizer("PATCH", path, { subdomain: one.orgId });
    assert.deepEqual([moved.status, moved.body.code], [409, "organization.subdomain-taken"]);
    assert.equal((await other.organizer("GET", path)).body.subdomain, other.orgId);
  });

  test("refuse fields they don't know, by name", async () => {
    const { orgId, organizer } = await scene.program.makeOrganization();
    const made = await scene.operator("POST", "/admin/organizations", { name: "A", colour: "red", owner: 1 });
    assert.deepEqual([made.status, made.body.code], [400, "input.invalid"]);
    assert.deepEqual(wrongFields(made), ["colour", "owner"]);
    const branding = { accentColor: "red", logo: "x", websiteUrl: "javascript:alert(1)" };
    const changed = await organizer("PATCH", `/admin/organizations/${orgId}`, { orgId: "b", branding });
    assert.deepEqual(wrongFields(changed).sort(), [
      "branding.accentColor",
      "branding.logo",
      "branding.websiteUrl",
      "orgId",
    ]);
    const asked = await organizer("GET", `/admin/organizations?limit=5&page=2`);
    assert.deepEqual([asked.body.code, wrongFields(asked)], ["input.invalid", ["page"]]);
    const shown = await organizer("GET", `/admin/organizations/${orgId}?verbose=1`);
    assert.deepEqual(wrongFields(shown), ["verbose"]);
  });

  test("are listed page by page, to organizers only their own", async () => {
    const name = `page-${Date.now()}`;
    const ids = Array.from({ length: 7 }, (_, n) => `${name}-${n}`);
    for (const orgId of ids.toReversed()) await scene.program.makeOrganization(orgId);
    const pages = await readPages<{ orgId: string }>(scene.operator, "/admin/organizations", 3);
    assert.ok(pages.slice(0, -1).every((page) => page.length === 3));
    const all = pages.flat().map(({ orgId }) => orgId);
    assert.deepEqual(all, all.toSorted());
    assert.deepEqual(
      all.filter((orgId) => orgId.startsWith(name)),
      ids,
    );
    const own = [1, 3, 4, 6].map((n) => `${name}-${n}`);
    const organizer = scene.program.as({ organizations: [...own, "gone"] });
    const ownPages = await readPages<{ orgId: string }>(organizer, "/admin/organizations", 2);
    assert.deepEqual(
      ownPages.map((page) => page.map(({ orgId }) => orgId)),
      [own.slice(0, 2), own.slice(2)],
    );
    const nobody = await scene.program.as({})("GET", "/admin/organizations");
    assert.deepEqual(nobody.body, { items: [] });
  });

  test("take no cursor but their own", async () => {
    const cursorOf = (position: unknown) => Buffer.from(JSON.stringify(position)).toString("base64url");
    for (const cursor of ["x", cursorOf({}), cursorOf({ orgId: 1 }), cursorOf({ orgId: "a\u0000" })]) {
      const { status, body } = await scene.operator("GET", `/admin/organizations?cursor=${cursor}`);
      assert.deepEqual([status, body.code], [400, "cursor.invalid"], cursor);
    }
  });

  test("are nobody else's business", async () => {
    const [own, other] = [await scene.program.makeOrganization(), await scene.program.makeOrganization()];
    const path = `/admin/organizations/${other.orgId}`;
    const missing = [404, "organization.not-found"];
    for (const [method, below, send] of [
      ["GET", ""],
      ["PATCH", "", { name: "Mine" }],
      ["DELETE", `?confirm=${other.orgId}`],
      ["GET", "/organizers"],
      ["PUT", "/organizers/me@example.com"],
      ["DELETE", "/organizers/me@example.com"],
    ] as const) {
      const { status, body } = await own.organizer(method, `${path}${below}`, send);
      assert.deepEqual([status, body.code], missing, `${method} ${below}`);
      assert.equal((await scene.program.as({})(method, `${path}${below}`, send)).status, 403);
      assert.equal((await scene.program.as()(method, `${path}${below}`, send)).status, 401);
    }
    assert.equal((await other.organizer("GET", path)).body.name, `Runners of ${other.orgId}`);
  });

  test("are hidden and shown by operators only", async () => {
    const { orgId, organizer } = await scene.program.makeOrganization();
    const path = `/admin/organizations/${orgId}`;
    const refused = await organizer("PATCH", path, { active: false, name: "Hidden" });
    assert.deepEqual([refused.status, refused.body.code], [403, "access.forbidden"]);
    assert.equal((await organizer("GET", path)).body.name, `Runners of ${orgId}`);
    const hidden = await scene.operator("PATCH", path, { active: false });
    assert.deepEqual([hidden.status, hidden.body.active], [200, false]);
  });
});
