/** How many requests of an event stand where: from the line's own counters, however many requests there are. */

import { z } from "zod";
import { EventId } from "../platform/ids.ts";
import { findCapacity, findTickets, readConfig } from "./config.ts";
import type { Entry } from "./entry.ts";
import type { CapacityItem, TicketsItem } from "./items.ts";

const Count = z.int().min(0);

export const Summary = z
  .object({
    eventId: EventId,
    capacityTotal: Count,
    capacityRemaining: Count,
    tickets: Count.meta({ description: "How many were given out." }),
    voided: Count.meta({ description: "Tickets that nobody came for, so that the line went on without them." }),
    byStatus: z
      .object({
        RECEIVED: Count.meta({ description: "Always 0: such a request has no ticket yet, and so is not counted." }),
        QUEUED: Count,
        PROCESSING: Count,
        SUCCEEDED: Count,
        REJECTED: Count,
        FAILED_FINAL: Count,
      })
      .meta({ description: "Of the requests that have a ticket." }),
    byResult: z
      .object({
        SUCCESS: Count,
        REJECTED_CAPACITY: Count,
        REJECTED_LOTTERY_LOSE: Count,
        CANCELLED: Count,
        FAILED_VALIDATION: Count,
      })
      .meta({ description: "Of those that have a result." }),
    updatedAt: z.int().meta({ description: "When the line last moved, in milliseconds since 1970." }),
  })
  .meta({ id: "EntrySummary" });
export type Summary = z.infer<typeof Summary>;

/** The counter is read after the line, which it is then never behind. */
export async function readSummary(entry: Entry, eventId: string): Promise<Summary> {
  const config = await readConfig(entry, eventId);
  const capacity = (await findCapacity(entry, eventId)) as CapacityItem;
  const tickets = (await findTickets(entry, eventId)) as TicketsItem;
  const given = tickets.next - 1;
  const isLottery = config.eventType === "LOTTERY";
  // Positions are tickets, void ones included; in a lottery they are ranks, of which none is void.
  const positions = isLottery ? given - capacity.voided : given;
  const succeeded = capacity.capacityTotal - capacity.capacityRemaining;
  return {
    eventId,
    capacityTotal: capacity.capacityTotal,
    capacityRemaining: capacity.capacityRemaining,
    tickets: given,
    voided: capacity.voided,
    byStatus: {
      RECEIVED: 0,
      QUEUED: positions - (capacity.startedTo - 1),
      PROCESSING: capacity.startedTo - capacity.head,
      SUCCEEDED: succeeded,
      REJECTED: capacity.rejected + capacity.cancelled,
      FAILED_FINAL: capacity.failed,
    },
    byResult: {
      SUCCESS: succeeded,
      REJECTED_CAPACITY: isLottery ? 0 : capacity.rejected,
      REJECTED_LOTTERY_LOSE: isLottery ? capacity.rejected : 0,
      CANCELLED: capacity.cancelled,
      FAILED_VALIDATION: capacity.failed,
    },
    updatedAt: capacity.updatedAt,
  };
}
