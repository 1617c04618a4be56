/** The work of the program that nobody asks for at the moment, done in this process: messages, and what is due by time. */

import type { Consumer, Engines } from "../platform/ports.ts";
import { type QueueWork, startWork } from "../platform/queue-work.ts";
import type { Log } from "./log.ts";

const TICK_EVERY_MS = 1000;

export function runWorkers(
  engines: Pick<Engines, "queue" | "clock">,
  { work, tick }: { work: QueueWork[]; tick(): Promise<void> },
  log: Log,
): Consumer {
  const consuming = startWork(engines, work);
  const stopping = new AbortController();
  const keepTime = async () => {
    while (!stopping.signal.aborted) {
      await tick().catch((error) => log.error({ err: error }, "what is due by time failed"));
      await engines.clock.sleep(TICK_EVERY_MS, stopping.signal);
    }
  };
  const ticking = keepTime();
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all([consuming.stop(), ticking]);
    },
  };
}
