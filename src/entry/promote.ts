/** Places that came free go to the next in line: the first who was turned away, in the order of the line. */

import type { Action } from "../platform/ports.ts";
import { freedFor } from "./config.ts";
import type { Entry } from "./entry.ts";
import type { GivenPlace } from "./events.ts";
import type { BlockItem, CapacityItem, ConfigItem, Freed, RequestItem } from "./items.ts";
import { blockStart, type Line, readBlocks, readStanding, type Standing } from "./line.ts";
import { outgoingPut } from "./outgoing.ts";
import { capacityUpdate, givenPlace, succeed } from "./settle-actions.ts";
import { MOST_AT_ONCE } from "./tickets.ts";

/** Looks at one block behind `reserveFrom`, and gives what is free to those in it who wait. */
export async function promoteNext(entry: Entry, line: Line, config: ConfigItem, capacity: CapacityItem): Promise<void> {
  const { table, clock, live } = entry;
  const block = await blockAt(line, capacity.reserveFrom);
  const end = block ? Math.min(block.first + block.count, capacity.head) : capacity.head;
  const standing = block ? await readStanding(line, [block]) : [];
  const waiting = standing.filter(({ position, request }) => position >= capacity.reserveFrom && waits(request));
  const winners = waiting.slice(0, Math.min(capacity.capacityRemaining, MOST_AT_ONCE));
  await table.write(promoteActions({ line, config, capacity, winners, waiting, end, now: clock.now() }));
  live.moved(line.eventId);
}

async function blockAt(line: Line, position: number): Promise<BlockItem | undefined> {
  for await (const block of readBlocks(line, await blockStart(line, position))) {
    if (block.first + block.count > position) return block;
  }
  return undefined;
}

const waits = (request: RequestItem | undefined): boolean =>
  request?.resultCode === "REJECTED_CAPACITY" || request?.resultCode === "REJECTED_LOTTERY_LOSE";

function promoteActions(step: {
  line: Line;
  config: ConfigItem;
  capacity: CapacityItem;
  winners: Standing[];
  waiting: Standing[];
  end: number;
  now: number;
}): Action[] {
  const { line, config, capacity, winners, waiting, end, now } = step;
  const capacityRemaining = capacity.capacityRemaining - winners.length;
  const reserveFrom = waiting[winners.length]?.position ?? end;
  const places = winners.map(({ request }, index) =>
    givenPlace(request as RequestItem, capacity.placesGiven + index + 1),
  );
  const change = {
    capacityRemaining,
    reserveFrom,
    placesGiven: capacity.placesGiven + winners.length,
    rejected: capacity.rejected - winners.length,
    freed: freedFor(capacity.freed, capacityRemaining),
  };
  const { eventId } = line;
  const actions: Action[] = [capacityUpdate(eventId, capacity, change, now)];
  if (places.length === 0) return actions;
  actions.push(outgoingPut(config, { type: "places.given", eventId, places }, capacity.version));
  const reasons = freedPlaces(capacity);
  for (const [index, { request, position }] of winners.entries()) {
    const next = line.kind === "TICKET" ? `Ticket ${position}` : `Rank ${position}`;
    const why = `${reasons[index] ?? "A place came free."} ${next} was next in line.`;
    const { place } = places[index] as GivenPlace;
    actions.push(...succeed({ request: request as RequestItem, place, line, position, now }, why));
  }
  return actions;
}

/** One reason for each place that is left, in the order in which they go. */
function freedPlaces({ freed, capacityRemaining }: CapacityItem): string[] {
  const known = freedFor(freed, capacityRemaining).flatMap(({ why, count }: Freed) =>
    Array.from({ length: Math.min(count, MOST_AT_ONCE) }, () => why),
  );
  return known.slice(0, MOST_AT_ONCE);
}
