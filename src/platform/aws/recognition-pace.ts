/** Keeps the calls of one operation apart, so that they stay under AWS's quota of calls per second. */

import type { Clock } from "../ports.ts";
import { recognitionBusy } from "./recognition-failures.ts";

export type PaceSettings = { clock: Clock; callsPerSecond: number; maxWaitMs: number };

/**
 * Resolves when the next call may go. Evenly spaced, without a burst: after a quiet while the first second would
 * otherwise have twice as many calls. Who would wait too long is refused at once and takes no turn.
 */
export function createPace({ clock, callsPerSecond, maxWaitMs }: PaceSettings): () => Promise<void> {
  const apartMs = 1000 / callsPerSecond;
  let freeAt = 0;
  return async () => {
    const now = clock.now();
    const waitMs = Math.max(0, freeAt - now);
    if (waitMs > maxWaitMs) throw recognitionBusy({ retryInMs: Math.ceil(waitMs) });
    freeAt = now + waitMs + apartMs;
    if (waitMs > 0) await clock.sleep(waitMs);
  };
}
