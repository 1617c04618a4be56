/** How an event's line stands, for everybody who asks: read once for all who ask within a moment. */

import { type Fresh, keepFresh } from "../platform/fresh.ts";
import { Problem } from "../platform/problem.ts";
import { findCapacity, findTickets, readConfig } from "./config.ts";
import type { Entry } from "./entry.ts";
import { type CapacityItem, type ConfigItem, closingTime, type TicketsItem } from "./items.ts";

/** Ten thousand people who ask every second then cost a few reads a second. */
const FRESH_MS = 200;

export const PHASES = ["NOT_OPEN", "OPEN", "PAUSED", "CLOSED", "DRAWING", "ANNOUNCED"] as const;
export type Phase = (typeof PHASES)[number];

export type LineState = { config: ConfigItem; capacity: CapacityItem; tickets: TicketsItem };

export type LineStates = Fresh<LineState>;

export function createLineStates(entry: Pick<Entry, "table" | "clock" | "facts" | "newSeed">): LineStates {
  return keepFresh({ clock: entry.clock, freshMs: FRESH_MS }, async (eventId) => {
    const config = await readConfig(entry, eventId);
    const [capacity, tickets] = await Promise.all([findCapacity(entry, eventId), findTickets(entry, eventId)]);
    return { config, capacity: capacity as CapacityItem, tickets: tickets as TicketsItem };
  });
}

/** Nothing when the event is gone. */
export async function findState(states: LineStates, eventId: string): Promise<LineState | undefined> {
  return states.read(eventId).catch((error) => {
    if (error instanceof Problem && error.kind === "missing") return undefined;
    throw error;
  });
}

export function phaseOf(config: ConfigItem, now: number): Phase {
  if (config.status === "Announced") return "ANNOUNCED";
  if (config.lotteryCutoffAt !== undefined && now >= config.lotteryCutoffAt) return "DRAWING";
  if (config.status === "Closed" || now >= closingTime(config)) return "CLOSED";
  if (config.paused) return "PAUSED";
  return now >= config.opensAt || config.openedAt !== undefined ? "OPEN" : "NOT_OPEN";
}

/** Who stands in line without a result. */
export function waitingIn({ config, capacity, tickets }: LineState): number {
  const given = tickets.next - 1;
  if (config.eventType === "FIRST_COME") return Math.max(given - (capacity.head - 1), 0);
  return Math.max(given - capacity.voided - (capacity.head - 1), 0);
}
