/** A request and a line as the API shows them. */

import { z } from "zod";
import { EventId, UserId } from "../platform/ids.ts";
import { isFinal, RESULT_CODES, type RequestItem } from "./items.ts";
import { type LineState, PHASES, phaseOf, waitingIn } from "./line-state.ts";
import { RequestId } from "./request-id.ts";

const Time = z.int().meta({ description: "Milliseconds since 1970.", example: 1_794_794_400_000 });
const Count = z.int().min(0);

export const Status = z.enum(["RECEIVED", "QUEUED", "PROCESSING", "SUCCEEDED", "REJECTED", "FAILED_FINAL"]);
const EventType = z.enum(["FIRST_COME", "LOTTERY"]);

const requestFields = {
  requestId: RequestId,
  eventId: EventId,
  eventType: EventType,
  status: Status,
  uiResult: z.enum(["PENDING", "SUCCESS", "REJECTED", "FAILED"]).meta({ description: "What to show." }),
  resultCode: z.enum(RESULT_CODES).nullable().meta({ description: "Why it ended so." }),
  uiPhase: z.enum(["COLLECTING", "DRAWING", "ANNOUNCED"]).nullable().meta({ description: "In a lottery only." }),
  ticket: z.int().nullable().meta({ description: "The number in the event's line; it never changes." }),
  rank: z.int().nullable().meta({ description: "In a lottery, where the draw put it." }),
  place: z.int().nullable().meta({ description: "The number of the place, for who has one." }),
  requestedAt: Time,
  queuedAt: Time.nullable(),
  startedAt: Time.nullable(),
  finishedAt: Time.nullable(),
  promotedAt: Time.nullable().meta({ description: "When it got a place that came free, after it was turned away." }),
  cancelledAt: Time.nullable(),
};

export const ListedRequest = z.object(requestFields).meta({ id: "Participation" });

export const RequestView = z
  .object({
    ...requestFields,
    line: z
      .object({
        kind: z.enum(["QUEUE", "DRAW", "RESERVE"]).meta({
          description: "QUEUE: its turn comes. DRAW: the lottery decides. RESERVE: places that come free go on to it.",
        }),
        ahead: Count.nullable().meta({ description: "How many stand before it; nobody knows before a draw." }),
        placesLeft: Count,
        capacityTotal: Count,
        waiting: Count.meta({ description: "How many have no result yet." }),
      })
      .nullable()
      .meta({ description: "For who waits." }),
    askAgainInMs: Count.nullable().meta({ description: "When asking again makes sense; null when all is said." }),
  })
  .meta({ id: "ParticipationInLine" });
export type RequestView = z.infer<typeof RequestView>;

export const AdminRequest = z
  .object({
    ...requestFields,
    userId: UserId,
    failureClass: z.enum(["RETRYABLE", "NON_RETRYABLE"]).nullable(),
    errorCode: z.string().nullable(),
    errorMessage: z.string().nullable(),
  })
  .meta({ id: "EntryRequest" });

export const EntryState = z
  .object({
    eventId: EventId,
    eventType: EventType,
    phase: z.enum(PHASES),
    capacityTotal: Count,
    placesLeft: Count,
    tickets: Count.meta({ description: "How many stood in line so far." }),
    waiting: Count,
    opensAt: Time,
    closesAt: Time.nullable(),
    lotteryCutoffAt: Time.nullable(),
    announcedAt: Time.nullable(),
    cancelUntil: Time,
    serverTime: Time,
  })
  .meta({ id: "EntryState" });
export type EntryState = z.infer<typeof EntryState>;

export function showListed(request: RequestItem, now: number): z.infer<typeof ListedRequest> {
  return {
    requestId: request.requestId,
    eventId: request.eventId,
    eventType: request.eventType,
    status: request.status,
    uiResult: request.uiResult,
    resultCode: request.resultCode ?? null,
    uiPhase: phaseShown(request, now),
    ticket: request.ticket ?? null,
    rank: request.rank ?? null,
    place: request.place ?? null,
    requestedAt: request.requestedAt,
    queuedAt: request.queuedAt ?? null,
    startedAt: request.startedAt ?? null,
    finishedAt: request.finishedAt ?? null,
    promotedAt: request.promotedAt ?? null,
    cancelledAt: request.cancelledAt ?? null,
  };
}

