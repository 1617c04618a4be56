/** What the transactions of settling write: pure, from what was read to the actions. */

import { is } from "../platform/conditions.ts";
import type { Action } from "../platform/ports.ts";
import { freedFor } from "./config.ts";
import type { GivenPlace } from "./events.ts";
import { type CapacityItem, type ConfigItem, capacityKey, logPut, type RequestItem, requestKey } from "./items.ts";
import type { Line, Standing } from "./line.ts";
import { outgoingPut } from "./outgoing.ts";

type CapacityChange = Partial<
  Pick<
    CapacityItem,
    | "capacityRemaining"
    | "head"
    | "startedTo"
    | "reserveFrom"
    | "placesGiven"
    | "freed"
    | "rejected"
    | "cancelled"
    | "failed"
    | "voided"
  >
>;

/** Conditional on the line being as it was read. */
export function capacityUpdate(eventId: string, capacity: CapacityItem, set: CapacityChange, now: number): Action {
  return {
    update: capacityKey(eventId),
    set: { ...set, updatedAt: now, version: capacity.version + 1 },
    if: is("version", capacity.version),
  };
}

/** QUEUED to PROCESSING, for everybody up to `end`; answers the line and who stands in it as they are then. */
export function startActions(step: {
  eventId: string;
  capacity: CapacityItem;
  standing: Standing[];
  end: number;
  now: number;
}): { actions: Action[]; capacity: CapacityItem; standing: Standing[] } {
  const { eventId, capacity, end, now } = step;
  const actions: Action[] = [capacityUpdate(eventId, capacity, { startedTo: end }, now)];
  const standing = step.standing.map(({ position, request }) => {
    if (request?.status !== "QUEUED") return { position, request };
    const { requestId } = request;
    // Never before it was queued, whatever this worker's clock says.
    const startedAt = Math.max(now, request.queuedAt ?? 0, request.requestedAt);
    actions.push(
      { update: requestKey(requestId), set: { status: "PROCESSING", startedAt }, if: is("status", "QUEUED") },
      logPut(requestId, {
        fromStatus: "QUEUED",
        toStatus: "PROCESSING",
        occurredAt: startedAt,
        message: "Its turn has come.",
      }),
    );
    return { position, request: { ...request, status: "PROCESSING", startedAt } as RequestItem };
  });
  return { actions, capacity: { ...capacity, startedTo: end, version: capacity.version + 1 }, standing };
}

/** Results and places in one: the first in line get what is left, the others are rejected. */
export function settleActions(step: {
  line: Line;
  config: ConfigItem;
  capacity: CapacityItem;
  standing: Standing[];
  end: number;
  voided: number;
  now: number;
}): Action[] {
  const { line, config, capacity, standing, end, voided, now } = step;
  const { eventId } = line;
  const waiting = standing.filter(({ request }) => request?.status === "PROCESSING");
  const winners = waiting.slice(0, capacity.capacityRemaining);
  const losers = waiting.slice(capacity.capacityRemaining);
  const given = winners.map(({ request }, index) =>
    givenPlace(request as RequestItem, capacity.placesGiven + index + 1),
  );
  const capacityRemaining = capacity.capacityRemaining - winners.length;
  const nobodyWaited = capacity.reserveFrom >= capacity.head;
  const change = {
    head: end,
    capacityRemaining,
    placesGiven: capacity.placesGiven + winners.length,
    reserveFrom: nobodyWaited ? (losers[0]?.position ?? end) : capacity.reserveFrom,
    freed: freedFor(capacity.freed, capacityRemaining),
    rejected: capacity.rejected + losers.length,
    voided: capacity.voided + voided,
    // What expired, or ended while it stood here, takes no place.
    failed: capacity.failed + standing.length - waiting.length,
  };
  const actions: Action[] = [capacityUpdate(eventId, capacity, change, now)];
  if (given.length > 0) {
    actions.push(outgoingPut(config, { type: "places.given", eventId, places: given }, capacity.version));
  }
  for (const [index, { request, position }] of winners.entries()) {
    const { place } = given[index] as GivenPlace;
    actions.push(
      ...succeed({ request: request as RequestItem, place, line, position, now }, wonBecause(line, position)),
    );
  }
  for (const { request, position } of losers) actions.push(...reject(request as RequestItem, now, line, position));
  return actions;
}

export function givenPlace({ requestId, userId }: RequestItem, place: number): GivenPlace {
  return { place, requestId, userId };
}

function wonBecause({ kind }: Line, position: number): string {
  return kind === "TICKET" ? `Ticket ${position} got a place.` : `Drawn at rank ${position}: got a place.`;
}

type Success = { request: RequestItem; place: number; line: Line; position: number; now: number };

export function succeed({ request, place, line, position, now }: Success, message: string): Action[] {
  const finishedAt = after(request, now);
  const { requestId, status } = request;
  return [
    {
      update: requestKey(requestId),
      set: {
        status: "SUCCEEDED",
        uiResult: "SUCCESS",
        resultCode: "SUCCESS",
        place,
        finishedAt,
        ...(status === "REJECTED" && { promotedAt: finishedAt }),
        ...announced(line, position),
      },
      if: is("status", status),
    },
    logPut(requestId, { fromStatus: status, toStatus: "SUCCEEDED", occurredAt: finishedAt, message }),
  ];
}

function reject(request: RequestItem, now: number, line: Line, position: number): Action[] {
  const { kind } = line;
  const finishedAt = after(request, now);
  const { requestId, status } = request;
  const resultCode = kind === "TICKET" ? "REJECTED_CAPACITY" : "REJECTED_LOTTERY_LOSE";
  const message =
    kind === "TICKET" ? `All places had gone to tickets before ${position}.` : `Drawn at rank ${position}: in reserve.`;
  return [
    {
      update: requestKey(requestId),
      set: { status: "REJECTED", uiResult: "REJECTED", resultCode, finishedAt, ...announced(line, position) },
      if: is("status", status),
    },
    logPut(requestId, { fromStatus: status, toStatus: "REJECTED", occurredAt: finishedAt, message }),
  ];
}

const announced = ({ kind }: Line, rank: number) => (kind === "RANK" ? { uiPhase: "ANNOUNCED", rank } : {});

/** Later than what the request went through before, whatever the clocks of the workers say. */
export function after({ startedAt = 0, finishedAt }: RequestItem, now: number): number {
  return Math.max(now, startedAt, finishedAt === undefined ? 0 : finishedAt + 1);
}
