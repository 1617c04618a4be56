/** Entry as a whole: opened on engines, with its routes and its workers. */

import { randomFillSync } from "node:crypto";
import { monotonicFactory } from "ulid";
import { keepFresh } from "../platform/fresh.ts";
import type { Route } from "../platform/http/route.ts";
import type { Engines } from "../platform/ports.ts";
import type { QueueWork } from "../platform/queue-work.ts";
import { registryQueues } from "../registry/events.ts";
import { readConfig } from "./config.ts";
import { openDeadLetters } from "./dead-letters.ts";
import { newSeed } from "./draw/draw.ts";
import { type Entry, type EntryFacts, type EntryParts, requestQueue } from "./entry.ts";
import { entryQueue } from "./events.ts";
import { followRegistry } from "./follow-registry.ts";
import { checkEntryChange, type EntryChange } from "./guard.ts";
import { runnerRoutes } from "./http.ts";
import { drawRoutes } from "./http-draw.ts";
import { organizerRoutes } from "./http-organizer.ts";
import { ENTRY_TABLE, requestKey } from "./items.ts";
import { createLineStates } from "./line-state.ts";
import { createLineUp } from "./line-up.ts";
import { createLive } from "./live.ts";
import { tick } from "./schedule.ts";
import { settleParticipations } from "./worker.ts";

export const DRAWS_BUCKET = "snaprace-draws";
const MESSAGES_AT_ONCE = 100;
const WORKERS = 2;
const CONFIG_FRESH_MS = 100;

export type OpenedEntry = {
  entry: Entry;
  routes: Route[];
  /** For the rules of access. */
  eventOfRequest(requestId: string): Promise<string | undefined>;
  checkChange(change: EntryChange): Promise<void>;
  work: QueueWork[];
  /** What is due by time, and what nobody has looked after. To be called every now and then. */
  tick(): Promise<void>;
  /** Sends whoever follows a request live away, so that the server can stop. */
  endLive(): void;
};

export function createEntry(parts: EntryParts): Entry {
  const { clock } = parts;
  const configs = keepFresh({ clock, freshMs: CONFIG_FRESH_MS }, (eventId) => readConfig(parts, eventId));
  const own = { asking: new Map(), settling: new Map() };
  return { ...parts, configs, lineUp: createLineUp(parts, configs), live: createLive(), ...own };
}

/** `hasLive`: the workers are in this process, so that it knows when a line moves. */
export function openEntry(parts: {
  engines: Engines;
  facts: EntryFacts;
  hasLive: boolean;
  onError(error: unknown): void;
}): OpenedEntry {
  const { engines, facts, hasLive, onError } = parts;
  const entry = createEntry({
    table: engines.table(ENTRY_TABLE),
    requests: engines.queue(requestQueue.name, requestQueue.settings),
    messages: engines.queue(entryQueue.name, entryQueue.settings),
    draws: engines.blobs(DRAWS_BUCKET),
    clock: engines.clock,
    facts,
    newRequestId: monotonicFactory(stockOfRandomness()),
    newSeed,
    onError,
  });
  const states = createLineStates(entry);
  const http = { entry, states, hasLive };
  return {
    entry,
    routes: [...runnerRoutes(http), ...drawRoutes(http), ...organizerRoutes(http, openDeadLetters(entry, engines))],
    eventOfRequest: async (requestId) => (await entry.table.get(requestKey(requestId)))?.eventId as string | undefined,
    checkChange: (change) => checkEntryChange(entry, change),
    work: [
      {
        queue: requestQueue,
        handler: settleParticipations(entry),
        batchSize: MESSAGES_AT_ONCE,
        concurrency: WORKERS,
      },
      { queue: registryQueues.entry, handler: followRegistry(entry) },
    ],
    tick: () => tick(entry),
    endLive: () => entry.live.end(),
  };
}

/** The library's own source of randomness asks the system for each character: 13 µs for an id. */
function stockOfRandomness(): () => number {
  const stock = new Uint32Array(1024);
  let left = 0;
  return () => {
    if (left === 0) left = randomFillSync(stock).length;
    left -= 1;
    return (stock[left] as number) / 2 ** 32;
  };
}
