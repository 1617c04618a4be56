/** Scenes of entry's core on real engines: one event, people who ask for places, and what one wants to know afterwards. */

import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import { monotonicFactory } from "ulid";
import { readConfig } from "../../src/entry/config.ts";
import { newSeed } from "../../src/entry/draw/draw.ts";
import { type Entry, type EntryParts, requestQueue } from "../../src/entry/entry.ts";
import { EntryMessage, entryQueue } from "../../src/entry/events.ts";
import { followRegistry } from "../../src/entry/follow-registry.ts";
import { createEntry } from "../../src/entry/index.ts";
import {
  type BlockItem,
  type CapacityItem,
  capacityKey,
  eventPartition,
  type LineKind,
  type LogItem,
  lockKey,
  type RequestItem,
  requestKey,
} from "../../src/entry/items.ts";
import { participationRequested } from "../../src/entry/message.ts";
import { type Participation, requestParticipation } from "../../src/entry/participate.ts";
import { settleLine } from "../../src/entry/settle.ts";
import { takeTickets } from "../../src/entry/tickets.ts";
import { settleParticipations } from "../../src/entry/worker.ts";
import { openAwsSubject } from "../../src/platform/contracts/doubles/aws-subject.ts";
import { dynoxideMissing } from "../../src/platform/contracts/doubles/dynoxide.ts";
import type { Subject } from "../../src/platform/contracts/subject.ts";
import { openEmbeddedSubject } from "../../src/platform/embedded/subject.ts";
import type { Failure, Item, Key } from "../../src/platform/ports.ts";
import {
  createTestClock,
  createTestRegistry,
  drain,
  EVENT_ID,
  type EventWish,
  messageOf,
  type TestClock,
  type TestRegistry,
} from "./entry-parts.ts";

const MOST_ITEMS = 1000;

export type Scene = Deeds &
  Looks &
  Pick<TestRegistry, "settingsAfter" | "vanish" | "remake" | "message"> & {
    eventId: string;
    beganAt: number;
    clock: TestClock;
    entry: Entry;
    /** What nobody was told of, in any process. */
    errors: unknown[];
    /** Another process on the same engines, with parts that may behave differently. */
    open(parts?: Partial<EntryParts>): Entry;
    /** The organizer changes the event, and entry hears of it. */
    change(wish: EventWish): Promise<void>;
    /** Entry gets such a message of the registry; answers what it did not do. */
    follow(type: "event.changed" | "event.removed", process?: Entry): Promise<Failure[]>;
  };

export type OpenScene = (wish?: EventWish) => Promise<Scene>;

/** The same suite on the embedded engines and on the AWS engines; each scene has tables and queues of its own. */
export function onEachEngine(subject: string, suite: (open: OpenScene) => void): void {
  const engines = [
    { name: "embedded", open: openEmbeddedSubject, skip: false },
    { name: "aws", open: () => openAwsSubject(), skip: dynoxideMissing() ?? false },
  ];
  for (const { name, open, skip } of engines) {
    describe(`${subject}: ${name}`, { skip }, () => {
      let opened: Subject;
      before(async () => {
        opened = await open();
      });
      after(() => opened?.close());
      suite((wish = {}) => openScene(opened, wish));
    });
  }
}

export async function openScene(subject: Subject, wish: EventWish): Promise<Scene> {
  const clock = createTestClock();
  const beganAt = clock.now();
  const registry = createTestRegistry(beganAt, wish);
  const errors: unknown[] = [];
  const [table, requests, messages, draws] = await Promise.all([
    subject.table(),
    subject.queue(requestQueue.settings),
    subject.queue(entryQueue.settings),
    subject.blobs(),
  ]);
  const facts = { eventForEntry: async (eventId: string) => registry.find(eventId) };
  const onError = (error: unknown) => void errors.push(error);
  const open = (parts: Partial<EntryParts> = {}) => {
    const own = { newRequestId: monotonicFactory(), newSeed, onError };
    return createEntry({ table, requests, messages, draws, clock, facts, ...own, ...parts });
  };
  const entry = open();
  const { settingsAfter, vanish, remake, message } = registry;
  const follow = (type: "event.changed" | "event.removed", process = entry) =>
    followRegistry(process)([messageOf(clock, message(type))]);
  const change = async (changed: EventWish) => {
    registry.change(changed);
    assert.deepEqual(await follow("event.changed"), []);
  };
  const own = { eventId: EVENT_ID, beganAt, clock, entry, errors, open, change, follow };
  return { ...own, settingsAfter, vanish, remake, message, ...deedsOf(entry), ...looksAt(entry) };
}

/** As many as there are names. */
type Each<Names extends string[], T> = { [Index in keyof Names]: T };

