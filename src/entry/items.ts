/** The items of the table AsyncEventTable: their keys, what is in them, and the log item that every step leaves. */

import type { Item, Key, Put } from "../platform/ports.ts";

export const ENTRY_TABLE = "AsyncEventTable";

export type EventType = "FIRST_COME" | "LOTTERY";
export type RequestStatus = "RECEIVED" | "QUEUED" | "PROCESSING" | "SUCCEEDED" | "REJECTED" | "FAILED_FINAL";
export type UiResult = "PENDING" | "SUCCESS" | "REJECTED" | "FAILED";
export type UiPhase = "COLLECTING" | "DRAWING" | "ANNOUNCED";
/** CANCELLED: the entrant had a place and gave it back. */
export const RESULT_CODES = [
  "SUCCESS",
  "REJECTED_CAPACITY",
  "REJECTED_DUPLICATE",
  "REJECTED_LOTTERY_LOSE",
  "CANCELLED",
  "FAILED_INGEST_ENQUEUE",
  "FAILED_WORKER",
  "FAILED_VALIDATION",
  "FAILED_SERDE",
] as const;
export type ResultCode = (typeof RESULT_CODES)[number];

/** Times are epoch milliseconds, as everywhere in the table but in `ttl`. */
export type RequestItem = Item & {
  entityType: "REQUEST";
  requestId: string;
  eventId: string;
  userId: string;
  eventType: EventType;
  status: RequestStatus;
  uiResult: UiResult;
  resultCode?: ResultCode;
  uiPhase?: UiPhase;
  ticket?: number;
  /** Where the draw put it. */
  rank?: number;
  /** The number of the place, while the request has one. */
  place?: number;
  requestedAt: number;
  queuedAt?: number;
  startedAt?: number;
  finishedAt?: number;
  /** When it got a place that had come free, after it was turned away. */
  promotedAt?: number;
  cancelledAt?: number;
  failureClass?: "RETRYABLE" | "NON_RETRYABLE";
  errorCode?: string;
  errorMessage?: string;
  idempotencyKey: string;
  lotteryCutoffAt?: number;
  announcedAt?: number;
  ttl: number;
};

/** Places that came free, oldest first, and why: whoever gets one is told. */
export type Freed = { why: string; count: number };

/** The event's line. Every change of it counts `version` up and is conditional on the one before. */
export type CapacityItem = Item & {
  entityType: "CAPACITY";
  capacityTotal: number;
  capacityRemaining: number;
  updatedAt: number;
  version: number;
  /** The first position that is not settled: a ticket, or a rank once a lottery is announced. */
  head: number;
  /** Everything below it has been started. */
  startedTo: number;
  /** No request below it waits for a place that comes free. */
  reserveFrom: number;
  /** How many places were ever given, those given back included. */
  placesGiven: number;
  freed: Freed[];
  rejected: number;
  cancelled: number;
  failed: number;
  voided: number;
};

export type ConfigItem = Item & {
  eventType: EventType;
  orgId: string;
  published: boolean;
  capacityTotal: number;
  opensAt: number;
  closesAt?: number;
  lotteryCutoffAt?: number;
  announcedAt?: number;
  cancelUntil: number;
  endsAt: number;
  beaconSource?: string;
  status: "Open" | "Closed" | "Announced";
  paused?: boolean;
  /** Opened by hand before `opensAt`. */
  openedAt?: number;
  /** Closed because its time came, so that a later time opens it again. */
  closedByTime?: boolean;
  /** The race was moved to a later day: from this ticket on, requests and locks are still to live longer. */
  extendFrom?: number;
  /** Of the registry's settings: older ones never replace newer ones. */
  revision: number;
};

/** The counter that gives tickets out. */
export type TicketsItem = Item & {
  next: number;
  queuedAt: number;
  closed?: boolean;
  /** Closed for good: a lottery's cutoff has passed. */
  frozen?: boolean;
};

/** Who stands at `count` positions from `first` on; or one ticket that nobody came for. */
export type BlockItem = Item & {
  first: number;
  count: number;
  requestIds?: string[];
  /** When its tickets were given out, which is later than for all before them. */
  queuedAt?: number;
  voided?: boolean;
};

export type DrawItem = Item & {
  seed: string;
  commitment: string;
  committedAt: number;
  beaconSource?: string;
  beaconValue?: string;
  frozenAt?: number;
  entrants?: number;
  entrantsSha256?: string;
  /** The list of entrants is published. */
  isListed?: boolean;
  drawnAt?: number;
  /** As it was when the draw was made. */
  capacityTotal?: number;
  /** The order and the proof are stored. */
  isProven?: boolean;
};

