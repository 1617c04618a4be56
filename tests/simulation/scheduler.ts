/** Virtual time and the one loop of a simulation: it alone decides which pending step of which process comes next. */

import type { Clock } from "../../src/platform/ports.ts";
import type { Random } from "./random.ts";

/** One life of a program: after a crash the same name lives on as another one. */
export type Process = { readonly name: string; readonly skewMs: number; alive: boolean };

type Step = {
  dueMs: number;
  tie: number;
  label: () => string;
  /** Answers whether it gave some program something to go on with. */
  run: () => boolean;
};

export class Scheduler {
  readonly random: Random;
  nowMs = Date.UTC(2027, 2, 1);
  steps = 0;
  /** Set to follow every step. */
  onStep: ((line: string) => void) | undefined;
  readonly #pending: Step[] = [];

  constructor(random: Random) {
    this.random = random;
  }

  /** When the next step is due, if there is one. */
  get nextMs(): number | undefined {
    return this.#pending[0]?.dueMs;
  }

  after(delayMs: number, label: () => string, run: () => boolean): void {
    this.#push({ dueMs: this.nowMs + Math.max(0, delayMs), tie: this.random.fraction(), label, run });
  }

  /** Something the world does, which no crash prevents. */
  plan(delayMs: number, label: () => string, run: () => void): void {
    this.after(delayMs, label, () => {
      run();
      return true;
    });
  }

  clockOf(process: Process): Clock {
    return {
      now: () => Math.floor(this.nowMs + process.skewMs),
      sleep: (ms, signal) =>
        new Promise((resolve) => {
          if (signal?.aborted) return resolve();
          signal?.addEventListener("abort", () => resolve(), { once: true });
          const label = () => `${process.name} wakes up after ${ms} ms`;
          this.after(ms, label, () => {
            if (process.alive) resolve();
            return process.alive;
          });
        }),
    };
  }

  /** One step after the other until told to stop or nothing is left; answers whether it was told. */
  async run(isDone: () => boolean): Promise<boolean> {
    await quiet();
    while (!isDone()) {
      const step = this.#pop();
      if (!step) return false;
      this.nowMs = Math.max(this.nowMs, step.dueMs);
      this.steps += 1;
      this.onStep?.(step.label());
      if (step.run()) await quiet();
    }
    return true;
  }

  #push(step: Step): void {
    const heap = this.#pending;
    let at = heap.push(step) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(step, heap[parent] as Step)) break;
      heap[at] = heap[parent] as Step;
      at = parent;
    }
    heap[at] = step;
  }

  #pop(): Step | undefined {
    const heap = this.#pending;
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Step, heap[child] as Step)) child += 1;
      if (!isBefore(heap[child] as Step, last)) break;
      heap[at] = heap[child] as Step;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(one: Step, other: Step): boolean {
  return one.dueMs < other.dueMs || (one.dueMs === other.dueMs && one.tie < other.tie);
}

/** Every promise that can go on without the scheduler has done so. */
function quiet(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
