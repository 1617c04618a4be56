/** Two programs on one PostgreSQL, or one started again: what one counted, gave out or revoked holds for the other. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { newEmail, requestCode, signIn } from "../../../tests/harness/people.ts";
import { type Postgres, startPostgres } from "../../../tests/harness/postgres.ts";
import { openDatabases, type Settings, type TestProgram } from "../../../tests/harness/program.ts";

const OPERATOR = "operator@example.com";
const HEARD_WITHIN_MS = 60_000;

describe("two programs on one database", () => {
  let postgres: Postgres;
  let databases: Awaited<ReturnType<typeof openDatabases>>;
  let here: TestProgram;
  let there: TestProgram;
  let shared: Settings;
  before(async () => {
    postgres = await startPostgres();
    databases = await openDatabases("PGlite");
    shared = { DATABASE_URL: await postgres.createDatabase(), SNAPRACE_SECRET: randomBytes(32).toString("hex") };
    here = await databases.open({ ...shared, SNAPRACE_OPERATORS: OPERATOR });
    there = await databases.open(shared);
  });
  after(async () => {
    await databases.close();
    await postgres.stop();
  });

  const withToken = (program: TestProgram, token: string) =>
    program.as()("GET", "/me", undefined, { authorization: `Bearer ${token}` });

  async function untilRefused(program: TestProgram, token: string): Promise<string> {
    const endsAt = Date.now() + HEARD_WITHIN_MS;
    for (;;) {
      const answer = await withToken(program, token);
      if (answer.status !== 200) return answer.body.code;
      assert.ok(Date.now() < endsAt, "the other program never heard of it");
      await delay(250);
    }
  }

  test("a token made by one is good for the other, and void there soon after it is revoked", async () => {
    const kim = await signIn(here);
    const { token, tokenId } = (await kim.call("POST", "/me/tokens", { name: "script" })).body;
    await kim.call("GET", "/me");
    const access = kim.cookies.get("snaprace_access") ?? "";
    for (const each of [token, access]) assert.equal((await withToken(there, each)).status, 200);
    await kim.call("DELETE", `/me/tokens/${tokenId}`);
    await kim.call("DELETE", "/auth/sessions/current");
    for (const each of [token, access]) assert.equal((await withToken(here, each)).status, 401);
    assert.equal(await untilRefused(there, token), "token.revoked");
    assert.equal(await untilRefused(there, access), "token.revoked");
  });

  test("a session that one ended makes no token at the other, even before that one has heard", async () => {
    const kim = await signIn(here);
    await kim.call("GET", "/me");
    const authorization = `Bearer ${kim.cookies.get("snaprace_access")}`;
    await kim.call("DELETE", "/auth/sessions/current");
    const made = await there.as()("POST", "/me/tokens", { name: "x", days: 365 }, { authorization });
    assert.equal(made.status, 401);
  });

  test("who is no operator any more is none with an old token either", async () => {
    const operator = await signIn(here, OPERATOR);
    const { token } = (await operator.call("POST", "/me/tokens", { name: "for a year", days: 365 })).body;
    assert.equal((await withToken(here, token)).body.operator, true);
    assert.equal((await withToken(there, token)).body.operator, false);
    const authorization = `Bearer ${token}`;
    const { orgId } = await here.makeOrganization();
    const read = (program: TestProgram) =>
      program.as()("GET", `/admin/organizations/${orgId}`, undefined, { authorization });
    assert.equal((await read(here)).status, 200);
    assert.equal((await read(there)).status, 403);
  });

  test("another secret is another installation: neither tokens nor sessions nor codes hold", async () => {
    const stranger = await databases.open({ ...shared, SNAPRACE_SECRET: randomBytes(32).toString("hex") });
    const kim = await signIn(here);
    const { token } = (await kim.call("POST", "/me/tokens", { name: "script" })).body;
    assert.equal((await withToken(stranger, token)).body.code, "token.invalid");
    const cookie = [...kim.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    assert.equal((await stranger.as()("GET", "/me", undefined, { cookie })).status, 401);
    const email = newEmail();
    const code = await requestCode(here, email);
    assert.equal((await stranger.as()("POST", "/auth/sessions", { email, code })).status, 401);
    await stranger.close();
  });

  test("what was counted outlasts the program that counted it", async () => {
    const first = await databases.open(shared);
    const email = newEmail();
    const code = await requestCode(first, email);
    for (let sent = 1; sent < 5; sent++) await requestCode(first, email);
    for (let tried = 0; tried < 10; tried++) await first.as()("POST", "/auth/sessions", { email, code });
    await first.close();
    const second = await databases.open(shared);
    const asked = await second.as()("POST", "/auth/codes", { email });
    assert.deepEqual([asked.status, asked.body.code], [429, "sign-in.too-many-attempts"]);
    assert.ok(Number(asked.headers.get("retry-after")) > 0);
    assert.equal((await second.as()("POST", "/auth/sessions", { email, code })).status, 429);
    const counted = await second.registry.db.selectFrom("attempts").select(["subject", "count"]).execute();
    assert.deepEqual(
      counted.filter(({ subject }) => subject.includes(email)).sort((a, b) => a.count - b.count),
      [
        { subject: `codes to ${email}`, count: 6 },
        { subject: `tries for ${email}`, count: 11 },
      ],
    );
  });

  test("sessions outlast it too", async () => {
    const first = await databases.open(shared);
    const kim = await signIn(first);
    await first.close();
    const cookie = [...kim.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    assert.equal((await there.as()("GET", "/me", undefined, { cookie })).body.email, kim.email);
  });
});
