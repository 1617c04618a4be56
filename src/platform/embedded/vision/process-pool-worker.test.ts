/** The workers of the process pool with real processes: how they start, what they heed, and that none is left behind. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { getPriority } from "node:os";
import { describe, type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Problem } from "../../problem.ts";
import {
  isRunning,
  MEGABYTE,
  makeTraces,
  openSamplePool,
  type SampleStart,
  type SampleTold,
  until,
} from "./process-pool.sample.ts";
import type { PoolSettings } from "./process-pool.ts";

const parentScript = fileURLToPath(new URL("./process-pool.sample-parent.ts", import.meta.url));

function openPool(t: TestContext, settings: Partial<PoolSettings> & { start?: SampleStart } = {}) {
  const traces = makeTraces(t);
  const errors: unknown[] = [];
  const pool = openSamplePool(traces.folder, { onError: (error) => errors.push(error), ...settings });
  t.after(() => pool.close());
  return { pool, errors, ...traces };
}

function startParent(t: TestContext, life: string) {
  const { folder, read } = makeTraces(t);
  const parent = spawn(process.execPath, [parentScript, folder, life], { stdio: ["ignore", "pipe", "ignore"] });
  const workers = () => read("starts").map(Number);
  t.after(() => {
    parent.kill("SIGKILL");
    for (const pid of workers().filter(isRunning)) process.kill(pid, "SIGKILL");
  });
  return { parent, workers, read };
}

describe("starting", () => {
  test("tells what the first worker loaded", async (t) => {
    const { pool, read } = openPool(t);
    const { pid } = await pool.ready();
    assert.deepEqual(read("starts"), [String(pid)]);
    assert.deepEqual(await pool.ready(), { pid });
  });

  test("a worker that can't start says why, and the pool does not spin", async (t) => {
    const { pool, read, errors } = openPool(t, { start: "model-needed", workers: 2 });
    const waiting = pool.run({ act: "tell" }).catch((error) => error);
    const why = await pool.ready().catch((error) => error);
    assert.ok(why instanceof Problem);
    assert.deepEqual([why.kind, why.code, why.message], ["misconfigured", "sample.no-model", "There is no model."]);
    const refused = await waiting;
    assert.ok(refused instanceof Problem);
    assert.equal(refused.code, "vision.unavailable");
    assert.match(refused.message, /There is no model\./);
    for (let tries = 0; tries < 20; tries += 1) await assert.rejects(pool.run({ act: "tell" }), /There is no model/);
    assert.ok(read("starts").length < 15, `${read("starts").length} starts`);
    assert.ok(errors.length >= 3);
  });

  test("after the cause is gone it works again", async (t) => {
    const { pool, leave } = openPool(t, { start: "model-needed" });
    await assert.rejects(pool.ready(), /There is no model/);
    leave("model");
    for (;;) {
      const told = await pool.run({ act: "tell" }).catch((error) => error);
      if (!(told instanceof Problem)) break;
      assert.equal(told.code, "vision.unavailable");
      assert.ok(told.retryInMs !== undefined && told.retryInMs <= 60_000);
      await wait(told.retryInMs);
    }
    assert.ok((await pool.ready()).pid > 0);
  });

  test("a worker that dies without a word", async (t) => {
    const { pool } = openPool(t, { start: "exit" });
    await assert.rejects(pool.run({ act: "tell" }), /ended with exit code 7/);
    await assert.rejects(pool.ready(), /ended with exit code 7/);
  });

  test("a script that isn't there", async (t) => {
    const { pool } = openPool(t, { script: new URL("./process-pool.nowhere.ts", import.meta.url), workers: 2 });
    await assert.rejects(pool.ready(), /ended with exit code 1/);
  });

  test("a process that the system refuses", async (t) => {
    const { pool } = openPool(t, { env: { FAR_TOO_LONG: "x".repeat(4 * MEGABYTE) } });
    await assert.rejects(pool.ready(), /E2BIG/);
    await assert.rejects(pool.run({ act: "tell" }), { code: "vision.unavailable", message: /E2BIG/ });
  });

  test("a worker that never gets ready", async (t) => {
    const { pool, read } = openPool(t, { start: "hang", startLimitMs: 1000 });
    await assert.rejects(pool.ready(), /not ready within 1 s/);
    assert.deepEqual(read("starts").map(Number).filter(isRunning), []);
  });

  test("workers that leave when idle are not started without end", async (t) => {
    const { pool, read } = openPool(t, { start: "leave" });
    await pool.ready();
    await until(() => pool.counts().workers === 0);
    assert.equal(read("starts").length, 3);
  });
});

test("a worker stands back behind the server, and has no input", async (t) => {
  const { pool } = openPool(t);
  const { priority, oomScore, input } = (await pool.run({ act: "tell" })) as SampleTold;
  assert.equal(priority, 10);
  assert.equal(oomScore, process.platform === "linux" ? "500" : "");
  assert.equal(input, "");
});

test("an urgent one does not stand back", async (t) => {
  const { pool } = openPool(t, { isUrgent: true });
  const { priority } = (await pool.run({ act: "tell" })) as SampleTold;
  assert.equal(priority, getPriority());
});

test("signals to the whole group don't end a job", async (t) => {
  const { pool, read, leave } = openPool(t);
  const { pid } = await pool.ready();
  const held = pool.run({ act: "hold" });
  await until(() => read("began").length === 1);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.kill(pid, signal);
  leave("released");
  await held;
  assert.equal(((await pool.run({ act: "tell" })) as SampleTold).pid, pid);
});

describe("no worker is left behind", () => {
  for (const life of ["idle", "loop", "hang-thread-pool"]) {
    test(`by a killed program whose workers are in: ${life}`, async (t) => {
      const { parent, workers, read } = startParent(t, life);
      await until(() => workers().length === 2 && (life === "idle" || read("began").length === 2));
      assert.deepEqual(workers().filter(isRunning), workers());
      parent.kill("SIGKILL");
      await until(() => !workers().some(isRunning));
    });
  }

  test("by a program that ends without closing; it stays for its job, and prints only its own words", async (t) => {
    const { parent, workers } = startParent(t, "ends");
    let printed = "";
    parent.stdout?.on("data", (chunk) => {
      printed += chunk;
    });
    assert.deepEqual(await once(parent, "close"), [0, null]);
    assert.equal(printed, "done\n");
    await until(() => !workers().some(isRunning));
  });
});
