/** An event's entry: made from the registry's settings when it is first asked for, changed when they change. */

import { ConditionFailed } from "../platform/condition-failed.ts";
import { absent, all, any, below, exists, is } from "../platform/conditions.ts";
import type { Action, Item } from "../platform/ports.ts";
import { Problem } from "../platform/problem.ts";
import type { EntrySettings, EventForEntry } from "../registry/events.ts";
import { commitmentOf } from "./draw/draw.ts";
import type { EntryParts } from "./entry.ts";
import {
  activeKey,
  type CapacityItem,
  type ConfigItem,
  capacityKey,
  configKey,
  drawKey,
  type Freed,
  type TicketsItem,
  ticketsKey,
} from "./items.ts";

type Parts = Pick<EntryParts, "table" | "clock" | "facts" | "newSeed">;

const CHANGE_TRIES = 20;
const MOST_FREED = 50;

export function noEvent(eventId: string): Problem {
  return new Problem("missing", "event.not-found", `There is no event ${eventId} that takes entries.`);
}

/** @throws a Problem when the event is unknown or takes no entries. */
export async function readConfig(parts: Parts, eventId: string): Promise<ConfigItem> {
  const config = (await findConfig(parts, eventId)) ?? (await applySettings(parts, eventId));
  if (!config) throw noEvent(eventId);
  return config;
}

export async function findConfig({ table }: Pick<Parts, "table">, eventId: string): Promise<ConfigItem | undefined> {
  const item = await table.get(configKey(eventId));
  return item?.removed ? undefined : (item as ConfigItem | undefined);
}

export async function findCapacity(
  { table }: Pick<Parts, "table">,
  eventId: string,
): Promise<CapacityItem | undefined> {
  return (await table.get(capacityKey(eventId))) as CapacityItem | undefined;
}

export async function findTickets({ table }: Pick<Parts, "table">, eventId: string): Promise<TicketsItem | undefined> {
  return (await table.get(ticketsKey(eventId))) as TicketsItem | undefined;
}

