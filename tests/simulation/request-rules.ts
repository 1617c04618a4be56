/** What must hold for every single write of a request, of its log and of its lock. */

import type { LogItem, RequestItem } from "../../src/entry/items.ts";
import type { Item } from "../../src/platform/ports.ts";
import { demand } from "./broken.ts";
import type { Change } from "./item-store.ts";

/** What is known of the world beside the table. */
export type Known = {
  isSent(requestId: string): boolean;
  isAcknowledged(requestId: string): boolean;
  isEventGone(): boolean;
};

const STEPS = new Set([
  "RECEIVED>QUEUED",
  "RECEIVED>FAILED_FINAL",
  "FAILED_FINAL>RECEIVED",
  "QUEUED>PROCESSING",
  "PROCESSING>SUCCEEDED",
  "PROCESSING>REJECTED",
  "PROCESSING>FAILED_FINAL",
  // A place given back, and one that goes on to the next in line.
  "SUCCEEDED>REJECTED",
  "REJECTED>SUCCEEDED",
]);
const NEVER_CHANGED = ["requestId", "eventId", "userId", "eventType", "idempotencyKey"];
const SET_ONCE = ["ticket", "queuedAt", "GSI1PK", "GSI1SK", "GSI2PK", "GSI2SK"];

export class RequestRules {
  readonly requests = new Map<string, RequestItem>();
  /** Who ever had a place, by its number. */
  readonly places = new Map<number, string>();
  /** How often each step was taken. */
  readonly steps = new Map<string, number>();
  readonly #known: Known;
  readonly #byPerson = new Map<string, string>();
  readonly #lastLogs = new Map<string, LogItem>();

  constructor(known: Known) {
    this.#known = known;
  }

  see(changes: Change[]): void {
    for (const change of changes) {
      const item = change.after ?? change.before;
      if (item?.entityType === "REQUEST") this.#seeRequest(change, changes);
      else if (item?.entityType === "STATUS_LOG") this.#seeLog(change);
      else if (item?.SK === "LOCK") this.#seeLock(change);
      else demand(!isIndexed(item), "only-requests-indexed", () => `${item?.PK} ${item?.SK} has index keys`);
    }
    for (const { after } of changes) if (after?.entityType === "REQUEST") this.#seeLogged(after as RequestItem);
  }