type Deeds = {
  ask(userId: string, process?: Entry): Promise<Participation>;
  /** One after the other, so that tickets go in the order of the names. */
  enter<const UserIds extends string[]>(...userIds: UserIds): Promise<Each<UserIds, RequestItem>>;
  /** All at the same time. */
  crowd(count: number): Promise<RequestItem[]>;
  /** A process takes tickets, and dies before claiming them. */
  loseTickets(count: number): Promise<void>;
  settle(process?: Entry): Promise<boolean>;
  /** Hands messages for these requests to a worker; answers what it did not do. */
  deliver(requestIds: string[], sentMsAgo?: number): Promise<Failure[]>;
};

function deedsOf(entry: Entry): Deeds {
  const ask = (userId: string, process = entry) => requestParticipation(process, { eventId: EVENT_ID, userId });
  return {
    ask,
    enter: async <const UserIds extends string[]>(...userIds: UserIds) => {
      const entered: RequestItem[] = [];
      for (const userId of userIds) entered.push((await ask(userId)).request);
      return entered as Each<UserIds, RequestItem>;
    },
    crowd: async (count) => {
      const answers = await Promise.all(peopleNamed(count).map((userId) => ask(userId)));
      return answers.map(({ request }) => request);
    },
    loseTickets: async (count) => {
      await takeTickets(entry, await readConfig(entry, EVENT_ID), { eventId: EVENT_ID, count });
    },
    settle: (process = entry) => settleLine(process, EVENT_ID),
    deliver: (requestIds, sentMsAgo = 0) => {
      const bodies = requestIds.map((requestId) => participationRequested({ requestId, eventId: EVENT_ID }));
      return settleParticipations(entry)(bodies.map((body) => messageOf(entry.clock, body, sentMsAgo)));
    },
  };
}

type Looks = {
  item(key: Key): Promise<Item | undefined>;
  items(partition: string, beginsWith?: string): Promise<Item[]>;
  capacity(): Promise<CapacityItem>;
  request(requestId: string): Promise<RequestItem>;
  requestIdOf(userId: string): Promise<string>;
  /** Of everybody with a ticket, in the order of tickets. */
  requests(): Promise<RequestItem[]>;
  /** Who stands where: the first position, how many, and their requests, or true for a void ticket. */
  blocks(kind?: LineKind): Promise<[number, number, true | string[]][]>;
  /** In the order in which the table keeps it. */
  log(requestId: string): Promise<LogItem[]>;
  steps(requestId: string): Promise<string[]>;
  /** What the registry was told since the last time, sorted, since no order is promised. */
  told(): Promise<EntryMessage[]>;
};

function looksAt({ table, messages }: Entry): Looks {
  const items = async (partition: string, beginsWith = "") => {
    const sort = beginsWith === "" ? {} : { sort: { beginsWith } };
    return (await table.query({ partition, ...sort, limit: MOST_ITEMS })).items;
  };
  const log = async (requestId: string) => (await items(requestKey(requestId).PK, "LOG#")) as LogItem[];
  return {
    item: (key) => table.get(key),
    items,
    capacity: async () => (await table.get(capacityKey(EVENT_ID))) as CapacityItem,
    request: async (requestId) => (await table.get(requestKey(requestId))) as RequestItem,
    requestIdOf: async (userId) => (await table.get(lockKey(EVENT_ID, userId)))?.requestId as string,
    requests: async () => {
      const page = await table.query({ index: "GSI2", partition: eventPartition(EVENT_ID), limit: MOST_ITEMS });
      return (page.items as RequestItem[]).toSorted((a, b) => (a.ticket as number) - (b.ticket as number));
    },
    blocks: async (kind = "TICKET") => {
      const blocks = (await items(eventPartition(EVENT_ID), `${kind}#`)) as BlockItem[];
      return blocks.map(({ first, count, requestIds }) => [first, count, requestIds ?? true]);
    },
    log,
    steps: async (requestId) => (await log(requestId)).map(({ fromStatus, toStatus }) => `${fromStatus} ${toStatus}`),
    told: async () => {
      const told = (await drain(messages)).map(({ body }) => EntryMessage.parse(JSON.parse(body)));
      return told.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    },
  };
}

export function peopleNamed(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `runner-${String(index + 1).padStart(3, "0")}`);
}

/** Places are taken by the first in line who did not give theirs back, by nobody else, and add up. */
export async function checkPlaces({ requests, capacity }: Scene): Promise<void> {
  const all = await requests();
  const { capacityTotal, capacityRemaining } = await capacity();
  const positionOf = ({ rank, ticket }: RequestItem) => (rank ?? ticket) as number;
  const standing = all.filter(({ resultCode }) => resultCode !== "CANCELLED");
  const line = standing.toSorted((a, b) => positionOf(a) - positionOf(b));
  const winners = line.filter(({ status }) => status === "SUCCEEDED");
  assert.deepEqual(winners.map(positionOf), line.slice(0, capacityTotal).map(positionOf));
  assert.equal(capacityTotal - capacityRemaining, winners.length);
  const places = winners.map(({ place }) => place);
  assert.equal(new Set(places).size, winners.length);
  assert.ok(places.every((place) => place !== undefined));
  assert.ok(all.every(({ status, place }) => status === "SUCCEEDED" || place === undefined));
}
