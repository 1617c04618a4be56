/** Parts for scenes of entry: what the registry says of an event, a clock for tests, engines that let something happen in between. */

import { setImmediate as nextTurn } from "node:timers/promises";
import type { EventType } from "../../src/entry/items.ts";
import type { Action, Clock, Item, Message, Queue, Table, Update } from "../../src/platform/ports.ts";
import type { EntrySettings, EventForEntry, RegistryMessage } from "../../src/registry/events.ts";
import { until } from "./entry-event.ts";

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export const EVENT_ID = "han-river-10k";

/** What is wanted of the event; times count from when the scene began. */
export type EventWish = {
  eventType?: EventType;
  capacityTotal?: number;
  published?: boolean;
  opensInMs?: number;
  closesInMs?: number | undefined;
  cutoffInMs?: number;
  announcedInMs?: number;
  cancelInMs?: number;
  endsInMs?: number;
  beaconSource?: string | undefined;
};

/** What the registry says of the one event. */
export type TestRegistry = {
  settingsAfter(wish: EventWish): EntrySettings;
  change(wish: EventWish): void;
  /** The event is removed; `remake` makes another under the same id. */
  vanish(): void;
  remake(): void;
  find(eventId: string): EventForEntry | undefined;
  /** What it tells others, as they get it. */
  message(type: RegistryMessage["type"]): string;
};

export function createTestRegistry(beganAt: number, first: EventWish): TestRegistry {
  let wish = first;
  let revision = 1;
  let isThere = true;
  const settingsAfter = (changed: EventWish) => settingsOf(beganAt, { ...wish, ...changed });
  return {
    settingsAfter,
    change: (changed) => {
      wish = { ...wish, ...changed };
      revision += 1;
    },
    vanish: () => {
      isThere = false;
    },
    remake: () => {
      isThere = true;
      revision += 1;
    },
    message: (type) => {
      const occurredAt = new Date(beganAt).toISOString();
      return JSON.stringify({ type, eventId: EVENT_ID, orgId: "han-river", revision, occurredAt });
    },
    find: (eventId) => {
      if (eventId !== EVENT_ID || !isThere) return undefined;
      const endsAt = beganAt + (wish.endsInMs ?? 31 * DAY_MS);
      const { published = true } = wish;
      const times = { startsAt: endsAt - DAY_MS, endsAt };
      return { eventId, orgId: "han-river", published, ...times, entry: settingsAfter({}), revision };
    },
  };
}

function settingsOf(beganAt: number, wish: EventWish): EntrySettings {
  const at = (inMs: number) => new Date(beganAt + inMs).toISOString();
  const { eventType = "FIRST_COME", capacityTotal = 2, opensInMs = -HOUR_MS } = wish;
  const { closesInMs, cancelInMs, beaconSource, cutoffInMs = HOUR_MS, announcedInMs = 2 * HOUR_MS } = wish;
  const both = {
    capacityTotal,
    opensAt: at(opensInMs),
    bibStart: 1,
    bibFormat: "0000",
    ...(cancelInMs !== undefined && { cancelUntil: at(cancelInMs) }),
  };
  if (eventType === "FIRST_COME") {
    return { eventType, ...both, ...(closesInMs !== undefined && { closesAt: at(closesInMs) }) };
  }
  const times = { lotteryCutoffAt: at(cutoffInMs), announcedAt: at(announcedInMs) };
  return { eventType, ...both, ...times, ...(beaconSource !== undefined && { beaconSource }) };
}

/** `goTo` counts from when the clock was made, and never goes back. */
export type TestClock = Clock & { move(ms: number): void; goTo(inMs: number): void };

/** Stands still; whoever sleeps wakes up at once, and so much later it is then. */
export function createTestClock(): TestClock {
  const beganAt = Date.now();
  let now = beganAt;
  const move = (ms: number) => {
    now += ms;
  };
  return {
    now: () => now,
    move,
    goTo: (inMs) => {
      now = Math.max(now, beganAt + inMs);
    },
    sleep: async (ms) => {
      move(ms);
      await nextTurn();
    },
  };
}

let messagesMade = 0;

export function messageOf(clock: Clock, body: string, sentMsAgo = 0): Message {
  messagesMade += 1;
  return { id: `message-${messagesMade}`, body, receives: 1, sentAt: clock.now() - sentMsAgo };
}

/** Takes all that is in a queue, as a consumer that does nothing with it. */
export async function drain(queue: Queue): Promise<Message[]> {
  const taken: Message[] = [];
  const consumer = queue.consume(async (messages) => {
    taken.push(...messages);
    return [];
  });
  await until(async () => {
    const { waiting, inFlight } = await queue.depth();
    return waiting + inFlight === 0;
  });
  await consumer.stop();
  return taken;
}

/** A queue that sends in its own way. */
export function queueWith(queue: Queue, send: (bodies: string[]) => Promise<void>): Queue {
  return {
    send,
    consume: (handler, options) => queue.consume(handler, options),
    peekDead: (limit) => queue.peekDead(limit),
    redrive: (ids) => queue.redrive(ids),
    depth: () => queue.depth(),
  };
}

/** A table where something happens around writes: before, after, or instead of them. */
export function tableWith(
  table: Table,
  around: {
    write?(actions: Action[], go: () => Promise<void>): Promise<void>;
    update?(update: Update, go: () => Promise<Item>): Promise<Item>;
  },
): Table {
  return {
    get: (key) => table.get(key),
    batchGet: (keys) => table.batchGet(keys),
    query: (query) => table.query(query),
    write: (actions) => {
      const go = () => table.write(actions);
      return around.write ? around.write(actions, go) : go();
    },
    update: (update) => {
      const go = () => table.update(update);
      return around.update ? around.update(update, go) : go();
    },
  };
}
