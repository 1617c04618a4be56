/** Tokens that are made while somebody is being removed: they must not say for months what ended a moment before. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { afterReads } from "../../../tests/harness/after-reads.ts";
import { type Person, signIn as signInAs } from "../../../tests/harness/people.ts";
import { openDatabases, type TestProgram } from "../../../tests/harness/program.ts";
import { revokedSubjects } from "../../platform/access-tokens.ts";
import { makeScriptToken, openSignIn, renewAccess, type SignIn } from "./sign-in.ts";

const YEAR_MS = 365 * 86_400_000;

describe("a removal while a token is being made", () => {
  let databases: Awaited<ReturnType<typeof openDatabases>>;
  let program: TestProgram;
  let signIn: SignIn;
  let onGrantsRead = async () => {};
  before(async () => {
    // A read that waits holds a connection, of which PGlite has one.
    databases = await openDatabases("PostgreSQL");
    program = await databases.open();
    const { engines, secret } = program.opened;
    signIn = await openSignIn({
      db: afterReads(program.registry.db, (table) =>
        table === "organizer_members" ? onGrantsRead() : Promise.resolve(),
      ),
      clock: engines.clock,
      mail: engines.mail,
      secret,
      publicUrl: "http://127.0.0.1:8080",
      operators: [],
      onError: (error) => assert.fail(String(error)),
    });
  });
  after(async () => {
    await signIn.revocations.stop();
    await databases.close();
  });

  /** Somebody who is removed from an organization right after it was read that they are in it. */
  async function makeRemoved(): Promise<{ kim: Person; orgId: string; removed(): boolean }> {
    const { orgId, organizer } = await program.makeOrganization();
    const kim = await signInAs(program);
    await organizer("PUT", `/admin/organizations/${orgId}/organizers/${kim.email}`);
    const { userId } = (await kim.call("GET", "/me")).body;
    let isRemoved = false;
    onGrantsRead = async () => {
      if (isRemoved) return;
      isRemoved = true;
      await program.registry.db.deleteFrom("organizer_members").where("email", "=", kim.email).execute();
      await signIn.revocations.revoke(revokedSubjects.organizer(orgId, userId), YEAR_MS);
    };
    return { kim, orgId, removed: () => isRemoved };
  }

  const cookieOf = ({ cookies }: Person) => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const renew = async (person: Person) => {
    const renewed = await renewAccess(signIn)(new Headers({ cookie: cookieOf(person) }));
    assert.ok(renewed, "there is no session");
    return signIn.tokens.verify(renewed.token);
  };

  test("is heard by a page's token", async () => {
    const { kim, removed } = await makeRemoved();
    assert.deepEqual((await renew(kim)).organizations, []);
    assert.ok(removed());
  });

  test("is heard by a script's token", async () => {
    const { kim, orgId, removed } = await makeRemoved();
    const { tokenId, userId } = signIn.tokens.verify(kim.cookies.get("snaprace_access") ?? "");
    const holder = { userId, email: kim.email, tokenId, session: true, operator: false, photographers: [] };
    const actor = { ...holder, organizations: [orgId], expiresAt: Date.now() + 60_000 };
    const { token } = await makeScriptToken(signIn, actor, { name: "x", days: 365 });
    assert.deepEqual(signIn.tokens.verify(token).organizations, []);
    assert.ok(removed());
  });

  test("and without one, the token says what was read", async () => {
    const { kim, orgId } = await makeRemoved();
    onGrantsRead = async () => {};
    assert.deepEqual((await renew(kim)).organizations, [orgId]);
  });
});