/** Brings what the registry says now into the table. Answers nothing when the event takes no entries. */
export async function applySettings(parts: Parts, eventId: string): Promise<ConfigItem | undefined> {
  for (let tries = 0; tries < CHANGE_TRIES; tries += 1) {
    const event = await parts.facts.eventForEntry(eventId);
    if (!event?.entry) return undefined;
    const settings = settingsOf(event, event.entry);
    const config = await findConfig(parts, eventId);
    try {
      // Another process may have read the registry later than this one.
      if (config && config.revision >= settings.revision) return config;
      if (config) await change(parts, eventId, config, settings);
      else await create(parts, eventId, settings);
      return await findConfig(parts, eventId);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
  throw new Problem("unavailable", "entry.busy", "The event's line is too busy to be changed. Try again in a moment.");
}

type Settings = Pick<
  ConfigItem,
  | "eventType"
  | "orgId"
  | "published"
  | "capacityTotal"
  | "opensAt"
  | "closesAt"
  | "lotteryCutoffAt"
  | "announcedAt"
  | "cancelUntil"
  | "endsAt"
  | "beaconSource"
  | "revision"
>;

function settingsOf(event: EventForEntry, entry: EntrySettings): Settings {
  const optional = (name: string, at: string | undefined) => (at === undefined ? {} : { [name]: Date.parse(at) });
  return {
    eventType: entry.eventType,
    orgId: event.orgId,
    published: event.published,
    capacityTotal: entry.capacityTotal,
    opensAt: Date.parse(entry.opensAt),
    cancelUntil: entry.cancelUntil === undefined ? event.startsAt : Date.parse(entry.cancelUntil),
    endsAt: event.endsAt,
    revision: event.revision,
    ...(entry.eventType === "LOTTERY"
      ? {
          lotteryCutoffAt: Date.parse(entry.lotteryCutoffAt),
          announcedAt: Date.parse(entry.announcedAt),
          ...(entry.beaconSource !== undefined && { beaconSource: entry.beaconSource }),
        }
      : optional("closesAt", entry.closesAt)),
  };
}

async function create({ table, clock, newSeed }: Parts, eventId: string, settings: Settings): Promise<void> {
  const now = clock.now();
  const capacity: CapacityItem = {
    ...capacityKey(eventId),
    entityType: "CAPACITY",
    capacityTotal: settings.capacityTotal,
    capacityRemaining: settings.capacityTotal,
    updatedAt: now,
    version: 1,
    head: 1,
    startedTo: 1,
    reserveFrom: 1,
    placesGiven: 0,
    freed: [],
    rejected: 0,
    cancelled: 0,
    failed: 0,
    voided: 0,
  };
  // An event that was removed leaves a gravestone; only one made anew, which is later, may take its place.
  const free = any(absent("PK"), all(exists("removed"), below("revision", settings.revision)));
  const actions: Action[] = [
    { put: { ...configKey(eventId), ...settings, status: "Open" }, if: free },
    { put: capacity, if: absent("PK") },
    { put: { ...ticketsKey(eventId), next: 1, queuedAt: 0 }, if: absent("PK") },
    { put: { ...activeKey(eventId), eventId } },
  ];
  if (settings.eventType === "LOTTERY")
    actions.push({ put: newDraw(eventId, newSeed(), settings, now), if: absent("PK") });
  await table.write(actions);
}

/** The seed is there, and its commitment published, before anybody can enter. */
function newDraw(eventId: string, seed: string, { beaconSource }: Settings, now: number): Item {
  return {
    ...drawKey(eventId),
    seed,
    commitment: commitmentOf(eventId, seed),
    committedAt: now,
    ...(beaconSource !== undefined && { beaconSource }),
  };
}

async function change(parts: Parts, eventId: string, config: ConfigItem, settings: Settings): Promise<void> {
  const { table, clock } = parts;
  const gone = (["closesAt", "lotteryCutoffAt", "announcedAt", "beaconSource"] as const).filter(
    (name) => config[name] !== undefined && settings[name] === undefined,
  );
  const reopens = config.closedByTime && (settings.closesAt ?? Number.POSITIVE_INFINITY) > clock.now();
  const remove = reopens ? [...gone, "closedByTime"] : gone;
  const isLater = settings.endsAt > config.endsAt;
  const set = { ...settings, ...(reopens && { status: "Open" }), ...(isLater && { extendFrom: 1 }) };
  const asRead = all(is("status", config.status), is("revision", config.revision));
  const actions: Action[] = [
    { update: configKey(eventId), set, if: asRead, ...(remove.length > 0 && { remove }) },
    { put: { ...activeKey(eventId), eventId } },
  ];
  if (reopens)
    actions.push({ update: ticketsKey(eventId), remove: ["closed"], if: all(exists("next"), absent("frozen")) });
  if (settings.eventType === "LOTTERY") actions.push(await changeDraw(parts, eventId, settings));
  const capacity = await findCapacity(parts, eventId);
  if (capacity && capacity.capacityTotal !== settings.capacityTotal) {
    actions.push(resize(eventId, capacity, settings.capacityTotal, clock.now()));
  }
  await table.write(actions);
}

/** An event may become a lottery, and get another beacon, until somebody enters. */
async function changeDraw({ table, clock, newSeed }: Parts, eventId: string, settings: Settings): Promise<Action> {
  const draw = await table.get(drawKey(eventId));
  if (!draw) return { put: newDraw(eventId, newSeed(), settings, clock.now()), if: absent("PK") };
  const { beaconSource } = settings;
  if (draw.beaconSource === beaconSource) return { check: drawKey(eventId), if: exists("seed") };
  const change = beaconSource === undefined ? { remove: ["beaconSource"] } : { set: { beaconSource } };
  return { update: drawKey(eventId), ...change, if: absent("frozenAt") };
}

/** More places go to the next in line. Fewer only as far as they are not taken: the rest is refused before (see guard.ts). */
function resize(eventId: string, capacity: CapacityItem, wanted: number, now: number): Action {
  const taken = capacity.capacityTotal - capacity.capacityRemaining;
  const capacityTotal = Math.max(wanted, taken);
  const capacityRemaining = capacityTotal - taken;
  const more = capacityTotal - capacity.capacityTotal;
  const freed =
    more > 0 ? [...capacity.freed, { why: `The capacity was raised to ${capacityTotal}.`, count: more }] : [];
  return {
    update: capacityKey(eventId),
    set: {
      capacityTotal,
      capacityRemaining,
      freed: freedFor(freed, capacityRemaining),
      updatedAt: now,
      version: capacity.version + 1,
    },
    if: is("version", capacity.version),
  };
}

/** What is known of the places that are left: those that came free last are taken last. */
export function freedFor(freed: Freed[], remaining: number): Freed[] {
  let surplus = freed.reduce((sum, { count }) => sum + count, 0) - remaining;
  const kept: Freed[] = [];
  for (const each of freed) {
    const dropped = Math.min(Math.max(surplus, 0), each.count);
    surplus -= dropped;
    if (each.count > dropped) kept.push({ why: each.why, count: each.count - dropped });
  }
  return kept.slice(-MOST_FREED);
}
