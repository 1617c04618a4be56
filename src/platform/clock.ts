/** The machine's own clock. */

import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "./ports.ts";

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => delay(ms, undefined, signal ? { signal } : {}).catch(() => {}),
};
