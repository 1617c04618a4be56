/** Sessions of people at a page, on both databases: their cookies, what they cost, how they end, and who can't use them. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "kysely";
import { newEmail, type Person, signIn, signInAgain } from "../../../tests/harness/people.ts";
import { DATABASES, openDatabases, type TestProgram } from "../../../tests/harness/program.ts";
import { createAccessTokens, type TokenHolder } from "../../platform/access-tokens.ts";

const ACCESS = "snaprace_access";
const SESSION = "snaprace.session_token";
const OPERATOR = "Operator@Example.com";

for (const database of DATABASES) {
  describe(`sessions on ${database}`, () => {
    let databases: Awaited<ReturnType<typeof openDatabases>>;
    let program: TestProgram;
    before(async () => {
      databases = await openDatabases(database);
      program = await databases.open({ SNAPRACE_OPERATORS: `someone@example.com, ${OPERATOR}` });
    });
    after(() => databases.close());

    const me = async (person: Person) => {
      const { status, body } = await person.call("GET", "/me");
      return status === 200 ? body.email : status;
    };
    const sessionsOf = async (email: string) => {
      const { rows } = await sql<{ id: string; ip_address: string }>`
        select sessions.* from sessions join users on users.id = sessions.user_id where email = ${email}`.execute(
        program.registry.db,
      );
      return rows;
    };
    /** A token of the installation's own from another time. */
    const tokenFrom = (at: number, holder: Partial<TokenHolder>) => {
      const tokens = createAccessTokens(program.opened.secret, { now: () => at, revokedBefore: () => 0 });
      const nobody = {
        userId: "u_x",
        operator: false,
        organizations: [],
        photographers: [],
        session: true,
        tokenId: "x",
      };
      return tokens.issue({ ...nobody, ...holder }, 60_000);
    };

    test("are two cookies that no script can read and no other site's form sends along", async () => {
      const kim = await signIn(program);
      assert.deepEqual([...kim.cookies.keys()], [SESSION]);
      kim.cookies.set("theme", "dark");
      const first = await kim.call("GET", "/me");
      assert.deepEqual([...kim.cookies.keys()], [SESSION, "theme", ACCESS]);
      const again = await signIn(program, kim.email);
      const signedIn = (await again.call("DELETE", "/auth/sessions/current")).headers.getSetCookie();
      for (const cookie of [...first.headers.getSetCookie(), ...signedIn]) {
        assert.match(cookie, /; HttpOnly(;|$)/, cookie);
        assert.match(cookie, /; SameSite=Lax(;|$)/, cookie);
        assert.match(cookie, /; Path=\/(;|$)/, cookie);
        assert.doesNotMatch(cookie, /; (Secure|Domain)/, cookie);
      }
    });

    test("are for https alone where the site is", async () => {
      const secure = await databases.open({ SNAPRACE_PUBLIC_URL: "https://race.example" });
      const kim = await signIn(secure, newEmail(), "https://race.example");
      assert.deepEqual([...kim.cookies.keys()], [`__Secure-${SESSION}`]);
      const set = (await kim.call("GET", "/me")).headers.getSetCookie();
      assert.equal(set.length, 1);
      for (const cookie of set) assert.match(cookie, /^snaprace_access=.*; Secure(;|$)/);
      const made = await kim.call("POST", "/me/tokens", { name: "from its own page" });
      assert.equal(made.status, 201);
      assert.equal(
        (await kim.call("POST", "/me/tokens", { name: "x" }, { origin: "http://race.example" })).status,
        403,
      );
      await secure.close();
    });

    test("give a new access cookie when it is missing, old or broken, and only then", async () => {
      const kim = await signIn(program);
      await me(kim);
      const fresh = kim.cookies.get(ACCESS) ?? "";
      assert.deepEqual((await kim.call("GET", "/me")).headers.getSetCookie(), []);
      const old = tokenFrom(Date.now() - 120_000, { userId: "u_lee", email: "lee@example.com" });
      for (const access of [undefined, old, "x", fresh.slice(0, -5)]) {
        if (access === undefined) kim.cookies.delete(ACCESS);
        else kim.cookies.set(ACCESS, access);
        assert.equal(await me(kim), kim.email);
        assert.notEqual(kim.cookies.get(ACCESS), access);
      }
    });

    test("that were not given out here are nobody's", async () => {
      const kim = await signIn(program);
      const session = kim.cookies.get(SESSION) ?? "";
      const [token = "", signature = ""] = session.split(".");
      const forged = [
        token,
        `${token}.`,
        `${token}x.${signature}`,
        `${token}.${signature.slice(0, -8)}AAAAA%3D`,
        ".",
        "",
        "%",
      ];
      for (const each of forged) {
        kim.cookies.set(SESSION, each);
        assert.equal(await me(kim), 401, each);
      }
      kim.cookies.set(SESSION, session);
      assert.equal(await me(kim), kim.email);
    });

    test("end after thirty days, and are prolonged while they are used", async () => {
      const kim = await signIn(program);
      const [session] = await sessionsOf(kim.email);
      const age = (days: number) =>
        sql`update sessions set updated_at = now() - make_interval(days => ${days}),
              expires_at = now() + make_interval(days => ${30 - days}) where id = ${session?.id}`.execute(
          program.registry.db,
        );
      await age(2);
      const set = (await kim.call("GET", "/me")).headers.getSetCookie();
      assert.match(set.join("\n"), new RegExp(`^${SESSION}=.*Max-Age=2592000`, "m"));
      const { rows } = await sql<{ days: number }>`
        select extract(epoch from expires_at - now())::float8 / 86400 as days from sessions where id = ${session?.id}`.execute(
        program.registry.db,
      );
      assert.equal(Math.round(rows[0]?.days ?? 0), 30);
      await age(31);
      kim.cookies.delete(ACCESS);
      assert.equal(await me(kim), 401);
    });

    test("end with signing out: here at once, for both cookies, and this one alone", async () => {
      const kim = await signIn(program);
      const elsewhere = await signIn(program, kim.email);
      assert.equal(await me(kim), kim.email);
      await me(elsewhere);
      const copy = new Map(kim.cookies);
      const out = await kim.call("DELETE", "/auth/sessions/current");
      assert.deepEqual([out.status, [...kim.cookies.keys()]], [204, []]);
      assert.equal(await me(kim), 401);
      for (const names of [[ACCESS], [SESSION], [ACCESS, SESSION]]) {
        for (const name of names) kim.cookies.set(name, copy.get(name) ?? "");
        assert.equal(await me(kim), 401, `kept ${names}`);
        kim.cookies.clear();
      }
      const bearer = await program.as()("GET", "/me", undefined, { authorization: `Bearer ${copy.get(ACCESS)}` });
      assert.deepEqual([bearer.status, bearer.body.code], [401, "token.revoked"]);
      assert.equal(await me(elsewhere), kim.email);
      assert.equal((await sessionsOf(kim.email)).length, 1);
    });

    test("end also when only the access token signs out", async () => {
      const kim = await signIn(program);
      await me(kim);
      const authorization = `Bearer ${kim.cookies.get(ACCESS)}`;
      const out = await program.as()("DELETE", "/auth/sessions/current", undefined, { authorization });
      assert.equal(out.status, 204);
      assert.equal(await me(kim), 401);
      kim.cookies.delete(ACCESS);
      assert.equal(await me(kim), 401);
      assert.deepEqual(await sessionsOf(kim.email), []);
    });

    test("stay ended for an access token that was being made meanwhile", async () => {
      const kim = await signIn(program);
      const [session] = await sessionsOf(kim.email);
      const { userId } = (await kim.call("GET", "/me")).body;
      await kim.call("DELETE", "/auth/sessions/current");
      const late = tokenFrom(Date.now() + 5_000, { userId, tokenId: session?.id ?? "" });
      const answer = await program.as()("GET", "/me", undefined, { authorization: `Bearer ${late}` });
      assert.equal(answer.body.code, "token.revoked");
    });

    test("of somebody else in the same browser leave nothing of the first", async () => {
      const kim = await signIn(program);
      await me(kim);
      const lee = newEmail();
      await signInAgain(program, kim, lee);
      assert.equal(await me(kim), lee);
    });

    test("change nothing from pages of other sites, other ports, or of nowhere", async () => {
      const kim = await signIn(program);
      await me(kim);
      const nobody = program.as();
      const cookie = [...kim.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const make = (headers: { [name: string]: string }) =>
        nobody("POST", "/me/tokens", { name: "x" }, { cookie, ...headers });
      for (const headers of [
        {},
        { origin: "https://evil.example" },
        { origin: "http://127.0.0.1:8081" },
        { origin: "http://localhost:8080" },
        { origin: "null", "sec-fetch-site": "same-origin" },
        { "sec-fetch-site": "same-site" },
        { "sec-fetch-site": "cross-site" },
      ] as { [name: string]: string }[]) {
        const answer = await make(headers);
        assert.deepEqual([answer.status, answer.body.code], [403, "access.foreign-page"], JSON.stringify(headers));
      }
      const out = await nobody("DELETE", "/auth/sessions/current", undefined, {
        cookie,
        origin: "http://127.0.0.1:3000",
      });
      assert.equal(out.status, 403);
      assert.deepEqual((await kim.call("GET", "/me/tokens")).body.items, []);
      assert.equal((await make({ origin: "http://127.0.0.1:8080" })).status, 201);
      assert.equal((await make({ "sec-fetch-site": "same-origin" })).status, 201);
      const read = await nobody("GET", "/me", undefined, { cookie, origin: "https://evil.example" });
      assert.deepEqual([read.status, read.headers.get("access-control-allow-origin")], [200, null]);
      const authorization = `Bearer ${program.token({ userId: "u_script" })}`;
      assert.equal((await nobody("GET", "/me/tokens", undefined, { authorization, origin: "null" })).status, 200);
    });

    test("are an operator's by the settings, whatever the capitals", async () => {
      const operator = await signIn(program, OPERATOR.toUpperCase());
      assert.equal((await operator.call("GET", "/me")).body.operator, true);
      const other = await signIn(program, `not-${OPERATOR}`);
      assert.equal((await other.call("GET", "/me")).body.operator, false);
    });

    test("keep a cookie that browsers take, however often others register somebody as a photographer", async () => {
      const { orgId, organizer } = await program.makeOrganization();
      const email = newEmail();
      const ids = Array.from({ length: 40 }, (_, index) => `${"p".repeat(60)}${index + 10}`);
      for (const photographerId of ids) {
        await organizer("POST", `/admin/organizations/${orgId}/photographers`, { photographerId, name: "Kim", email });
      }
      const kim = await signIn(program, email);
      assert.deepEqual((await kim.call("GET", "/me")).body.photographers, ids.slice(0, 20));
      const sizeBytes = `${ACCESS}=${kim.cookies.get(ACCESS)}`.length;
      assert.ok(sizeBytes < 4096, `${sizeBytes} bytes`);
    });

    test("keep no address that callers could have written themselves", async () => {
      const email = newEmail();
      const kim = await signIn(program, email);
      await kim.call("GET", "/me", undefined, { "x-forwarded-for": "6.6.6.6" });
      await signInAgain(
        program,
        { ...kim, call: (m, p, s) => kim.call(m, p, s, { "x-forwarded-for": "6.6.6.6" }) },
        email,
      );
      assert.deepEqual(
        (await sessionsOf(email)).map((row) => row.ip_address),
        ["", ""],
      );
    });

    test("and bearer tokens ask the database nothing while they are fresh", async () => {
      const alone = await databases.open();
      const kim = await signIn(alone);
      const { userId } = (await kim.call("GET", "/me")).body;
      const made = (await kim.call("POST", "/me/tokens", { name: "script" })).body;
      await alone.registry.db.destroy();
      const byCookie = await kim.call("GET", "/me");
      assert.deepEqual([byCookie.status, byCookie.body.userId], [200, userId]);
      const byToken = await alone.as()("GET", "/me", undefined, { authorization: `Bearer ${made.token}` });
      assert.deepEqual([byToken.status, byToken.body.userId], [200, userId]);
      // And the database really is gone.
      kim.cookies.delete(ACCESS);
      assert.ok((await kim.call("GET", "/me")).status >= 500);
      await alone.close();
    });
  });
}
