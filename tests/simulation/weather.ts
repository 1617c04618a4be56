/** What can go wrong in a simulation, how often it does in one of them, and how often it did. */

import type { Random } from "./random.ts";

export const FAULTS = [
  "crash",
  "throttled",
  "answer-lost",
  "late-write",
  "repeated-write",
  "slow",
  "stale-index",
  "delayed-message",
  "duplicate-message",
  "visibility-expired",
  "delete-lost",
  "letter-kept",
  "partly-sent",
] as const;

export type FaultKind = (typeof FAULTS)[number];

const RATES = [0.003, 0.01, 0.03, 0.08];
/** A crash costs a whole life, so that more than some would leave no work to look at; messages are few beside calls. */
const SHARES: { [kind in FaultKind]?: number } = {
  crash: 0.2,
  "delayed-message": 4,
  "duplicate-message": 4,
  "visibility-expired": 4,
  "delete-lost": 4,
  "letter-kept": 8,
  "partly-sent": 8,
  "stale-index": 4,
};
/** Typical time on the way, one direction. The longest is as long as products wait for each other. */
const PACES_MS = [1, 3, 20, 80, 400];

export class Weather {
  readonly counts: { [kind in FaultKind]?: number } = {};
  readonly #random: Random;
  readonly #rates = new Map<FaultKind, number>();
  #paceMs: number;

  /** Each kind is there in some seeds only, because too many at once hide each other. */
  constructor(random: Random, mood: "calm" | "any" = "any") {
    this.#random = random;
    this.#paceMs = mood === "calm" ? 0 : random.pick(PACES_MS);
    if (mood === "calm" || random.chance(0.03)) return;
    for (const kind of FAULTS) {
      const rate = random.pick(RATES) * (SHARES[kind] ?? 1);
      if (random.chance(0.55)) this.#rates.set(kind, rate);
    }
  }

  strikes(kind: FaultKind): boolean {
    const struck = this.#random.chance(this.#rates.get(kind) ?? 0);
    if (struck) this.counts[kind] = (this.counts[kind] ?? 0) + 1;
    return struck;
  }

  latencyMs(): number {
    const usual = this.#random.between(0, this.#paceMs);
    return this.strikes("slow") ? usual + this.#random.between(100, 4000) : usual;
  }

  /** From now on nothing goes wrong any more. */
  clear(): void {
    this.#rates.clear();
    this.#paceMs = Math.min(this.#paceMs, 5);
  }
}
