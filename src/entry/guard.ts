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
  if (hasEntrants) refuseIf(!after, "eventType", "The event has entrants: its entry settings can't be taken away.");
  if (!after) return;
  const isOtherType = before.eventType !== after.eventType;
  refuseIf(isOtherType && hasEntrants, "eventType", "The event has entrants: its type can't be changed.");
  refuseIf(isOtherType && draw?.frozenAt !== undefined, "eventType", "The cutoff has passed: a lottery stays one.");
  const taken = capacity ? capacity.capacityTotal - capacity.capacityRemaining : 0;
  refuseIf(after.capacityTotal < taken, "capacityTotal", `${taken} places are taken: the capacity can't be less.`);
  if (after.eventType !== "LOTTERY" || before.eventType !== "LOTTERY") return;
  refuseIf(
    before.beaconSource !== after.beaconSource && hasEntrants,
    "beaconSource",
    "The event has entrants: the beacon can't be changed.",
  );
  if (draw?.frozenAt === undefined) return;
  refuseIf(
    before.lotteryCutoffAt !== after.lotteryCutoffAt,
    "lotteryCutoffAt",
    "The cutoff has passed and the list of entrants is frozen: it can't be moved.",
  );
  refuseIf(
    after.capacityTotal < before.capacityTotal,
    "capacityTotal",
    "The list of entrants is frozen: the capacity can be raised, but not be less.",
  );
  refuseIf(
    config.status === "Announced" && before.announcedAt !== after.announcedAt,
    "announcedAt",
    "The results are announced: their time can't be changed.",
  );
}

/** The setting is named as in a body that is not right, so that a page can tell it there. */
function refuseIf(refused: boolean, setting: string, sentence: string): void {
  if (!refused) return;
  const errors = [{ field: `entry.${setting}`, message: sentence }];
  throw new Problem("conflict", "entry.fixed", sentence, { details: { errors } });
}
