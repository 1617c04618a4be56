/** Which changes of an event's entry settings are too late: whoever entered relied on them. */

import { Problem } from "../platform/problem.ts";
import type { EntrySettings } from "../registry/events.ts";
import { findCapacity, findConfig, findTickets } from "./config.ts";
import type { Entry } from "./entry.ts";
import { findDraw } from "./lottery.ts";

export type EntryChange = { eventId: string; before: EntrySettings | null; after: EntrySettings | null };

/** @throws a Problem that names what can't be changed any more. */
export async function checkEntryChange(entry: Entry, { eventId, before, after }: EntryChange): Promise<void> {
  const config = await findConfig(entry, eventId);
  if (!config || !before) return;
  const [tickets, capacity, draw] = await Promise.all([
    findTickets(entry, eventId),
    findCapacity(entry, eventId),
    findDraw(entry, eventId),
  ]);
  const hasEntrants = (tickets?.next ?? 1) > 1;
  if (hasEntrants) refuseIf(!after, "The event has entrants: its entry settings can't be taken away.");
  if (!after) return;
  refuseIf(before.eventType !== after.eventType && hasEntrants, "The event has entrants: its type can't be changed.");
  refuseIf(
    before.eventType !== after.eventType && draw?.frozenAt !== undefined,
    "The cutoff has passed: a lottery stays one.",
  );
  const taken = capacity ? capacity.capacityTotal - capacity.capacityRemaining : 0;
  refuseIf(after.capacityTotal < taken, `${taken} places are taken: the capacity can't be less.`);
  if (after.eventType !== "LOTTERY" || before.eventType !== "LOTTERY") return;
  refuseIf(
    before.beaconSource !== after.beaconSource && hasEntrants,
    "The event has entrants: the beacon can't be changed.",
  );
  if (draw?.frozenAt === undefined) return;
  refuseIf(
    before.lotteryCutoffAt !== after.lotteryCutoffAt,
    "The cutoff has passed and the list of entrants is frozen: it can't be moved.",
  );
  refuseIf(
    after.capacityTotal < before.capacityTotal,
    "The list of entrants is frozen: the capacity can be raised, but not be less.",
  );
  refuseIf(
    config.status === "Announced" && before.announcedAt !== after.announcedAt,
    "The results are announced: their time can't be changed.",
  );
}

function refuseIf(refused: boolean, sentence: string): void {
  if (refused) throw new Problem("conflict", "entry.fixed", sentence);
}
