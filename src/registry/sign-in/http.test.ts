/** Signing in with a code from a letter, on both databases: it works once, soon, for one address, and not by guessing. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { sql } from "kysely";
import { newEmail, requestCode, signIn } from "../../../tests/harness/people.ts";
import { DATABASES, openDatabases, type Reply, type TestProgram } from "../../../tests/harness/program.ts";

for (const database of DATABASES) {
  describe(`codes on ${database}`, () => {
    let databases: Awaited<ReturnType<typeof openDatabases>>;
    let program: TestProgram;
    before(async () => {
      databases = await openDatabases(database);
      program = await databases.open();
    });
    after(() => databases.close());

    const ask = (email: string) => program.as()("POST", "/auth/codes", { email });
    const use = (email: string, code: string) => program.as()("POST", "/auth/sessions", { email, code });
    const outcome = ({ status, body }: Reply) => (status === 204 ? "signed in" : `${status} ${body.code}`);
    const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");
    const attempts = async (subject: string) => {
      const row = await program.registry.db
        .selectFrom("attempts")
        .select("count")
        .where("subject", "=", subject)
        .executeTakeFirst();
      return row?.count;
    };
    const setAttempts = async (subject: string, count: number, minutesAgo = 0) => {
      const row = { subject, count, window_start: new Date(Date.now() - minutesAgo * 60_000) };
      await program.registry.db
        .insertInto("attempts")
        .values(row)
        .onConflict((conflict) => conflict.column("subject").doUpdateSet(row))
        .execute();
    };

    test("lead to a session that knows who it is", async () => {
      const kim = await signIn(program, "minji.kim@example.com");
      const me = await kim.call("GET", "/me");
      assert.equal(me.status, 200);
      const { userId, ...rest } = me.body;
      assert.match(userId, /^u_[0-9a-f]{24}$/);
      assert.deepEqual(rest, { email: "minji.kim@example.com", operator: false, organizations: [], photographers: [] });
      const again = await signIn(program, "minji.kim@example.com");
      assert.equal((await again.call("GET", "/me")).body.userId, userId);
    });

    test("stand in a letter that says what they are for", async () => {
      const email = newEmail();
      const code = await requestCode(program, email);
      const [letter = ""] = await program.lettersTo(email);
      assert.match(letter, new RegExp(`Your SnapRace sign-in code is ${code}`));
      assert.match(letter, /within 10 minutes/);
    });

    test("work once", async () => {
      const email = newEmail();
      const code = await requestCode(program, email);
      assert.equal(outcome(await use(email, code)), "signed in");
      assert.equal(outcome(await use(email, code)), "401 sign-in.wrong-code");
    });

    test("work once however many use them at the same time", async () => {
      for (const known of [false, true]) {
        const email = known ? (await signIn(program)).email : newEmail();
        const code = await requestCode(program, email);
        const uses = await Promise.all(Array.from({ length: known ? 9 : 10 }, () => use(email, code)));
        const outcomes = uses.map(outcome);
        assert.equal(outcomes.filter((each) => each === "signed in").length, 1, outcomes.join(", "));
        assert.deepEqual([...new Set(outcomes)].sort(), ["401 sign-in.wrong-code", "signed in"]);
        const { rows } = await sql`
          select from sessions join users on users.id = sessions.user_id where email = ${email}`.execute(
          program.registry.db,
        );
        assert.equal(rows.length, known ? 2 : 1);
      }
    });

    test("end after ten minutes", async () => {
      const email = newEmail();
      const code = await requestCode(program, email);
      const { rows } = await sql<{ minutes: number }>`
        select extract(epoch from expires_at - created_at)::float8 / 60 as minutes
        from verifications where identifier like ${`%${email}`}`.execute(program.registry.db);
      assert.deepEqual(
        rows.map(({ minutes }) => Math.round(minutes)),
        [10],
      );
      await sql`update verifications set expires_at = now() - interval '1 second'
                where identifier like ${`%${email}`}`.execute(program.registry.db);
      assert.equal(outcome(await use(email, code)), "401 sign-in.wrong-code");
    });

    test("are void after five wrong tries, and not after four", async () => {
      for (const [tries, expected] of [
        [4, "signed in"],
        [5, "401 sign-in.wrong-code"],
      ] as const) {
        const email = newEmail();
        const code = await requestCode(program, email);
        for (let attempt = 0; attempt < tries; attempt++) {
          assert.equal(outcome(await use(email, wrong(code))), "401 sign-in.wrong-code");
        }
        assert.equal(outcome(await use(email, code)), expected, `after ${tries}`);
      }
    });

    test("make older ones void", async () => {
      const email = newEmail();
      const first = await requestCode(program, email);
      const second = await requestCode(program, email);
      assert.equal(outcome(await use(email, first)), "401 sign-in.wrong-code");
      assert.equal(outcome(await use(email, second)), "signed in");
      assert.equal(outcome(await use(email, first)), "401 sign-in.wrong-code");
    });

    test("are for one address only", async () => {
      const [kim, lee] = [newEmail(), newEmail()];
      const [kimsCode, leesCode] = [await requestCode(program, kim), await requestCode(program, lee)];
      assert.equal(outcome(await use(kim, leesCode)), "401 sign-in.wrong-code");
      assert.equal(outcome(await use(newEmail(), kimsCode)), "401 sign-in.wrong-code");
      assert.equal(outcome(await use(kim, kimsCode)), "signed in");
    });

    test("do not mind capitals and spaces", async () => {
      const email = newEmail();
      const code = await requestCode(program, `  ${email.toUpperCase()} `);
      assert.equal(outcome(await use(` ${email.replace("kim", "Kim")}`, ` ${code}\t`)), "signed in");
      const { userId } = (await (await signIn(program, email)).call("GET", "/me")).body;
      const users = await program.registry.db.selectFrom("users").select("id").where("email", "=", email).execute();
      assert.deepEqual(users, [{ id: userId }]);
    });

    test("are asked for with the same answer, known or not", async () => {
      const known = (await signIn(program)).email;
      const shown = async (email: string) => {
        const { status, headers, body } = await ask(email);
        const kept = [...headers].filter(([name]) => name !== "x-request-id");
        return { status, body, headers: Object.fromEntries(kept) };
      };
      assert.deepEqual(await shown(known), await shown(newEmail()));
      const tried = async (email: string) => {
        const { status, body } = await use(email, "000000");
        return { status, body: { ...body, requestId: "" } };
      };
      assert.deepEqual(await tried(known), await tried(newEmail()));
    });

    test("are kept so that nobody who reads the database can use them", async () => {
      const email = newEmail();
      const code = await requestCode(program, email);
      const { rows } = await sql<{ row: string }>`
        select row_to_json(verifications)::text as row from verifications`.execute(program.registry.db);
      const all = rows.map(({ row }) => row).join("\n");
      assert.match(all, new RegExp(email));
      for (const hash of ["sha256", "sha1", "md5"]) {
        for (const encoding of ["hex", "base64url"] as const) {
          assert.ok(!all.includes(createHash(hash).update(code).digest(encoding)), `${hash} in ${encoding}`);
        }
      }
      assert.doesNotMatch(all, new RegExp(`"${code}\\b`));
    });

    test("and addresses that are none are refused by name", async () => {
      const email = newEmail();
      for (const [body, field] of [
        [{ email: "kim" }, "email"],
        [{ email: "kim@example.com\nBcc: all@example.com" }, "email"],
        [{ email: ["kim@example.com"] }, "email"],
        [{}, "email"],
        [{ email, code: "123456" }, "code"],
        [{ email, type: "forget-password" }, "type"],
      ] as const) {
        const answer = await program.as()("POST", "/auth/codes", body);
        assert.deepEqual([answer.status, answer.body.errors[0].field], [400, field], JSON.stringify(body));
      }
      for (const code of ["12345", "1234567", "12345a", "", "１２３４５６", 123456, ["123456"]]) {
        const answer = await program.as()("POST", "/auth/sessions", { email, code });
        assert.deepEqual([answer.status, answer.body.errors[0].field], [400, "code"], String(code));
      }
      assert.equal(await attempts(`codes to ${email}`), undefined);
    });

    test("are sent five times in a quarter of an hour to an address, however it is written", async () => {
      const email = newEmail();
      for (const each of [email, email.toUpperCase(), ` ${email}`, email, email])
        assert.equal((await ask(each)).status, 202);
      const refused = await ask(email.toUpperCase());
      assert.deepEqual([refused.status, refused.body.code], [429, "sign-in.too-many-attempts"]);
      const seconds = Number(refused.headers.get("retry-after"));
      assert.ok(seconds > 0 && seconds <= 15 * 60, `retry-after: ${refused.headers.get("retry-after")}`);
      assert.equal((await program.lettersTo(email)).length, 5);
      assert.equal(await attempts(`codes to ${email}`), 6);
      assert.equal((await ask(newEmail())).status, 202, "to another address");
      await setAttempts(`codes to ${email}`, 6, 14);
      assert.equal((await ask(email)).status, 429, "before the window ends");
      await setAttempts(`codes to ${email}`, 7, 16);
      assert.equal((await ask(email)).status, 202, "after it");
      assert.equal(await attempts(`codes to ${email}`), 1);
    });

    test("are tried ten times in a quarter of an hour for an address, with as many codes as there may be", async () => {
      const email = newEmail();
      let code = await requestCode(program, email);
      for (let attempt = 0; attempt < 10; attempt++) {
        if (attempt === 5) code = await requestCode(program, email);
        assert.equal((await use(email, wrong(code))).status, 401);
      }
      code = await requestCode(program, email);
      const refused = await use(email, code);
      assert.equal(outcome(refused), "429 sign-in.too-many-attempts");
      assert.ok(Number(refused.headers.get("retry-after")) > 0);
      await setAttempts(`tries for ${email}`, 11, 16);
      assert.equal(outcome(await use(email, code)), "signed in");
    });

    test("are counted exactly, however many ask at the same time", async () => {
      const email = newEmail();
      const answers = await Promise.all(Array.from({ length: 12 }, () => ask(email)));
      const statuses = answers.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [...Array(5).fill(202), ...Array(7).fill(429)]);
    });

    test("are limited for a caller's address too, whomever they are for", async () => {
      const { db } = program.registry;
      const email = newEmail();
      const code = await requestCode(program, email);
      await setAttempts("codes from unknown", 1000);
      await setAttempts("tries from unknown", 200);
      assert.equal((await ask(newEmail())).status, 429);
      assert.equal((await use(email, code)).status, 429);
      await setAttempts("codes from unknown", 999);
      await setAttempts("tries from unknown", 199);
      assert.equal((await ask(newEmail())).status, 202);
      assert.equal(outcome(await use(email, code)), "signed in");
      assert.equal(await attempts("tries from unknown"), 199, "what was right does not count");
      await db.deleteFrom("attempts").where("subject", "like", "% from unknown").execute();
    });
  });
}
