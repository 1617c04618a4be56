/** An entrant gives their place back, and the next in line gets it. */

import { ConditionFailed } from "../platform/condition-failed.ts";
import { is } from "../platform/conditions.ts";
import type { Action } from "../platform/ports.ts";
import { Problem } from "../platform/problem.ts";
import { findCapacity, freedFor, readConfig } from "./config.ts";
import type { Entry } from "./entry.ts";
import { type CapacityItem, type ConfigItem, logPut, type RequestItem, requestKey } from "./items.ts";
import { outgoingPut } from "./outgoing.ts";
import { findRequest } from "./requests.ts";
import { settleLine } from "./settle.ts";
import { after, capacityUpdate } from "./settle-actions.ts";

const MOST_TRIES = 50;

/** Asking twice is no error: the answer is the request, without its place. */
export async function cancelParticipation(
  entry: Entry,
  { requestId, userId }: { requestId: string; userId: string },
): Promise<RequestItem> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const request = await findRequest(entry, requestId, userId);
    if (request.resultCode === "CANCELLED") return request;
    if (request.status !== "SUCCEEDED") throw noPlace(request);
    const { eventId } = request;
    const config = await readConfig(entry, eventId);
    if (entry.clock.now() >= config.cancelUntil) throw tooLate(config);
    const capacity = await findCapacity(entry, eventId);
    if (!capacity) throw noPlace(request);
    try {
      await entry.table.write(cancelActions(config, capacity, request, entry.clock.now()));
    } catch (error) {
      if (error instanceof ConditionFailed) continue;
      throw error;
    }
    // Should this fail, the next look at the line gives the place on.
    await settleLine(entry, eventId).catch(entry.onError);
    return findRequest(entry, requestId, userId);
  }
  throw new Problem("unavailable", "entry.busy", "The event's line is very busy. Try again in a moment.", {
    retryInMs: 1000,
  });
}

function cancelActions(config: ConfigItem, capacity: CapacityItem, request: RequestItem, now: number): Action[] {
  const { requestId, eventId, ticket } = request;
  const cancelledAt = after(request, now);
  const capacityRemaining = capacity.capacityRemaining + 1;
  const freed = [...capacity.freed, { why: `Ticket ${ticket} gave its place back.`, count: 1 }];
  return [
    capacityUpdate(
      eventId,
      capacity,
      { capacityRemaining, freed: freedFor(freed, capacityRemaining), cancelled: capacity.cancelled + 1 },
      now,
    ),
    outgoingPut(config, { type: "place.returned", eventId, requestId }, capacity.version),
    {
      update: requestKey(requestId),
      set: {
        status: "REJECTED",
        uiResult: "REJECTED",
        resultCode: "CANCELLED",
        cancelledAt,
        finishedAt: cancelledAt,
      },
      remove: ["place"],
      if: is("status", "SUCCEEDED"),
    },
    logPut(requestId, {
      fromStatus: "SUCCEEDED",
      toStatus: "REJECTED",
      occurredAt: cancelledAt,
      message: "Gave the place back.",
    }),
  ];
}

function noPlace({ status }: RequestItem): Problem {
  const pending = status === "RECEIVED" || status === "QUEUED" || status === "PROCESSING";
  const sentence = pending
    ? "There is no result yet, so there is no place to give back. Wait for the result."
    : "This request has no place that could be given back.";
  return new Problem("conflict", "participation.no-place", sentence);
}

function tooLate({ cancelUntil }: ConfigItem): Problem {
  return new Problem(
    "conflict",
    "participation.too-late-to-cancel",
    `Places could be given back until ${new Date(cancelUntil).toISOString()}. Ask the organizer.`,
  );
}
