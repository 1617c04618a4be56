/** The retries the SDK leaves to its callers: batches done only in part, and writes that ran into each other. */

import type { Clock } from "../ports.ts";

export type Backoff = { attempts: number; firstMs: number; maxMs: number };

/** Full jitter: those who collided once are spread over the whole pause, so that they hardly collide again. */
export function pauseMs(failures: number, { firstMs, maxMs }: Omit<Backoff, "attempts">): number {
  return Math.random() * Math.min(maxMs, firstMs * 2 ** (failures - 1));
}

/** Tries again while the error is one that may be retried, then throws the last error. */
export async function retryOn<T>(
  mayRetry: (error: unknown) => boolean,
  clock: Clock,
  backoff: Backoff,
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= backoff.attempts || !mayRetry(error)) throw error;
      await clock.sleep(pauseMs(attempt, backoff));
    }
  }
}

/** Repeats with what a step left over; answers what is left after the last attempt, best nothing. */
export async function untilNoneLeft<T>(
  all: T[],
  clock: Clock,
  backoff: Backoff,
  step: (left: T[]) => Promise<T[]>,
): Promise<T[]> {
  let left = all;
  for (let attempt = 1; left.length > 0; attempt++) {
    left = await step(left);
    if (left.length === 0 || attempt >= backoff.attempts) break;
    await clock.sleep(pauseMs(attempt, backoff));
  }
  return left;
}

/** Works on all items, so many at a time, and only then throws what went wrong first. */
export async function eachInParallel<T>(items: T[], width: number, work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const lanes = Array.from({ length: Math.min(width, items.length) }, async () => {
    for (const item of rest) await work(item);
  });
  const outcomes = await Promise.allSettled(lanes);
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
}

export function inGroupsOf<T>(size: number, items: T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
}
