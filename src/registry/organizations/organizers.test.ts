/** Who may act for an organization, over HTTP, on both databases. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { onEachDatabase, readPages } from "../../../tests/harness/registry.ts";

const newEmail = () => `kim-${randomBytes(4).toString("hex")}@example.com`;

onEachDatabase("organizers", (scene) => {
  const organizersOf = async (orgId: string) => {
    const pages = await readPages<{ email: string }>(scene.operator, `/admin/organizations/${orgId}/organizers`, 2);
    return pages.flat().map(({ email }) => email);
  };

  test("who makes an organization becomes its first organizer", async () => {
    const email = newEmail();
    const person = scene.program.as({ userId: "u_maker", email, session: true });
    const others = ["ZOE@example.com", "abe@example.com", email.toUpperCase()];
    const made = await person("POST", "/admin/organizations", { name: "Own", organizers: others });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.deepEqual(await organizersOf(made.body.orgId), ["abe@example.com", email, "zoe@example.com"]);
    // The next request asks the session anew, and so may already act for it.
    assert.match(made.headers.get("set-cookie") ?? "", /snaprace_access=;.*Max-Age=0/);
  });

  test("who has no e-mail address can't make one, unless they are an operator", async () => {
    const { status, body } = await scene.program.as({})("POST", "/admin/organizations", { name: "Nobody's" });
    assert.deepEqual([status, body.code], [403, "organization.needs-email"]);
    const { orgId } = await scene.program.makeOrganization();
    assert.deepEqual(await organizersOf(orgId), []);
  });

  test("are added once and removed, all but the last", async () => {
    const { orgId, organizer } = await scene.program.makeOrganization();
    const path = `/admin/organizations/${orgId}/organizers`;
    for (const email of ["a@example.com", "B%40example.com", "b@example.com"]) {
      assert.equal((await organizer("PUT", `${path}/${email}`)).status, 204, email);
    }
    assert.deepEqual(await organizersOf(orgId), ["a@example.com", "b@example.com"]);
    assert.equal((await organizer("PUT", `${path}/nobody`)).status, 400);
    const unknown = await organizer("DELETE", `${path}/c@example.com`);
    assert.deepEqual([unknown.status, unknown.body.code], [404, "organizer.not-found"]);
    assert.equal((await organizer("DELETE", `${path}/A@example.com`)).status, 204);
    const last = await organizer("DELETE", `${path}/b@example.com`);
    assert.deepEqual([last.status, last.body.code], [409, "organizer.last"]);
    assert.deepEqual(await organizersOf(orgId), ["b@example.com"]);
    const nowhere = await scene.operator("PUT", "/admin/organizations/nowhere/organizers/a@example.com");
    assert.deepEqual([nowhere.status, nowhere.body.code], [404, "organization.not-found"]);
  });

  test("of two who remove each other at once, one stays", async () => {
    const { orgId, organizer } = await scene.program.makeOrganization();
    const path = `/admin/organizations/${orgId}/organizers`;
    for (const name of ["a", "b"]) await organizer("PUT", `${path}/${name}@example.com`);
    const removed = await Promise.all(["a", "b"].map((name) => organizer("DELETE", `${path}/${name}@example.com`)));
    assert.deepEqual(removed.map(({ status }) => status).sort(), [204, 409]);
    assert.equal((await organizersOf(orgId)).length, 1);
  });

  test("hold tokens that no longer act for it once they are removed", async () => {
    const [one, other] = [await scene.program.makeOrganization(), await scene.program.makeOrganization()];
    const [email, userId] = [newEmail(), `u_${randomBytes(6).toString("hex")}`];
    const now = new Date();
    const times = { created_at: now, updated_at: now };
    await scene.program.registry.db
      .insertInto("users")
      .values({ id: userId, name: "", email, email_verified: true, ...times })
      .execute();
    const path = `/admin/organizations/${one.orgId}`;
    for (const each of [email, "stays@example.com"]) await one.organizer("PUT", `${path}/organizers/${each}`);
    const person = scene.program.as({ userId, email, organizations: [one.orgId, other.orgId] });
    assert.equal((await person("GET", path)).status, 200);
    assert.equal((await one.organizer("DELETE", `${path}/organizers/${email}`)).status, 204);
    assert.equal((await person("GET", path)).status, 404);
    assert.equal((await person("GET", `/admin/organizations/${other.orgId}`)).status, 200);
    assert.equal((await one.organizer("GET", path)).status, 200);
  });

  test("have ten organizations at most", async () => {
    const email = newEmail();
    const person = scene.program.as({ userId: "u_ten", email });
    const made = [];
    for (let n = 1; n <= 10; n++) made.push(await person("POST", "/admin/organizations", { name: `Number ${n}` }));
    assert.ok(made.every(({ status }) => status === 201));
    const { orgId, organizer } = await scene.program.makeOrganization();
    const refusals = [
      await person("POST", "/admin/organizations", { orgId: `eleventh-of-${orgId}`, name: "Number 11" }),
      await scene.operator("POST", "/admin/organizations", { name: "Number 11", organizers: [email] }),
      await organizer("PUT", `/admin/organizations/${orgId}/organizers/${email}`),
    ];
    for (const { status, body } of refusals) assert.deepEqual([status, body.code], [409, "organization.too-many"]);
    assert.equal((await scene.operator("GET", `/admin/organizations/eleventh-of-${orgId}`)).status, 404);
    // Where they are already, nothing changes.
    const first = made[0]?.body.orgId;
    assert.equal((await scene.operator("PUT", `/admin/organizations/${first}/organizers/${email}`)).status, 204);
  });
});
