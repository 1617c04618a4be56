/** The process pool with real processes: its queue, its limits, and what becomes of a job whose worker fails. */

import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { describe, type TestContext, test } from "node:test";
import { Problem } from "../../problem.ts";
import {
  isRunning,
  MEGABYTE,
  makeTraces,
  openSamplePool,
  type SampleJob,
  type SampleTold,
  until,
} from "./process-pool.sample.ts";
import type { PoolSettings } from "./process-pool.ts";

function openPool(t: TestContext, settings: Partial<PoolSettings> = {}) {
  const traces = makeTraces(t);
  const pool = openSamplePool(traces.folder, settings);
  t.after(() => pool.close());
  const pid = async () => ((await pool.run({ act: "tell" })) as SampleTold).pid;
  return { pool, pid, ...traces };
}

const code = (expected: string) => (error: unknown) => error instanceof Problem && error.code === expected;

describe("jobs", () => {
  test("nothing starts before somebody asks", async (t) => {
    const { pool, pid, read } = openPool(t, { workers: 2 });
    assert.deepEqual(pool.counts(), { workers: 0, busy: 0, waiting: 0, restarts: 0 });
    await pid();
    assert.equal(pool.counts().workers, 2);
    assert.ok(read("starts").length >= 1);
  });

  test("large pictures arrive intact, there and back", async (t) => {
    const { pool } = openPool(t);
    const bytes = new Uint8Array(randomBytes(10 * MEGABYTE));
    const back = (await pool.run({ act: "echo", bytes })) as Uint8Array;
    const hash = (of: Uint8Array) => createHash("sha256").update(of).digest("hex");
    assert.equal(back.constructor, Uint8Array);
    assert.equal(hash(back), hash(bytes));
  });

  test("as many at the same time as there are workers", async (t) => {
    const { pool } = openPool(t, { workers: 3 });
    await Promise.all([1, 2, 3].map(() => pool.run({ act: "meet", count: 3 })));
  });

  test("one at a time in a worker, first come first served", async (t) => {
    const { pool, read } = openPool(t);
    const names = Array.from({ length: 20 }, (_, index) => `job ${index}`);
    await Promise.all(names.map((name) => pool.run({ act: "echo", name, bytes: new Uint8Array(20_000) })));
    assert.deepEqual(read("began"), names);
  });

  test("beyond the limit of waiting jobs callers are sent away", async (t) => {
    const { pool, leave } = openPool(t, { maxWaiting: 2 });
    await pool.ready();
    const held = [1, 2, 3].map(() => pool.run({ act: "hold" }));
    await assert.rejects(pool.run({ act: "tell" }), code("vision.busy"));
    assert.deepEqual(pool.counts(), { workers: 1, busy: 1, waiting: 2, restarts: 0 });
    leave("released");
    await Promise.all(held);
    assert.deepEqual(pool.counts(), { workers: 1, busy: 0, waiting: 0, restarts: 0 });
  });

  test("with no room to wait, idle workers still get jobs", async (t) => {
    const { pool } = openPool(t, { maxWaiting: 0 });
    await pool.ready();
    assert.equal(await pool.run({ act: "echo", bytes: 1 }), 1);
  });
});

describe("errors", () => {
  test("a Problem stays the same Problem", async (t) => {
    const { pool } = openPool(t);
    const error = await pool.run({ act: "problem" }).catch((caught) => caught);
    assert.ok(error instanceof Problem);
    const { kind, message, details, retryInMs } = error;
    assert.deepEqual(
      { kind, code: error.code, message, details, retryInMs },
      { kind: "too-large", code: "sample.refused", message: "Use less.", details: { most: 3 }, retryInMs: 7 },
    );
  });

  test("a defect is none", async (t) => {
    const { pool } = openPool(t);
    const error = await pool.run({ act: "error" }).catch((caught) => caught);
    assert.ok(error instanceof Error && !(error instanceof Problem));
    assert.equal(error.message, "a defect");
    assert.match(error.stack ?? "", /process-pool\.sample-worker\.ts/);
  });

  test("what can't be copied fails its job and no worker", async (t) => {
    const { pool, pid } = openPool(t);
    const before = await pid();
    const uncopied = [
      pool.run({ act: "echo", bytes: () => {} }),
      pool.run({ act: "answer-function" }),
      pool.run({ act: "echo", bytes: () => {} }),
    ];
    for (const job of uncopied) await assert.rejects(job, /could not be cloned/);
    assert.equal(await pid(), before);
  });
});

