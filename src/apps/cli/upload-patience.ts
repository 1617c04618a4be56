/** Tries again what may pass by itself: a lost connection, a server that restarts or has too much to do. */

import { setTimeout as sleep } from "node:timers/promises";
import { Problem, type ProblemKind } from "../../platform/problem.ts";

const PASSING: ReadonlySet<ProblemKind> = new Set(["unavailable", "too-many", "unexpected"]);
/** A defect of the server may be one of this moment, but hardly one that passes. */
const MOST_DEFECTS = 4;

export type PatienceSettings = {
  signal: AbortSignal;
  /** Hears of the first failure after it went well. */
  onWait(problem: Problem): void;
  patienceMs?: number;
  firstWaitMs?: number;
  longestWaitMs?: number;
};

/** `wentWell` starts the patience afresh, for work that is done in pieces. */
export type Work<T> = (wentWell: () => void) => Promise<T>;
export type Patience = <T>(work: Work<T>) => Promise<T>;

export function createPatience(settings: PatienceSettings): Patience {
  const { signal, onWait, patienceMs = 5 * 60_000, firstWaitMs = 500, longestWaitMs = 30_000 } = settings;
  return async (work) => {
    let failures = 0;
    let failingSince = 0;
    const wentWell = () => {
      failures = 0;
    };
    for (;;) {
      try {
        signal.throwIfAborted();
        return await work(wentWell);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof Problem) || !PASSING.has(error.kind)) throw error;
        failures += 1;
        if (failures === 1) {
          failingSince = performance.now();
          onWait(error);
        }
        const isLong = failures > 1 && performance.now() - failingSince > patienceMs;
        if (isLong || (error.kind === "unexpected" && failures >= MOST_DEFECTS)) throw error;
        const wait = Math.min(firstWaitMs * 2 ** (failures - 1), longestWaitMs);
        // Those who failed together need not come back together.
        const spread = wait * (0.75 + Math.random() / 2);
        await sleep(Math.max(spread, error.retryInMs ?? 0), undefined, { signal });
      }
    }
  };
}
