/**
 * `node tests/simulation/seeds.ts FROM TO [BUG]` runs seeds one after the other and prints what happened as one line of
 * JSON. With a deliberate bug it stops at the first seed that notices it.
 */

import { BUGS } from "./bugs.ts";
import { loadModules, type Report, runSeed } from "./run-seed.ts";

export type Totals = Pick<Report, "steps" | "faults" | "happened"> & { seeds: number; failures: Failed[] };
export type Failed = { seed: number; invariant: string; message: string };

const MOST_FAILURES = 10;

const [from = "1", to = "100", bugName = ""] = process.argv.slice(2);
const bug = BUGS[bugName];
const modules = await loadModules(bug?.changes);
const totals: Totals = { seeds: 0, steps: 0, faults: {}, happened: {}, failures: [] };
for (let seed = Number(from); seed < Number(to) && !isEnough(); seed += 1) {
  const { steps, faults, happened, failure } = await runSeed(seed, modules);
  totals.seeds += 1;
  totals.steps += steps;
  addTo(totals.faults, faults);
  addTo(totals.happened, happened);
  if (failure) totals.failures.push({ seed, ...failure });
}
console.log(JSON.stringify(totals));

function isEnough(): boolean {
  if (bug) return totals.failures.some(({ invariant }) => bug.breaks.includes(invariant));
  return totals.failures.length >= MOST_FAILURES;
}

function addTo(sums: { [name: string]: number }, more: { [name: string]: number }): void {
  for (const [name, count] of Object.entries(more)) sums[name] = (sums[name] ?? 0) + count;
}