export function showAdmin(request: RequestItem, now: number): z.infer<typeof AdminRequest> {
  return {
    ...showListed(request, now),
    userId: request.userId,
    failureClass: request.failureClass ?? null,
    errorCode: request.errorCode ?? null,
    errorMessage: request.errorMessage ?? null,
  };
}

/** Without a line, its event is gone. */
export function showRequest(request: RequestItem, state: LineState | undefined, now: number): RequestView {
  return {
    ...showListed(request, now),
    ...(state && { uiPhase: phaseShown({ ...request, ...cutoffOf(state) }, now) }),
    line: state ? lineShown(request, state) : null,
    askAgainInMs: state ? askAgainInMs(request, state, now) : null,
  };
}

/** The phase moves on at the cutoff for all at once; what is stored follows when the request is settled. */
function phaseShown(
  { uiPhase, lotteryCutoffAt = 0 }: Pick<RequestItem, "uiPhase" | "lotteryCutoffAt">,
  now: number,
): RequestView["uiPhase"] {
  if (uiPhase === "COLLECTING" && now >= lotteryCutoffAt) return "DRAWING";
  return uiPhase ?? null;
}

/** It may have been moved since the request was made. */
function cutoffOf({ config: { lotteryCutoffAt } }: LineState) {
  return lotteryCutoffAt === undefined ? {} : { lotteryCutoffAt };
}

function lineShown(request: RequestItem, state: LineState): RequestView["line"] {
  const { capacity } = state;
  const { ticket, resultCode } = request;
  const rest = {
    placesLeft: capacity.capacityRemaining,
    capacityTotal: capacity.capacityTotal,
    waiting: waitingIn(state),
  };
  if (!isFinal(request.status)) {
    if (request.eventType === "LOTTERY") return { kind: "DRAW", ahead: null, ...rest };
    return { kind: "QUEUE", ahead: ticket === undefined ? null : Math.max(ticket - capacity.head, 0), ...rest };
  }
  const position = resultCode === "REJECTED_CAPACITY" ? ticket : request.rank;
  if (resultCode !== "REJECTED_CAPACITY" && resultCode !== "REJECTED_LOTTERY_LOSE") return null;
  return { kind: "RESERVE", ahead: Math.max((position ?? 0) - capacity.reserveFrom, 0), ...rest };
}

const SOON_MS = 1000;
const LATER_MS = 60_000;
/** A line of so many is settled in a second or less. */
const SETTLED_IN_SECOND = 2000;

function askAgainInMs({ eventType, status, ticket = 0 }: RequestItem, state: LineState, now: number): number | null {
  if (isFinal(status)) return null;
  if (eventType === "FIRST_COME") {
    const ahead = Math.max(ticket - state.capacity.head, 0);
    return Math.min(SOON_MS + Math.floor((ahead / SETTLED_IN_SECOND) * 1000), LATER_MS);
  }
  const dueAt = state.config.announcedAt ?? now;
  return Math.min(Math.max(dueAt - now, SOON_MS), LATER_MS);
}

export function showEntry(eventId: string, state: LineState, now: number): EntryState {
  const { config, capacity, tickets } = state;
  return {
    eventId,
    eventType: config.eventType,
    phase: phaseOf(config, now),
    capacityTotal: capacity.capacityTotal,
    placesLeft: capacity.capacityRemaining,
    tickets: tickets.next - 1,
    waiting: waitingIn(state),
    opensAt: config.opensAt,
    closesAt: config.closesAt ?? null,
    lotteryCutoffAt: config.lotteryCutoffAt ?? null,
    announcedAt: config.announcedAt ?? null,
    cancelUntil: config.cancelUntil,
    serverTime: now,
  };
}
