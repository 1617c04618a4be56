/** Tables on this machine keep the contract, share fsyncs, and in time remove what has expired. */

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, it } from "node:test";
import { systemClock } from "../clock.ts";
import { absent } from "../conditions.ts";
import { testTable } from "../contracts/table.contract.ts";
import { openEmbeddedEngines } from "./engines.ts";
import { openEmbeddedSubject } from "./subject.ts";

testTable("embedded", openEmbeddedSubject);

describe("table: embedded only", async () => {
  const dataFolder = await mkdtemp(path.join(tmpdir(), "snaprace-"));
  let now = Date.now();
  const clock = { ...systemClock, now: () => now };
  const engines = await openEmbeddedEngines({ dataFolder, publicUrl: "http://127.0.0.1", clock });
  after(async () => {
    await engines.close();
    await rm(dataFolder, { recursive: true });
  });

  it("lets concurrent writers share commits", async () => {
    const table = engines.table("shared");
    await table.write([{ put: { PK: "warm", SK: "up" } }]);
    const before = engines.counts();
    await Promise.all(Array.from({ length: 320 }, (_, n) => table.write([{ put: { PK: "P", SK: `${n}` } }])));
    const { writes, commits } = engines.counts();
    assert.equal(writes - before.writes, 320);
    assert.ok(commits - before.commits <= 20, `${commits - before.commits} commits`);
  });

  it("fails only the guilty one of writes that share a commit", async () => {
    const table = engines.table("shared");
    await table.write([{ put: { PK: "taken", SK: "1", n: "text" } }]);
    const settled = await Promise.allSettled([
      table.write([{ put: { PK: "fine", SK: "1" } }]),
      table.write([{ put: { PK: "half", SK: "1" } }, { put: { PK: "taken", SK: "1" }, if: absent("PK") }]),
      table.update({ update: { PK: "taken", SK: "1" }, add: { n: 1 } }),
      table.write([{ put: { PK: "fine", SK: "2" } }]),
    ]);
    assert.deepEqual(
      settled.map(({ status }) => status),
      ["fulfilled", "rejected", "rejected", "fulfilled"],
    );
    assert.equal(await table.get({ PK: "half", SK: "1" }), undefined);
    assert.ok(await table.get({ PK: "fine", SK: "2" }));
  });

  it("hides an item the second it expires, and lets it take part in conditions until it is removed", async () => {
    const table = engines.table("expiring");
    const key = { PK: "LOCK", SK: "1" };
    const ttl = Math.floor(now / 1000) + 60;
    await table.write([{ put: { ...key, ttl } }]);
    assert.ok(await table.get(key));
    now += 60_000;
    assert.equal(await table.get(key), undefined);
    await assert.rejects(table.write([{ put: key, if: absent("PK") }]), { name: "ConditionFailed" });
    const eternal = { PK: "LOCK", SK: "0", ttl: 1e18 };
    await table.write([{ put: eternal }]);
    assert.equal(await engines.removeExpired(), 1);
    assert.deepEqual(await table.get({ PK: "LOCK", SK: "0" }), eternal);
    await table.write([{ put: key, if: absent("PK") }]);
  });

  it("refuses a table name that would leave its quotes", () => {
    assert.throws(() => engines.table('items"; DROP TABLE messages; --'), { code: "table.bad-name" });
  });

  it("finds everything again after a restart", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "snaprace-"));
    const first = await openEmbeddedEngines({ dataFolder: folder, publicUrl: "http://127.0.0.1" });
    await first.table("kept").write([{ put: { PK: "P", SK: "1", text: "가" } }]);
    await first.close();
    const second = await openEmbeddedEngines({ dataFolder: folder, publicUrl: "http://127.0.0.1" });
    assert.deepEqual(await second.table("kept").get({ PK: "P", SK: "1" }), { PK: "P", SK: "1", text: "가" });
    await second.close();
    await rm(folder, { recursive: true });
  });
});
