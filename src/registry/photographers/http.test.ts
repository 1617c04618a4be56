/** Photographers, and what others hear when they change, over HTTP, on both databases. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import type { Reply } from "../../../tests/harness/program.ts";
import { onEachDatabase, readPages, wrongFields } from "../../../tests/harness/registry.ts";

/** Handles and ids belong to one photographer of all organizations. */
const unique = (name: string) => `${name}.${randomBytes(4).toString("hex")}`;

onEachDatabase("photographers", (scene) => {
  const open = async () => {
    const { orgId, organizer } = await scene.program.makeOrganization();
    const path = `/admin/organizations/${orgId}/photographers`;
    const register = (photographer: object) => organizer("POST", path, { name: "Kim Minji", ...photographer });
    return { orgId, organizer, path, register };
  };
  const openOne = async (photographer: object = {}) => {
    const scenery = await open();
    const { body } = await scenery.register(photographer);
    const photographerId: string = body.photographerId;
    return { ...scenery, photographerId, path: `${scenery.path}/${photographerId}` };
  };
  const announcedOf = async (photographerId: string) =>
    (await scene.announced()).flatMap((message) =>
      message.type === "photographer.changed" && message.photographerId === photographerId ? [message] : [],
    );

  test("are registered with as little as a name", async () => {
    const { orgId, organizer, path, register } = await open();
    const { status, headers, body } = await register({});
    assert.equal(status, 201, JSON.stringify(body));
    const { photographerId, createdAt, updatedAt, ...photographer } = body;
    assert.match(photographerId, /^kim-minji-[0-9a-f]{6}$/);
    assert.equal(headers.get("location"), `/api${path}/${photographerId}`);
    assert.deepEqual([typeof createdAt, typeof updatedAt], ["string", "string"]);
    assert.deepEqual(photographer, {
      orgId,
      name: "Kim Minji",
      displayName: "Kim Minji",
      email: null,
      instagramHandle: null,
      websiteUrl: null,
      bio: null,
      active: true,
    });
    assert.deepEqual((await organizer("GET", `${path}/${photographerId}`)).body, body);
    assert.deepEqual(await announcedOf(photographerId), []);
  });

  test("keep all they were registered with, the handle as Instagram writes it", async () => {
    const { register } = await open();
    const handle = unique("Minji.Runs");
    const photographer = {
      photographerId: unique("minji"),
      displayName: "민지 Photo",
      websiteUrl: "https://minji.example/runs",
      bio: "Finish lines.\nAnd rain.",
      email: "minji@example.com",
      active: false,
    };
    const { body } = await register({ ...photographer, email: " Minji@Example.com", instagramHandle: `@${handle}` });
    const { orgId, name, createdAt, updatedAt, ...kept } = body;
    assert.deepEqual(kept, { ...photographer, instagramHandle: handle.toLowerCase() });
    for (const bad of ["@", "a b", ".dot", "dot.", "ha#ndle", "x".repeat(31), "@@two"]) {
      const refused = await register({ instagramHandle: bad });
      assert.deepEqual([refused.status, wrongFields(refused)], [400, ["instagramHandle"]], bad);
    }
    const again = await register({ photographerId: photographer.photographerId });
    assert.deepEqual([again.status, again.body.code], [409, "photographer.exists"]);
    const nowhere = await scene.operator("POST", "/admin/organizations/nowhere/photographers", { name: "Lost" });
    assert.deepEqual([nowhere.status, nowhere.body.code], [404, "organization.not-found"]);
  });

  test("have a handle that nobody else has, however it is written", async () => {
    const handle = unique("taken");
    await openOne({ instagramHandle: handle });
    const { organizer, register, path, photographerId } = await openOne();
    for (const same of [handle, `@${handle.toUpperCase()}`]) {
      const refusals = [
        await register({ instagramHandle: same }),
        await organizer("PATCH", path, { instagramHandle: same, displayName: "Somebody else" }),
      ];
      for (const { status, body } of refusals)
        assert.deepEqual([status, body.code], [409, "photographer.handle-taken"]);
    }
    assert.equal((await organizer("GET", path)).body.displayName, "Kim Minji");
    assert.deepEqual(await announcedOf(photographerId), []);
  });

  test("are announced when the handle or the display name is another one, and only then", async () => {
    const { organizer, path, photographerId } = await openOne();
    const handle = unique("new");
    const changes = [
      { bio: "New" },
      { instagramHandle: handle },
      { instagramHandle: `@${handle.toUpperCase()}`, websiteUrl: "https://minji.example" },
      { displayName: "Minji" },
      { displayName: "  Minji ", name: "Another Name", email: "minji@example.com" },
      { instagramHandle: null, displayName: "M" },
      {},
    ];
    const answers: Reply[] = [];
    for (const change of changes) answers.push(await organizer("PATCH", path, change));
    assert.ok(answers.every(({ status }) => status === 200));
    const announced = await announcedOf(photographerId);
    assert.deepEqual(
      announced.map(({ handle, displayName }) => ({ handle, displayName })),
      [
        { handle, displayName: "Kim Minji" },
        { handle, displayName: "Minji" },
        { handle: null, displayName: "M" },
      ],
    );
    const times = announced.map(({ occurredAt }) => occurredAt);
    assert.deepEqual(
      times,
      [1, 3, 5].map((n) => answers[n]?.body.updatedAt),
    );
    assert.deepEqual(times, [...new Set(times)].sort());
  });

  test("are announced with a later time each time, whatever the clock says", async () => {
    const { organizer, path, photographerId } = await openOne();
    await scene.program.registry.db
      .updateTable("photographers")
      .set({ updated_at: "2090-01-01T00:00:00Z" })
      .where("photographer_id", "=", photographerId)
      .execute();
    for (const displayName of ["One", "Two"]) await organizer("PATCH", path, { displayName });
    assert.deepEqual(
      (await announcedOf(photographerId)).map(({ displayName, occurredAt }) => [displayName, occurredAt]),
      [
        ["One", "2090-01-01T00:00:00.001Z"],
        ["Two", "2090-01-01T00:00:00.002Z"],
      ],
    );
  });

  test("change their own credit, and nothing else", async () => {
    const { photographerId, organizer, path } = await openOne({ email: "minji@example.com" });
    const other = await openOne({ displayName: "Other" });
    const photographer = scene.program.as({ photographers: [photographerId] });
    const credit = { displayName: "Me", instagramHandle: null, websiteUrl: "https://me.example", bio: "I" };
    const { status, body } = await photographer("PATCH", `/photographers/${photographerId}`, credit);
    assert.deepEqual([status, body], [200, { photographerId, ...credit }]);
    assert.equal((await announcedOf(photographerId)).length, 1);
    const shown = await scene.program.as()("GET", `/photographers/${photographerId}`);
    assert.deepEqual(shown.body, { photographerId, ...credit });
    assert.equal((await organizer("GET", path)).body.name, "Kim Minji");

    for (const field of ["name", "email", "active", "photographerId"]) {
      const refused = await photographer("PATCH", `/photographers/${photographerId}`, { [field]: "x" });
      assert.deepEqual([refused.status, wrongFields(refused)], [400, [field]]);
    }
    const foreign = await photographer("PATCH", `/photographers/${other.photographerId}`, { displayName: "Mine" });
    assert.deepEqual([foreign.status, foreign.body.code], [404, "photographer.not-found"]);
    const stranger = await scene.program.as({})("PATCH", `/photographers/${photographerId}`, { bio: "" });
    assert.deepEqual([stranger.status, stranger.body.code], [403, "access.forbidden"]);
    assert.equal((await scene.program.as()("GET", `/photographers/${other.photographerId}`)).body.displayName, "Other");
  });

  test("are as if they were not there to other organizations", async () => {
    const { photographerId, organizer, path } = await openOne();
    const other = await open();
    const missing = [404, "photographer.not-found"];
    for (const [method, send] of [["GET"], ["PATCH", { displayName: "Mine", active: false }], ["DELETE"]] as const) {
      const stolen = await other.organizer(method, `${other.path}/${photographerId}`, send);
      assert.deepEqual([stolen.status, stolen.body.code], missing, method);
      const { status, body } = await other.organizer(method, path, send);
      assert.deepEqual([status, body.code], [404, "organization.not-found"], method);
    }
    assert.equal((await organizer("GET", path)).body.displayName, "Kim Minji");
    assert.deepEqual((await other.organizer("GET", other.path)).body, { items: [] });
  });

  test("are listed by the organization that registered them, page by page", async () => {
    const { orgId, organizer, path, register } = await open();
    const ids = [1, 2, 3, 4, 5].map((n) => `${orgId}-${n}`);
    for (const photographerId of ids.toReversed()) await register({ photographerId });
    const pages = await readPages<{ photographerId: string }>(organizer, path, 2);
    assert.deepEqual(
      pages.map((page) => page.map(({ photographerId }) => photographerId)),
      [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)],
    );
  });

  test("are no photographers any more once they are deactivated, have another address or are removed", async () => {
    const endings: [method: string, send?: object][] = [
      ["PATCH", { active: false }],
      ["PATCH", { email: "other@example.com" }],
      ["DELETE"],
    ];
    for (const [method, send] of endings) {
      const { photographerId, organizer, path } = await openOne({ email: "minji@example.com" });
      const photographer = scene.program.as({ photographers: [photographerId] });
      assert.equal((await photographer("GET", "/me/assignments")).status, 200);
      assert.ok((await organizer(method, path, send)).status < 300);
      const { status, body } = await photographer("GET", "/me/assignments");
      assert.deepEqual([status, body.code], [403, "access.forbidden"], JSON.stringify([method, send]));
      const isShown = (await scene.program.as()("GET", `/photographers/${photographerId}`)).status === 200;
      assert.equal(isShown, send !== undefined && "email" in send);
      assert.equal((await organizer("DELETE", path)).status, method === "DELETE" ? 404 : 204);
    }
  });
});
