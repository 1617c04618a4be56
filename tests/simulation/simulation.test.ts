/** Entry under a scheduler that lets everything go wrong: what must hold holds after every step, whatever the seed. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { describe, it } from "node:test";
import { BUGS } from "./bugs.ts";
import { loadModules, runSeed } from "./run-seed.ts";
import type { Failed, Totals } from "./seeds.ts";
import { FAULTS } from "./weather.ts";

const SEEDS = Number(process.env.SIMULATION_SEEDS ?? 2400);
const FIRST_SEED = Number(process.env.SIMULATION_FROM ?? 1);
const PROCESSES = Math.min(2, availableParallelism());
/** Seeds go out in parts, so that a process that has the easy ones takes more of them. */
const SEEDS_AT_ONCE = 200;
const SEEDS_FOR_A_BUG = 1_500;
/** Two minutes are the aim; other work on the machine may make it longer. */
const LIMIT_MS = 300_000;
const SHOWN_STEPS = 60;
const SHOWN_LETTERS = 400;

const HAPPENS = ["voided", "adopted", "resumed", "promoted", "cancelled", "revived", "redriven", "drawn", "removed"];

const SEED_RUNNER = new URL("./seeds.ts", import.meta.url).pathname;
const REPLAY = new URL("./replay.ts", import.meta.url).pathname;

function run(path: string, args: string[]): Promise<{ exitCode: number; stdout: string }> {
  return new Promise((resolve, reject) => {
    const options = { maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(process.execPath, [path, ...args], options, (error, stdout, stderr) => {
      if (error && stderr !== "") reject(new Error(`${path} ${args.join(" ")}: ${stderr}`, { cause: error }));
      else resolve({ exitCode: child.exitCode ?? -1, stdout });
    });
  });
}

async function runSeeds(from: number, to: number, bug = ""): Promise<Totals> {
  const { stdout } = await run(SEED_RUNNER, [String(from), String(to), bug]);
  return JSON.parse(stdout) as Totals;
}

async function runAllSeeds(): Promise<Totals[]> {
  const parts = Array.from(
    { length: Math.ceil(SEEDS / SEEDS_AT_ONCE) },
    (_, part) => FIRST_SEED + part * SEEDS_AT_ONCE,
  );
  const end = FIRST_SEED + SEEDS;
  const all: Totals[] = [];
  const work = async () => {
    for (let from = parts.shift(); from !== undefined; from = parts.shift()) {
      all.push(await runSeeds(from, Math.min(from + SEEDS_AT_ONCE, end)));
    }
  };
  await Promise.all(Array.from({ length: PROCESSES }, work));
  return all;
}

function summed(all: Totals[], part: "faults" | "happened"): { [name: string]: number } {
  const sums: { [name: string]: number } = {};
  for (const totals of all) {
    for (const [name, count] of Object.entries(totals[part])) sums[name] = (sums[name] ?? 0) + count;
  }
  return sums;
}

/** The first failure with the end of its trace. */
async function describeFailures(failures: Failed[]): Promise<string> {
  const [first] = failures.toSorted((one, other) => one.seed - other.seed);
  if (!first) return "";
  const { stdout } = await run(REPLAY, [String(first.seed)]);
  const trace = stdout.trimEnd().split("\n").slice(-SHOWN_STEPS);
  const shown = trace.map((line) => (line.length > SHOWN_LETTERS ? `${line.slice(0, SHOWN_LETTERS)} …` : line));
  const seeds = failures.map(({ seed, invariant }) => `${seed} (${invariant})`).join(", ");
  return `Seeds that failed: ${seeds}\n${shown.join("\n")}\nAll steps: node tests/simulation/replay.ts ${first.seed}`;
}

describe("entry in simulation", () => {
  it(`keeps what must hold after every step of ${SEEDS} seeds`, { timeout: LIMIT_MS }, async (t) => {
    const all = await runAllSeeds();
    const [faults, happened] = [summed(all, "faults"), summed(all, "happened")];
    const [seeds, steps] = [sum(all.map((totals) => totals.seeds)), sum(all.map((totals) => totals.steps))];
    t.diagnostic(`${seeds} seeds, ${steps} steps`);
    t.diagnostic(`faults: ${JSON.stringify(faults)}`);
    t.diagnostic(`what happened: ${JSON.stringify(happened)}`);
    const failures = all.flatMap((totals) => totals.failures);
    assert.equal(failures.length, 0, await describeFailures(failures));
    assert.equal(seeds, SEEDS);
    for (const kind of FAULTS) assert.ok((faults[kind] ?? 0) > 0, `${kind} never struck`);
    for (const what of HAPPENS) assert.ok((happened[what] ?? 0) > 0, `nothing was ever ${what}`);
  });

  it("takes the same steps each time it runs a seed", async () => {
    const modules = await loadModules();
    for (const seed of [1, 2, 3, 4]) {
      const [first, second]: [string[], string[]] = [[], []];
      await runSeed(seed, modules, (line) => first.push(line));
      await runSeed(seed, modules, (line) => second.push(line));
      assert.ok(first.length > 50, `only ${first.length} steps`);
      assert.deepEqual(first, second);
    }
  });
});

describe("deliberate bugs", { concurrency: PROCESSES }, () => {
  for (const [name, { breaks }] of Object.entries(BUGS)) {
    it(`notices: ${name}`, async (t) => {
      const { failures, seeds } = await runSeeds(1, 1 + SEEDS_FOR_A_BUG, name);
      const noticed = failures.find(({ invariant }) => breaks.includes(invariant));
      const others = failures.map(({ message }) => message.slice(0, 200)).join("\n");
      assert.ok(noticed, `none of ${seeds} seeds found it; they found: ${others || "nothing"}`);
      t.diagnostic(`seed ${noticed.seed}: ${noticed.message}`);
    });
  }

  it("shows the steps that lead to one", async () => {
    const [bug = ""] = Object.keys(BUGS);
    const { failures } = await runSeeds(1, 1 + SEEDS_FOR_A_BUG, bug);
    const found = failures.at(-1);
    assert.ok(found);
    const { exitCode, stdout } = await run(REPLAY, [String(found.seed), bug]);
    assert.equal(exitCode, 1);
    const lines = stdout.trimEnd().split("\n");
    assert.equal(lines.at(-1), found.message);
    assert.match(lines.at(-3) ?? "", /ms {2}.* → table \d+: write /);
  });
});

function sum(numbers: number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