  #seeRequest({ before, after }: Change, changes: Change[]): void {
    demand(after !== undefined, "request-vanished", () => `${before?.PK} was deleted`);
    const [old, request] = [before as RequestItem | undefined, after as RequestItem];
    const { requestId } = request;
    this.requests.set(requestId, request);
    checkIndexed(request);
    if (!old) {
      this.#seeCreated(request);
      return;
    }
    for (const name of NEVER_CHANGED) {
      demand(old[name] === request[name], "request-changed", () => `${requestId}: ${name} changed`);
    }
    for (const name of SET_ONCE) {
      const kept = old[name] === undefined || old[name] === request[name];
      demand(kept, "ticket-changed", () => `${requestId}: ${name} ${old[name]} became ${request[name]}`);
    }
    if (old.status !== request.status) this.#seeStep(old, request, changes);
  }

  /** Locks go with their event, and with nothing else. */
  #seeLock({ before, after }: Change): void {
    const isKept = after !== undefined && (!before || before.requestId === after.requestId);
    const change = () => `the lock ${before?.PK} went from ${before?.requestId} to ${after?.requestId}`;
    demand(isKept || this.#known.isEventGone(), "one-request-each", change);
  }

  #seeCreated(request: RequestItem): void {
    const { requestId, eventId, userId, status, ticket } = request;
    const person = `${eventId} ${userId}`;
    const other = this.#byPerson.get(person);
    demand(
      other === undefined || this.#known.isEventGone(),
      "one-request-each",
      () => `${userId} has ${other} and ${requestId}`,
    );
    this.#byPerson.set(person, requestId);
    const isNew = status === "RECEIVED" && ticket === undefined;
    demand(isNew, "status-graph", () => `${requestId} began as ${status} with ticket ${ticket}`);
  }

  #seeStep(old: RequestItem, request: RequestItem, changes: Change[]): void {
    const { requestId, status } = request;
    const step = `${old.status}>${status}`;
    const isAllowed = STEPS.has(step) || (step === "QUEUED>FAILED_FINAL" && this.#known.isEventGone());
    demand(isAllowed, "status-graph", () => `${requestId} went ${step}`);
    this.steps.set(step, (this.steps.get(step) ?? 0) + 1);
    const isLogged = changes.some(
      ({ after: log }) => log?.PK === request.PK && log.fromStatus === old.status && log.toStatus === status,
    );
    demand(isLogged, "every-step-logged", () => `${requestId} went ${step} without a log item`);
    if (status === "QUEUED") {
      demand(this.#known.isSent(requestId), "sent-before-ticket", () => `${requestId} got a ticket before its message`);
    }
    if (old.status === "FAILED_FINAL") {
      const isFree = old.ticket === undefined && !this.#known.isAcknowledged(requestId);
      demand(isFree, "final-is-final", () => `${requestId} was revived after it had been acknowledged`);
    }
    if (old.status === "SUCCEEDED") {
      const isCancelled = request.resultCode === "CANCELLED" && request.cancelledAt !== undefined;
      demand(isCancelled, "final-is-final", () => `${requestId} lost its place without a cancellation`);
    }
    if (old.status === "REJECTED") {
      demand(old.resultCode !== "CANCELLED", "final-is-final", () => `${requestId} got a place after it gave one back`);
    }
    if (status === "SUCCEEDED") this.#seePlace(request);
    checkTimes(request);
  }

  #seePlace({ requestId, place }: RequestItem): void {
    demand(place !== undefined && place >= 1, "place-given-once", () => `${requestId} has no place number`);
    const other = this.places.get(place);
    demand(other === undefined, "place-given-once", () => `place ${place} went to ${other} and to ${requestId}`);
    this.places.set(place, requestId);
  }

  #seeLog({ before, after }: Change): void {
    const log = after as LogItem | undefined;
    demand(!before && log !== undefined, "log-kept", () => `${before?.PK} ${before?.SK} was overwritten or deleted`);
    const last = this.#lastLogs.get(log.PK);
    const follows = !last || (last.SK < log.SK && last.toStatus === log.fromStatus);
    const shown = (one: LogItem | undefined) => `${one?.SK} ${one?.fromStatus}>${one?.toStatus}`;
    demand(follows, "log-in-order", () => `${log.PK}: ${shown(log)} came after ${shown(last)}`);
    this.#lastLogs.set(log.PK, log);
  }

  /** The log ends with what the request is. */
  #seeLogged({ PK, status }: RequestItem): void {
    const last = this.#lastLogs.get(PK);
    demand(
      (last?.toStatus ?? "RECEIVED") === status,
      "every-step-logged",
      () => `${PK} is ${status}, not ${last?.toStatus}`,
    );
  }
}

function isIndexed(item: Item | undefined): boolean {
  return ["GSI1PK", "GSI1SK", "GSI2PK", "GSI2SK"].some((name) => item?.[name] !== undefined);
}

/** In the indexes from the moment it is queued, and with just these keys. */
function checkIndexed(request: RequestItem): void {
  const { requestId, eventId, userId, ticket, queuedAt } = request;
  const isQueued = ticket !== undefined;
  demand(
    isQueued === isIndexed(request),
    "only-requests-indexed",
    () => `${requestId}: ticket ${ticket}, indexed or not`,
  );
  if (!isQueued) return;
  const sort = `QAT#${queuedAt}#REQ#${requestId}`;
  const wanted = [`USER#${userId}`, sort, `EVENT#${eventId}`, sort].join(" ");
  const found = [request.GSI1PK, request.GSI1SK, request.GSI2PK, request.GSI2SK].join(" ");
  demand(found === wanted, "only-requests-indexed", () => `${requestId}: ${found} instead of ${wanted}`);
}

function checkTimes({ requestId, queuedAt = 0, startedAt, finishedAt, cancelledAt }: RequestItem): void {
  const times = [queuedAt, startedAt, finishedAt, cancelledAt].filter((at) => at !== undefined);
  const inOrder = times.every((at, index) => index === 0 || (times[index - 1] as number) <= at);
  demand(inOrder, "times-in-order", () => `${requestId}: ${times.join(", ")}`);
}
