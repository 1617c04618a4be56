/** SIGKILL in the middle of everything, again and again: nothing acknowledged is lost, nothing torn, nothing stuck. */

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type Acknowledged, findDamage } from "./inspect.ts";

const KILLS = 8;
const SEEDS = (process.env.FAULT_SEEDS ?? "1,2").split(",").map(Number);
const QUIET_MS = 2_500;

const TARGET = new URL("./target.ts", import.meta.url).pathname;

type Target = { child: ChildProcess; ready: Promise<unknown>; lastLineAt(): number };

function startTarget(folder: string, acknowledged: Acknowledged, round: string, mode: string, bug: string): Target {
  const child = spawn(process.execPath, [TARGET, folder, round, mode, bug], { stdio: ["ignore", "pipe", "inherit"] });
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  child.once("exit", (code, signal) => reject(new Error(`the target ended by itself: ${code ?? signal}`)));
  ready.catch(() => {});
  let last = Date.now();
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
    last = Date.now();
    const [kind = "", id = ""] = line.split(" ");
    if (kind === "ready") resolve();
    else if (id !== "") acknowledged[kind] = (acknowledged[kind] ?? new Set()).add(id);
  });
  return { child, ready, lastLineAt: () => last };
}

async function kill(child: ChildProcess): Promise<void> {
  const closed = once(child, "close");
  child.kill("SIGKILL");
  await closed;
}

/** A small generator with a seed, so that a failure names the run that shows it. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

async function damageAfterKills(seed: number, kills: number, bug: string) {
  const folder = await mkdtemp(path.join(tmpdir(), "snaprace-fault-"));
  const random = randomOf(seed);
  const acknowledged: Acknowledged = {};
  try {
    for (let round = 0; round < kills; round += 1) {
      const target = startTarget(folder, acknowledged, String(round), "work", bug);
      await target.ready;
      await delay(20 + random() * 500);
      await kill(target.child);
    }
    const target = startTarget(folder, acknowledged, "last", "drain", bug);
    await target.ready;
    // What was in flight at the last kill comes back when its time is out; then nothing is left to say.
    while (Date.now() - target.lastLineAt() < QUIET_MS) await delay(100);
    await kill(target.child);
    return { damage: await findDamage(folder, acknowledged), acknowledged };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe("killed in the middle of work", () => {
  for (const seed of SEEDS) {
    it(`loses, tears and blocks nothing over ${KILLS} kills with seed ${seed}`, { timeout: 120_000 }, async (t) => {
      const { damage, acknowledged } = await damageAfterKills(seed, KILLS, "none");
      const counts = Object.entries(acknowledged).map(([kind, ids]) => `${kind} ${ids.size}`);
      t.diagnostic(`acknowledged: ${counts.join(", ")}`);
      assert.deepEqual(damage.slice(0, 20), [], `run again with FAULT_SEEDS=${seed}`);
      for (const kind of ["write", "send", "upload", "start"]) {
        assert.ok((acknowledged[kind]?.size ?? 0) > KILLS, `too few of ${kind}: ${counts}`);
      }
    });
  }

  const bugs: [string, RegExp][] = [
    ["ack-early", /written but lost|sent but never handled|uploaded but lost|gone/],
    ["two-writes", /torn: group/],
    ["message-first", /message without an object/],
  ];
  for (const [bug, sign] of bugs) {
    it(`would notice the deliberate bug ${bug}`, { timeout: 120_000 }, async () => {
      const { damage } = await damageAfterKills(7, 4, bug);
      assert.match(damage.join("\n"), sign);
    });
  }
});