describe("a worker that fails costs its own job only", () => {
  const failures: { job: SampleJob; rejected: string; settings?: Partial<PoolSettings>; skip?: boolean }[] = [
    { job: { act: "abort" }, rejected: "vision.crashed" },
    { job: { act: "exit" }, rejected: "vision.crashed" },
    { job: { act: "kill" }, rejected: "vision.crashed" },
    { job: { act: "loop" }, rejected: "vision.timed-out", settings: { timeLimitMs: 5000 } },
    { job: { act: "hang-thread-pool" }, rejected: "vision.timed-out", settings: { timeLimitMs: 5000 } },
    {
      job: { act: "eat-and-loop", megabytes: 500 },
      rejected: "vision.out-of-memory",
      settings: { hardMemoryLimitBytes: 400 * MEGABYTE },
      skip: !existsSync("/proc/self/status"),
    },
  ];
  for (const { job, rejected, settings, skip = false } of failures) {
    test(`${job.act}: ${rejected}`, { skip }, async (t) => {
      const { pool, pid } = openPool(t, settings);
      const before = await pid();
      const [failed, waiting] = await Promise.allSettled([pool.run(job), pid()]);
      assert.ok(failed.status === "rejected" && code(rejected)(failed.reason), JSON.stringify(failed));
      assert.ok(waiting.status === "fulfilled", JSON.stringify(waiting));
      assert.notEqual(waiting.value, before);
      assert.equal(isRunning(before), false);
      assert.deepEqual(pool.counts(), { workers: 1, busy: 0, waiting: 0, restarts: 1 });
    });
  }

  test("another worker goes on with its job", async (t) => {
    const { pool, read, leave } = openPool(t, { workers: 2 });
    const held = pool.run({ act: "hold" });
    await until(() => read("began").length === 1);
    await assert.rejects(pool.run({ act: "abort" }), code("vision.crashed"));
    leave("released");
    await held;
  });

  test("an idle one is replaced, and the operator hears of it", async (t) => {
    const errors: unknown[] = [];
    const { pid } = openPool(t, { onError: (error) => errors.push(error) });
    const before = await pid();
    process.kill(before, "SIGKILL");
    await until(() => errors.length > 0);
    assert.match(String(errors[0]), /ended with SIGKILL/);
    assert.notEqual(await pid(), before);
  });
});

test("a worker that has grown too large answers, and is then replaced", async (t) => {
  const { pool, pid } = openPool(t, { memoryLimitBytes: 300 * MEGABYTE });
  const before = await pid();
  assert.equal(await pid(), before);
  const [, after] = await Promise.all([pool.run({ act: "eat", megabytes: 300 }), pid()]);
  assert.notEqual(after, before);
  assert.equal(isRunning(before), false);
  assert.equal(pool.counts().restarts, 1);
});

describe("closing", () => {
  test("waits for running jobs and sends the others away", async (t) => {
    const { pool, leave, read } = openPool(t);
    await pool.ready();
    const running = pool.run({ act: "hold" });
    const waiting = pool.run({ act: "hold" });
    const closed = pool.close();
    await assert.rejects(waiting, code("vision.closed"));
    await assert.rejects(pool.run({ act: "tell" }), code("vision.closed"));
    await assert.rejects(pool.ready(), code("vision.closed"));
    leave("released");
    await running;
    await closed;
    await pool.close();
    assert.deepEqual(read("starts").map(Number).filter(isRunning), []);
    assert.equal(pool.counts().workers, 0);
  });

  test("kills what takes too long", async (t) => {
    const { pool, read } = openPool(t, { closeGraceMs: 100, workers: 2 });
    const stuck = assert.rejects(pool.run({ act: "loop" }), code("vision.closed"));
    await until(() => read("began").length === 1);
    await pool.close();
    await stuck;
    assert.deepEqual(read("starts").map(Number).filter(isRunning), []);
  });

  test("does not wait for workers that are still starting", async (t) => {
    const traces = makeTraces(t);
    const pool = openSamplePool(traces.folder, { start: "hang" });
    const ready = assert.rejects(pool.ready(), code("vision.closed"));
    await until(() => traces.read("starts").length === 1);
    await pool.close();
    await ready;
  });
});
