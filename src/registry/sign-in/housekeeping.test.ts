/** What has expired goes, what has not stays, on both databases. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { DATABASES, openDatabases } from "../../../tests/harness/program.ts";
import { forgetExpired } from "./housekeeping.ts";

for (const database of DATABASES) {
  test(`only what has expired is forgotten, on ${database}`, async (t) => {
    const databases = await openDatabases(database);
    t.after(() => databases.close());
    const { db } = (await databases.open()).registry;
    const now = Date.now();
    const [past, future] = [new Date(now - 1000), new Date(now + 1000)];
    const token = { user_id: "u", name: "x" };
    await db
      .insertInto("script_tokens")
      .values([
        { ...token, token_id: "old", expires_at: past },
        { ...token, token_id: "new", expires_at: future },
      ])
      .execute();
    await db
      .insertInto("revocations")
      .values([
        { subject: "old", issued_before: past, forget_at: past },
        { subject: "new", issued_before: past, forget_at: future },
      ])
      .execute();
    await db
      .insertInto("attempts")
      .values([
        { subject: "old", window_start: new Date(now - 90_000_000), count: 1 },
        { subject: "new", window_start: past, count: 1 },
      ])
      .execute();
    await forgetExpired(db, now);
    assert.deepEqual(await db.selectFrom("script_tokens").select("token_id").execute(), [{ token_id: "new" }]);
    assert.deepEqual(await db.selectFrom("revocations").select("subject").execute(), [{ subject: "new" }]);
    assert.deepEqual(await db.selectFrom("attempts").select("subject").execute(), [{ subject: "new" }]);
  });
}
