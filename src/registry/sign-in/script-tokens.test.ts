/** Tokens for scripts, on both databases: who makes them, what they may do, and how they end. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { newEmail, type Person, signIn } from "../../../tests/harness/people.ts";
import { type Caller, DATABASES, openDatabases, type TestProgram } from "../../../tests/harness/program.ts";

const DAY_MS = 86_400_000;

for (const database of DATABASES) {
  describe(`tokens for scripts on ${database}`, () => {
    let databases: Awaited<ReturnType<typeof openDatabases>>;
    let program: TestProgram;
    before(async () => {
      databases = await openDatabases(database);
      program = await databases.open();
    });
    after(() => databases.close());

    const script = (token: string): Caller => {
      const call = program.as();
      return (method, path, send, headers) =>
        call(method, path, send, { authorization: `Bearer ${token}`, ...headers });
    };
    const make = async (person: Person, body: object = { name: "upload" }) => {
      const made = await person.call("POST", "/me/tokens", body);
      assert.equal(made.status, 201, JSON.stringify(made.body));
      return { ...made.body, call: script(made.body.token) } as {
        tokenId: string;
        token: string;
        expiresAt: string;
        call: Caller;
      };
    };
    const names = async (person: Person) =>
      (await person.call("GET", "/me/tokens")).body.items.map(({ name }: { name: string }) => name);

    /** Somebody who is an organizer of two organizations, each with another organizer who could remove them. */
    async function makeOrganizer() {
      const email = newEmail();
      const organizations = [await program.makeOrganization(), await program.makeOrganization()] as const;
      for (const { orgId, organizer } of organizations) {
        for (const each of [email, newEmail()])
          await organizer("PUT", `/admin/organizations/${orgId}/organizers/${each}`);
      }
      return { kim: await signIn(program, email), organizations };
    }

    test("act as who made them, and say so", async () => {
      const { kim, organizations } = await makeOrganizer();
      const { call } = await make(kim);
      const own = (await kim.call("GET", "/me")).body;
      assert.deepEqual((await call("GET", "/me")).body, own);
      assert.deepEqual(own.organizations.sort(), organizations.map(({ orgId }) => orgId).sort());
      assert.equal((await call("GET", `/admin/organizations/${organizations[0].orgId}`)).status, 200);
    });

    test("are shown once and listed without, newest first, to nobody else", async () => {
      const kim = await signIn(program);
      for (const name of ["first", "second", "third"]) await make(kim, { name });
      const lee = await signIn(program);
      await make(lee, { name: "of lee" });
      const list = await kim.call("GET", "/me/tokens");
      assert.deepEqual(await names(kim), ["third", "second", "first"]);
      const page = (await kim.call("GET", "/me/tokens?limit=2")).body;
      const rest = (await kim.call("GET", `/me/tokens?limit=2&cursor=${page.cursor}`)).body;
      assert.deepEqual(
        [page, rest].map(({ items }) => items.map(({ name }: { name: string }) => name)),
        [["third", "second"], ["first"]],
      );
      assert.doesNotMatch(JSON.stringify(list.body), /eyJ|of lee/);
      assert.deepEqual(Object.keys(list.body.items[0]).sort(), ["createdAt", "expiresAt", "name", "tokenId"]);
    });

    test("are kept nowhere", async () => {
      const kim = await signIn(program);
      const { token } = await make(kim);
      const rows = await program.registry.db.selectFrom("script_tokens").selectAll().execute();
      assert.ok(!JSON.stringify(rows).includes(token.split(".")[2] ?? token));
    });

    test("are made by people only: a token makes no other, and has no session to end", async () => {
      const { call } = await make(await signIn(program));
      const more = await call("POST", "/me/tokens", { name: "offspring" });
      assert.deepEqual([more.status, more.body.code], [403, "token.needs-session"]);
      const out = await call("DELETE", "/auth/sessions/current");
      assert.deepEqual([out.status, out.body.code], [409, "sign-in.no-session"]);
      assert.equal((await call("GET", "/me")).status, 200);
    });

    test("last as many days as asked, up to a year", async () => {
      const kim = await signIn(program);
      for (const [days, expected] of [
        [undefined, 90],
        [1, 1],
        [365, 365],
      ] as const) {
        const { expiresAt, token } = await make(kim, { name: "x", ...(days && { days }) });
        const lastsMs = Date.parse(expiresAt) - Date.now();
        assert.ok(Math.abs(lastsMs - expected * DAY_MS) < DAY_MS / 2, `${days}: ${expiresAt}`);
        const { exp } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
        assert.ok(Math.abs(exp * 1000 - Date.parse(expiresAt)) < 60_000);
      }
      for (const days of [0, -1, 366, 1.5, "90", null, 1e9]) {
        const answer = await kim.call("POST", "/me/tokens", { name: "x", days });
        assert.deepEqual([answer.status, answer.body.errors[0].field], [400, "days"], String(days));
      }
    });

    test("end at once when they are revoked", async () => {
      const kim = await signIn(program);
      const [one, other] = [await make(kim, { name: "one" }), await make(kim, { name: "other" })];
      assert.equal((await kim.call("DELETE", `/me/tokens/${one.tokenId}`)).status, 204);
      const after = await one.call("GET", "/me");
      assert.deepEqual([after.status, after.body.code], [401, "token.revoked"]);
      assert.equal((await other.call("GET", "/me")).status, 200);
      assert.deepEqual(await names(kim), ["other"]);
      assert.equal((await kim.call("DELETE", `/me/tokens/${one.tokenId}`)).status, 404, "again");
      assert.equal((await other.call("DELETE", `/me/tokens/${other.tokenId}`)).status, 204, "by itself");
      assert.equal((await other.call("GET", "/me")).status, 401);
    });

    test("are revoked by nobody else", async () => {
      const [kim, lee] = [await signIn(program), await signIn(program)];
      const { tokenId, call } = await make(kim);
      const tried = await lee.call("DELETE", `/me/tokens/${tokenId}`);
      assert.deepEqual([tried.status, tried.body.code], [404, "token.not-found"]);
      assert.equal((await program.as({ operator: true })("DELETE", `/me/tokens/${tokenId}`)).status, 404);
      for (const wrong of ["t_x", "x", `${tokenId}0`, "t_%00", "..%2Fme"]) {
        assert.equal((await kim.call("DELETE", `/me/tokens/${wrong}`)).status, 400, wrong);
      }
      assert.equal((await call("GET", "/me")).status, 200);
    });

    test("are fifty at most, also when many are made at the same time", async () => {
      const kim = await signIn(program);
      const { userId } = (await kim.call("GET", "/me")).body;
      const row = (index: number, days: number) => ({
        token_id: `t_${kim.email}_${index}`,
        user_id: userId,
        name: `held ${index}`,
        expires_at: new Date(Date.now() + days * DAY_MS),
      });
      const rows = Array.from({ length: 60 }, (_, index) => row(index, index < 48 ? 1 : -1));
      await program.registry.db.insertInto("script_tokens").values(rows).execute();
      const made = await Promise.all(Array.from({ length: 8 }, () => kim.call("POST", "/me/tokens", { name: "new" })));
      const outcomes = made.map(({ status, body }) => (status === 201 ? 201 : body.code)).sort();
      assert.deepEqual(outcomes, [201, 201, ...Array(6).fill("token.too-many")]);
      assert.equal((await names(kim)).length, 50);
      await kim.call("DELETE", `/me/tokens/${made.find(({ status }) => status === 201)?.body.tokenId}`);
      assert.equal((await kim.call("POST", "/me/tokens", { name: "in its place" })).status, 201);
    });

    test("and sessions stop acting at once for an organization that removed who made them, and for no other", async () => {
      const { kim, organizations } = await makeOrganizer();
      const { call } = await make(kim);
      const [left, kept] = organizations;
      const stale = new Map(kim.cookies);
      const removed = await left.organizer("DELETE", `/admin/organizations/${left.orgId}/organizers/${kim.email}`);
      assert.equal(removed.status, 204, JSON.stringify(removed.body));
      for (const cookies of [kim.cookies, stale]) {
        for (const [name, value] of cookies) kim.cookies.set(name, value);
        for (const each of [call, kim.call]) {
          assert.deepEqual((await each("GET", "/me")).body.organizations, [kept.orgId]);
          assert.equal((await each("GET", `/admin/organizations/${left.orgId}`)).status, 404);
          assert.equal((await each("GET", `/admin/organizations/${kept.orgId}`)).status, 200);
        }
      }
      await left.organizer("PUT", `/admin/organizations/${left.orgId}/organizers/${kim.email}`);
      assert.equal((await call("GET", `/admin/organizations/${left.orgId}`)).status, 404, "what was void stays void");
      const again = await make(await signIn(program, kim.email));
      assert.equal((await again.call("GET", `/admin/organizations/${left.orgId}`)).status, 200);
    });

    test("say what holds when they are made, not what the page's own token said minutes before", async () => {
      const { kim, organizations } = await makeOrganizer();
      const [left, kept] = organizations;
      const { userId } = (await kim.call("GET", "/me")).body;
      const sessions = await program.registry.db
        .selectFrom("sessions")
        .select("id")
        .where("user_id", "=", userId)
        .execute();
      await left.organizer("DELETE", `/admin/organizations/${left.orgId}/organizers/${kim.email}`);
      // As a server would still take it for a few seconds that has not heard of the removal.
      const organizationIds = [left.orgId, kept.orgId];
      const holder = { userId, email: kim.email, session: true, tokenId: sessions[0]?.id ?? "" };
      const stale = program.as({ ...holder, operator: true, organizations: organizationIds, photographers: ["minji"] });
      const made = await stale("POST", "/me/tokens", { name: "for a year", days: 365 });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      assert.deepEqual((await script(made.body.token)("GET", "/me")).body, {
        userId,
        email: kim.email,
        operator: false,
        organizations: [kept.orgId],
        photographers: [],
      });
    });

    test("are not made for a session that has ended, wherever it ended", async () => {
      const kim = await signIn(program);
      const { userId } = (await kim.call("GET", "/me")).body;
      const { db } = program.registry;
      await db.deleteFrom("sessions").where("user_id", "=", userId).execute();
      const late = await kim.call("POST", "/me/tokens", { name: "late" });
      assert.deepEqual([late.status, late.body.code], [401, "sign-in.session-ended"]);
      assert.deepEqual(await db.selectFrom("script_tokens").selectAll().where("user_id", "=", userId).execute(), []);
    });

    test("of a photographer end with what they stand for", async () => {
      const { orgId, organizer } = await program.makeOrganization();
      const email = newEmail();
      const path = `/admin/organizations/${orgId}/photographers`;
      const made = await organizer("POST", path, { name: "Minji", email });
      const { photographerId } = made.body;
      const { call } = await make(await signIn(program, email));
      assert.deepEqual((await call("GET", "/me")).body.photographers, [photographerId]);
      await organizer("PATCH", `${path}/${photographerId}`, { email: newEmail() });
      assert.deepEqual((await call("GET", "/me")).body.photographers, []);
      assert.equal((await call("GET", "/me/assignments")).status, 403);
    });
  });
}
