/** Runs one seed from its first click until everything is at rest, and says what happened. */

import type { Entry } from "../../src/entry/entry.ts";
import { Broken, demand } from "./broken.ts";
import { planDeeds } from "./crowd.ts";
import { copyEntry, type EntryModule, loadEntry, type Replacement, SMALL_LIMITS } from "./entry-module.ts";
import { checkFairness, checkSummary } from "./figures.ts";
import type { Life } from "./life.ts";
import { checkOutcome, isAtRest } from "./outcome.ts";
import { EVENT_ID } from "./plan.ts";
import { World } from "./world.ts";

/** After the last fault everybody has a result within so long: a few visibility time-outs. */
const REST_WITHIN_MS = 240_000;
/** Whoever wants to try again has done so. */
const LAST_TRIES_MS = 30_000;
const STILL_MS = 7000;
const MOST_STEPS = 150_000;
const STEPS_PER_LOOK = 25;

export type Report = {
  seed: number;
  steps: number;
  faults: { [kind: string]: number };
  happened: { [what: string]: number };
  failure?: { invariant: string; message: string };
};

/** The code as it is and with small limits: seeds take turns. */
export type Modules = { real: EntryModule; small: EntryModule };

export async function loadModules(replacements: Replacement[] = []): Promise<Modules> {
  const real = await loadEntry(replacements.length > 0 ? copyEntry(replacements) : undefined);
  return { real, small: await loadEntry(copyEntry([...SMALL_LIMITS, ...replacements])) };
}

export async function runSeed(
  seed: number,
  { real, small }: Modules,
  onStep?: (line: string) => void,
): Promise<Report> {
  const world = new World(seed, seed % 2 === 0 ? real : small);
  const { scheduler } = world;
  if (onStep) {
    const startMs = scheduler.nowMs;
    scheduler.onStep = (line) => onStep(`${String(scheduler.nowMs - startMs).padStart(7)} ms  ${line}`);
  }
  const stray = (error: unknown) => {
    world.failure ??= error;
  };
  process.on("unhandledRejection", stray);
  try {
    await live(world);
    return reportOf(seed, world);
  } catch (error) {
    return { ...reportOf(seed, world), failure: failureOf(error) };
  } finally {
    process.off("unhandledRejection", stray);
  }
}

async function live(world: World): Promise<void> {
  const { scheduler, plan } = world;
  const startMs = scheduler.nowMs;
  planDeeds(world);
  await goOn(world, () => scheduler.nowMs >= startMs + plan.calmAfterMs);
  world.calmDown();
  if (world.random.chance(0.5)) world.restartAll();
  const calmMs = scheduler.nowMs;
  let rests = await rest(world, calmMs + LAST_TRIES_MS);
  if (world.services.requests.dead().length > 0) {
    world.happened("redriven", world.services.requests.dead().filter(({ body }) => body.includes("requestId")).length);
    world.services.requests.redrive();
    rests = await rest(world, scheduler.nowMs);
  }
  checkOutcome(world);
  demand(rests, "comes-to-rest", () => `something is still written every ${STILL_MS} ms`);
  if (world.isRemoved) return;
  const { readSummary, createFairness } = world.module;
  checkSummary(world, await answerOf(world, (entry) => readSummary(entry, EVENT_ID)));
  checkFairness(world, await answerOf(world, (entry) => createFairness(entry).read(EVENT_ID)));
}

/** What a process answers while nothing goes wrong any more. */
async function answerOf<T>(world: World, ask: (entry: Entry) => Promise<T>): Promise<T> {
  const life = world.someLife("isApi") as Life;
  const answers: T[] = [];
  ask(life.entry).then(
    (answer) => answers.push(answer),
    (error: unknown) => {
      world.failure ??= error;
    },
  );
  await goOn(world, () => answers.length > 0);
  return answers[0] as T;
}

/** Until all is done and nothing is written any more; answers false when that never comes. */
async function rest(world: World, earliestMs: number): Promise<boolean> {
  const { scheduler } = world;
  const latestMs = earliestMs + REST_WITHIN_MS;
  const isStill = () => scheduler.nowMs >= world.lastWriteMs + STILL_MS && isAtRest(world);
  let looks = 0;
  await goOn(world, () => {
    looks += 1;
    if (looks % STEPS_PER_LOOK !== 0 || scheduler.nowMs < earliestMs) return false;
    return scheduler.nowMs >= latestMs || isStill();
  });
  return isStill();
}

async function goOn(world: World, isDone: () => boolean): Promise<void> {
  await world.scheduler.run(() => {
    demand(world.scheduler.steps < MOST_STEPS, "comes-to-rest", () => `${MOST_STEPS} steps and no end`);
    return world.failure !== undefined || isDone();
  });
  if (world.failure !== undefined) throw world.failure;
}

function reportOf(seed: number, world: World): Report {
  const { scheduler, weather, requestRules, lineRules, counts } = world;
  const stepsOf = (step: string) => requestRules.steps.get(step) ?? 0;
  const happened = {
    ...counts,
    requests: requestRules.requests.size,
    acknowledged: world.acknowledged.size,
    voided: lineRules.voided.size,
    promoted: stepsOf("REJECTED>SUCCEEDED"),
    cancelled: stepsOf("SUCCEEDED>REJECTED"),
    revived: stepsOf("FAILED_FINAL>RECEIVED"),
    drawn: lineRules.ranks.size > 0 ? 1 : 0,
    removed: world.isRemoved ? 1 : 0,
  };
  return { seed, steps: scheduler.steps, faults: weather.counts, happened };
}

function failureOf(error: unknown): { invariant: string; message: string } {
  if (error instanceof Broken) return { invariant: error.invariant, message: error.message };
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { invariant: "no-defects", message };
}