export type LogItem = Item & {
  entityType: "STATUS_LOG";
  fromStatus: RequestStatus;
  toStatus: RequestStatus;
  occurredAt: number;
  message: string;
};

/** Blocks of tickets or of ranks. */
export type LineKind = "TICKET" | "RANK";

const POSITION_DIGITS = 10;
const DAY_SECONDS = 86_400;
const REQUEST_DAYS = 90;
const LOCK_DAYS_AFTER_EVENT = 7;
const LOG_DAYS = 30;

export const eventPartition = (eventId: string): string => `EVENT#${eventId}`;
export const requestKey = (requestId: string): Key => ({ PK: `REQ#${requestId}`, SK: "META" });
export const lockKey = (eventId: string, userId: string): Key => ({ PK: `IDEMP#${eventId}#${userId}`, SK: "LOCK" });
export const capacityKey = (eventId: string): Key => ({ PK: eventPartition(eventId), SK: "CAPACITY" });
export const configKey = (eventId: string): Key => ({ PK: eventPartition(eventId), SK: "CONFIG" });
export const ticketsKey = (eventId: string): Key => ({ PK: eventPartition(eventId), SK: "TICKETS" });
export const drawKey = (eventId: string): Key => ({ PK: eventPartition(eventId), SK: "DRAW" });
export const blockKey = (eventId: string, kind: LineKind, first: number): Key => ({
  PK: eventPartition(eventId),
  SK: `${kind}#${padded(first)}`,
});
/** A message to other contexts that waits to be sent, written with the change it tells of. */
export const outgoingKey = (eventId: string, version: number): Key => ({
  PK: eventPartition(eventId),
  SK: `OUTGOING#${padded(version)}`,
});
/** The events that still have something to do, for who looks after them all. */
export const ACTIVE_EVENTS = "ENTRY";
export const activeKey = (eventId: string): Key => ({ PK: ACTIVE_EVENTS, SK: eventPartition(eventId) });

export function padded(position: number): string {
  return String(position).padStart(POSITION_DIGITS, "0");
}

export function queuedKeys(request: Pick<RequestItem, "requestId" | "userId" | "eventId">, queuedAt: number) {
  const SK = `QAT#${queuedAt}#REQ#${request.requestId}`;
  return {
    GSI1PK: `USER#${request.userId}`,
    GSI1SK: SK,
    GSI2PK: eventPartition(request.eventId),
    GSI2SK: SK,
  };
}

/** Steps of one millisecond stay in their order. */
const STEP: Record<RequestStatus, number> = {
  RECEIVED: 0,
  QUEUED: 1,
  PROCESSING: 2,
  SUCCEEDED: 3,
  REJECTED: 3,
  FAILED_FINAL: 3,
};

export function logPut(
  requestId: string,
  step: Pick<LogItem, "fromStatus" | "toStatus" | "occurredAt" | "message">,
): Put {
  return {
    put: {
      ...step,
      PK: `REQ#${requestId}`,
      SK: `LOG#${step.occurredAt}#${STEP[step.toStatus]}`,
      entityType: "STATUS_LOG",
      ttl: Math.floor(step.occurredAt / 1000) + LOG_DAYS * DAY_SECONDS,
    },
  };
}

const daysAfter = (at: number, days: number) => Math.floor(at / 1000) + days * DAY_SECONDS;

export const lockTtl = ({ endsAt }: Pick<ConfigItem, "endsAt">): number => daysAfter(endsAt, LOCK_DAYS_AFTER_EVENT);

/** 90 days, but never before its lock goes: a request for a race in half a year must not vanish before it. */
export function requestTtl(config: Pick<ConfigItem, "endsAt">, requestedAt: number): number {
  return Math.max(daysAfter(requestedAt, REQUEST_DAYS), lockTtl(config));
}
/** From then on nobody can enter: at the latest when the race is over. */
export function closingTime({ lotteryCutoffAt, closesAt, endsAt }: ConfigItem): number {
  return Math.min(lotteryCutoffAt ?? closesAt ?? endsAt, endsAt);
}

/** The line's own items stay as long as the last request that stood in it. */
export const lineTtl = ({ endsAt }: Pick<ConfigItem, "endsAt">): number => daysAfter(endsAt, 2 * REQUEST_DAYS);

export const isFinal = (status: RequestStatus): boolean =>
  status === "SUCCEEDED" || status === "REJECTED" || status === "FAILED_FINAL";
