/** How many requests one caller may send in a while, counted in this process alone. */

import { Problem } from "../problem.ts";

export type RateLimit = {
  /** Counts one request, and throws a Problem that says when to try again once there were too many. */
  count(caller: string): void;
};

/** Fixed windows cost one map entry per caller and no timers; a burst across two windows may reach twice the limit. */
export function createRateLimit(settings: { requests: number; windowMs: number; now(): number }): RateLimit {
  const { requests, windowMs, now } = settings;
  let counts = new Map<string, number>();
  let endsAt = 0;
  return {
    count: (caller) => {
      const at = now();
      if (at >= endsAt) {
        counts = new Map();
        endsAt = at + windowMs;
      }
      const count = (counts.get(caller) ?? 0) + 1;
      counts.set(caller, count);
      if (count <= requests) return;
      const retryInMs = endsAt - at;
      const seconds = Math.ceil(retryInMs / 1000);
      throw new Problem(
        "too-many",
        "http.too-many-requests",
        `These are more than ${requests} requests in ${windowMs / 1000} s. Wait ${seconds} s and try again.`,
        { retryInMs },
      );
    },
  };
}
