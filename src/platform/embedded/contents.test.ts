/** What an export reads of the store: everything in it, whoever opened it, and nothing that has expired. */

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { systemClock } from "../clock.ts";
import { bytes, JPEG } from "../contracts/blob-samples.ts";
import { numbered, putAll } from "../contracts/table-samples.ts";
import type { Item, Value } from "../ports.ts";
import { newRequestId, withRequestId } from "../request-context.ts";
import type { Contents } from "./contents.ts";
import { openEmbeddedEngines } from "./engines.ts";

const QUEUE = { visibilityMs: 30_000, maxReceives: 1 };

async function all<T>(pages: AsyncIterable<T[]>): Promise<T[]> {
  return (await Array.fromAsync(pages)).flat();
}

describe("contents", async () => {
  const dataFolder = await mkdtemp(path.join(tmpdir(), "snaprace-"));
  let now = Date.now();
  const settings = {
    dataFolder,
    publicUrl: "http://127.0.0.1",
    clock: { ...systemClock, now: () => now },
    closeGraceMs: 0,
  };
  after(() => rm(dataFolder, { recursive: true }));

  /** Lets one process write and another read. */
  async function readBack<T>(read: (contents: Contents) => Promise<T>): Promise<T> {
    const engines = await openEmbeddedEngines(settings);
    try {
      return await read(engines.contents());
    } finally {
      await engines.close();
    }
  }

  it("lists the tables of the file and gives their items in pages, without those that have expired", async () => {
    const engines = await openEmbeddedEngines(settings);
    const kept: Item[] = [
      ...numbered("P", 250),
      { PK: "P", SK: "indexed", GSI1PK: "A", GSI1SK: "1", GSI2PK: "half of a pair", deep: { list: [1, null, "가"] } },
      { PK: "P", SK: "later", ttl: Math.floor(now / 1000) + 61 },
    ];
    await putAll(engines.table("Photos"), kept);
    await engines.table("Photos").write([{ put: { PK: "P", SK: "soon", ttl: Math.floor(now / 1000) + 60 } }]);
    await engines.table("empty.one").get({ PK: "P", SK: "S" });
    await engines.close();
    now += 60_000;
    await readBack(async (contents) => {
      assert.deepEqual(contents.tables(), [
        { name: "Photos", count: kept.length },
        { name: "empty.one", count: 0 },
      ]);
      const pages = await Array.fromAsync(contents.items("Photos"));
      assert.deepEqual(
        pages.map(({ length }) => length),
        [100, 100, 52],
      );
      assert.deepEqual(pages.flat(), kept);
      assert.deepEqual(await all(contents.items("empty.one")), []);
    });
  });

  it("gives waiting, in-flight and dead messages, and the reason of the dead only", async () => {
    const engines = await openEmbeddedEngines(settings);
    const [asked, requestId] = [engines.queue("asked", { ...QUEUE, maxReceives: 2 }), newRequestId()];
    await withRequestId(requestId, () => asked.send(["failed once"]));
    const { promise: tried, resolve } = Promise.withResolvers<void>();
    const trying = asked.consume(async (messages) => {
      resolve();
      return messages.map(({ id }) => ({ id, reason: "not yet", retryInMs: 60_000 }));
    });
    await tried;
    await trying.stop();
    await asked.send(["waiting"]);
    const dying = engines.queue("dying", QUEUE);
    await dying.send(["dead"]);
    const burying = dying.consume(async (messages) => messages.map(({ id }) => ({ id, reason: "no such event" })));
    while ((await dying.depth()).dead === 0) await delay(5);
    await burying.stop();
    await engines.close();
    await readBack(async (contents) => {
      assert.deepEqual(contents.queues(), [
        { name: "asked", count: 2 },
        { name: "dying", count: 1 },
      ]);
      assert.deepEqual(await all(contents.messages("asked")), [
        { body: "failed once", requestId },
        { body: "waiting" },
      ]);
      assert.deepEqual(await all(contents.messages("dying")), [{ body: "dead", deadReason: "no such event" }]);
    });
  });

  it("gives the heads of each bucket", async () => {
    const engines = await openEmbeddedEngines(settings);
    const about = { ...JPEG, metadata: { camera: "x1" } };
    const first = await engines.blobs("one").put("a/가.jpg", bytes("1"), about);
    const second = await engines.blobs("one").put("b", bytes(""), JPEG);
    const other = await engines.blobs("two").put("a", bytes("other"), JPEG);
    await engines.close();
    await readBack(async (contents) => {
      assert.deepEqual(contents.buckets(), [
        { name: "one", count: 2 },
        { name: "two", count: 1 },
      ]);
      assert.deepEqual(await all(contents.heads("one")), [first, second]);
      assert.deepEqual(await all(contents.heads("two")), [other]);
    });
  });

  it("counts the executions that have not ended and those that failed", async () => {
    const engines = await openEmbeddedEngines(settings);
    const One = { Type: "Task", Resource: "arn:aws:lambda:::function:x", End: true };
    const Wait = { Type: "Wait", Seconds: 3600, Next: "Done" };
    const run = async (input: Value) => {
      if (input === "fail") throw new Error("failed");
      return input;
    };
    const asl = { StartAt: "One", States: { One } };
    const workflow = engines.workflow({ name: "photo", asl, tasks: { One: run } });
    for (const input of ["fail", "pass"]) await workflow.start(input, input);
    const waiting = { name: "draw", asl: { StartAt: "Wait", States: { Wait, Done: { Type: "Succeed" } } }, tasks: {} };
    await engines.workflow(waiting).start("tomorrow", {});
    for (const name of ["fail", "pass"]) while ((await workflow.status(name))?.status === "RUNNING") await delay(5);
    await engines.close();
    await readBack(async (contents) => {
      assert.deepEqual(contents.executions(), { unfinished: { draw: 1 }, failed: { photo: 1 } });
    });
  });
});
