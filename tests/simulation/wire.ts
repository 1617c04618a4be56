/** The way from a process to a service and back: the effect and its answer are steps apart, and either can be lost. */

import { Problem } from "../../src/platform/problem.ts";
import type { Process, Scheduler } from "./scheduler.ts";
import type { Weather } from "./weather.ts";

/** `repeats`: whoever carries the call tries again by itself after a lost answer, and the second try counts anew. */
type Call<T> = { number: number; label: () => string; effect: () => T; changes?: boolean; repeats?: boolean };

type Outcome<T> = { value: T } | { error: unknown };

/** How long after a client gave up its write may still happen. */
const LATEST_MS = 3000;
/** What had left a process before it died may get through. */
const AFTER_DEATH = 0.5;

export class Wire {
  readonly #scheduler: Scheduler;
  readonly #weather: Weather;
  readonly #name: string;
  #calls = 0;
  /** Told before and after every effect: the moments at which a crash makes a difference. */
  readonly #onEffect: (process: Process) => void;

  constructor(scheduler: Scheduler, weather: Weather, name: string, onEffect: (process: Process) => void = () => {}) {
    this.#scheduler = scheduler;
    this.#weather = weather;
    this.#name = name;
    this.#onEffect = onEffect;
  }

  ask<T>(process: Process, asked: Omit<Call<T>, "number">): Promise<T> {
    const weather = this.#weather;
    this.#calls += 1;
    const call = { ...asked, number: this.#calls };
    return new Promise((resolve, reject) => {
      const answer = (outcome: Outcome<T>) => this.#answer(process, call, outcome, resolve, reject);
      if (weather.strikes("throttled")) return answer({ error: this.#busy() });
      if (call.changes && weather.strikes("late-write")) {
        answer({ error: this.#busy() });
        return this.#effect(process, call, this.#scheduler.random.between(0, LATEST_MS), () => {});
      }
      this.#effect(process, call, weather.latencyMs(), (outcome) => {
        if (call.repeats && weather.strikes("repeated-write")) {
          return this.#effect(process, call, weather.latencyMs(), answer);
        }
        answer(call.changes && weather.strikes("answer-lost") ? { error: this.#busy() } : outcome);
      });
    });
  }

  #busy(): Problem {
    return new Problem(
      "unavailable",
      `${this.#name}.busy`,
      `The ${this.#name} can't be reached. Try again in a moment.`,
    );
  }

  #effect<T>(process: Process, call: Call<T>, delayMs: number, then: (outcome: Outcome<T>) => void): void {
    const label = () =>
      `${process.name}${process.alive ? "" : " (dead)"} → ${this.#name} ${call.number}: ${call.label()}`;
    this.#scheduler.after(delayMs, label, () => {
      this.#onEffect(process);
      if (!process.alive && !(call.changes && this.#scheduler.random.chance(AFTER_DEATH))) return false;
      const outcome = outcomeOf(call.effect);
      if (process.alive) then(outcome);
      this.#onEffect(process);
      return false;
    });
  }

  #answer<T>(
    process: Process,
    call: Call<T>,
    outcome: Outcome<T>,
    resolve: (value: T) => void,
    reject: (error: unknown) => void,
  ): void {
    const label = () => `${process.name} ← ${this.#name} ${call.number}: ${describe(outcome)}`;
    this.#scheduler.after(this.#weather.latencyMs(), label, () => {
      if (!process.alive) return false;
      if ("error" in outcome) reject(outcome.error);
      else resolve(outcome.value);
      return true;
    });
  }
}

/** A broken invariant is no answer to the caller: it ends the run. */
export class Stop extends Error {}

function outcomeOf<T>(effect: () => T): Outcome<T> {
  try {
    return { value: effect() };
  } catch (error) {
    if (error instanceof Stop) throw error;
    return { error };
  }
}

function describe(outcome: Outcome<unknown>): string {
  if ("error" in outcome) return outcome.error instanceof Error ? outcome.error.message : String(outcome.error);
  return JSON.stringify(outcome.value) ?? "done";
}
