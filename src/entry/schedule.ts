/** Looks after all events that still have something to do: times that have come, and lines that nobody settles. */

import type { Item, Page } from "../platform/ports.ts";
import { findCapacity, findConfig, findTickets } from "./config.ts";
import { closeEntry } from "./control.ts";
import type { Entry } from "./entry.ts";
import { extendLives } from "./extend.ts";
import { ACTIVE_EVENTS, activeKey, type ConfigItem } from "./items.ts";
import { leadLottery } from "./lottery.ts";
import { carryOutgoing } from "./outgoing.ts";
import { lineOf, settleLine } from "./settle.ts";

const EVENTS_AT_ONCE = 100;

/** Once over all of them. What fails for one event does not keep the others waiting. */
export async function tick(entry: Entry): Promise<void> {
  let cursor: string | undefined;
  do {
    const page: Page<Item> = await entry.table.query({
      partition: ACTIVE_EVENTS,
      limit: EVENTS_AT_ONCE,
      ...(cursor !== undefined && { cursor }),
    });
    for (const { eventId } of page.items) await lookAfter(entry, eventId as string).catch(entry.onError);
    cursor = page.cursor;
  } while (cursor !== undefined);
}

async function lookAfter(entry: Entry, eventId: string): Promise<void> {
  const config = await findConfig(entry, eventId);
  const now = entry.clock.now();
  if (config) {
    if (config.eventType === "LOTTERY") {
      if (config.status !== "Announced") await leadLottery(entry, eventId, config);
    } else if (config.status === "Open" && now >= (config.closesAt ?? Number.POSITIVE_INFINITY)) {
      await closeEntry(entry, eventId, true);
    }
  }
  if (config?.extendFrom !== undefined) await extendLives(entry, eventId, config);
  const settled = await settleIfNeeded(entry, eventId);
  if (settled && isOver(config, now)) await entry.table.write([{ delete: activeKey(eventId) }]);
}

/** Answers whether nobody is left in the line. */
async function settleIfNeeded(entry: Entry, eventId: string): Promise<boolean> {
  const [config, capacity, tickets] = await Promise.all([
    findConfig(entry, eventId),
    findCapacity(entry, eventId),
    findTickets(entry, eventId),
  ]);
  await carryOutgoing(entry, eventId);
  if (!config || !capacity || !tickets) return true;
  if (!lineOf(entry, eventId, config)) return false;
  const canPromote = capacity.capacityRemaining > 0 && capacity.reserveFrom < capacity.head;
  if (capacity.head >= tickets.next - (config.eventType === "LOTTERY" ? capacity.voided : 0) && !canPromote)
    return true;
  return settleLine(entry, eventId);
}

/** Places may be given back, and go on, until the race. */
function isOver(config: ConfigItem | undefined, now: number): boolean {
  return !config || now >= config.endsAt;
}
