/** What a worker does with the messages of the queue: see to it that the lines of their events move past them. */

import { hasHeld } from "../platform/condition-failed.ts";
import { absent, any, is } from "../platform/conditions.ts";
import type { Action, Failure, Handler, Message } from "../platform/ports.ts";
import { Problem } from "../platform/problem.ts";
import { readConfig } from "./config.ts";
import type { Entry } from "./entry.ts";
import { isFinal, lockKey, logPut, type RequestItem, requestKey } from "./items.ts";
import { readParticipationRequested } from "./message.ts";
import { settleLine } from "./settle.ts";

/** Longer than any live process takes from the queue to the ticket. */
const ADOPT_AFTER_MS = 2000;
const LOOK_AGAIN_MS = 20;
const LOOKS = 5;

type Ask = { message: Message; requestId: string };

/** Any message may come early, late, twice or for something that is gone: each ends well, or comes again. */
export function settleParticipations(entry: Entry): Handler {
  return async (messages) => {
    const failures: Failure[] = [];
    const byEvent = new Map<string, Ask[]>();
    for (const message of messages) {
      const asked = readParticipationRequested(message.body);
      if (!asked) {
        failures.push({ id: message.id, reason: "It is no message about a request for a place.", retryInMs: 0 });
        continue;
      }
      const asks = byEvent.get(asked.eventId) ?? [];
      byEvent.set(asked.eventId, asks);
      asks.push({ message, requestId: asked.requestId });
    }
    const each = [...byEvent].map(([eventId, asks]) => settleEvent(entry, eventId, asks).catch(failAll(asks)));
    return [...failures, ...(await Promise.all(each)).flat()];
  };
}

function failAll(asks: Ask[]): (error: unknown) => Failure[] {
  return (error) => {
    const reason = error instanceof Error ? error.message : String(error);
    return asks.map(({ message }) => ({ id: message.id, reason }));
  };
}

async function settleEvent(entry: Entry, eventId: string, asks: Ask[]): Promise<Failure[]> {
  const config = await readConfig(entry, eventId).catch(ifGone);
  if (!config) {
    const left = await readRequests(entry, asks);
    await Promise.all([...left.values()].map((request) => failAsGone(entry, request)));
    return [];
  }
  const unknown = asks.filter(({ requestId }) => !entry.lineUp.hasQueued(requestId));
  let requests = await readRequests(entry, unknown);
  const failures: Failure[] = [];
  // The message may be faster than the write that makes its request QUEUED.
  for (let looks = 0; looks < LOOKS && hasReceived(requests); looks += 1) {
    await entry.clock.sleep(LOOK_AGAIN_MS);
    requests = await readRequests(entry, unknown);
  }
  const adopted: Promise<unknown>[] = [];
  for (const { message, requestId } of unknown) {
    const request = requests.get(requestId);
    if (request?.status !== "RECEIVED") continue;
    if (entry.clock.now() - message.sentAt < ADOPT_AFTER_MS) {
      failures.push({ id: message.id, reason: "Its request has no ticket yet.", retryInMs: ADOPT_AFTER_MS });
    } else {
      adopted.push(adopt(entry, request).catch((error) => failures.push(...failAll([{ message, requestId }])(error))));
    }
  }
  await Promise.all(adopted);
  if (await settleLine(entry, eventId)) return failures;
  const known = new Set(failures.map(({ id }) => id));
  const left = asks.filter(({ message }) => !known.has(message.id));
  return [...failures, ...left.map(({ message }) => ({ id: message.id, reason: "The line is busy.", retryInMs: 500 }))];
}

/** Who led it to the queue died before giving it a ticket. */
async function adopt(entry: Entry, request: RequestItem): Promise<void> {
  try {
    await (entry.lineUp.underWay(request.requestId) ?? entry.lineUp.add(request, { sent: true }));
  } catch (error) {
    // Closed meanwhile: the request says so, and there is nothing left to do.
    if (!(error instanceof Problem && error.kind === "conflict")) throw error;
  }
}

async function readRequests({ table }: Entry, asks: Ask[]): Promise<Map<string, RequestItem>> {
  const ids = [...new Set(asks.map(({ requestId }) => requestId))];
  const items = (await table.batchGet(ids.map(requestKey))) as (RequestItem | undefined)[];
  return new Map(items.flatMap((item) => (item ? [[item.requestId, item]] : [])));
}

function hasReceived(requests: Map<string, RequestItem>): boolean {
  return [...requests.values()].some(({ status }) => status === "RECEIVED");
}

function ifGone(error: unknown): undefined {
  if (error instanceof Problem && error.kind === "missing") return undefined;
  throw error;
}

const GONE = { errorCode: "event.removed", errorMessage: "The event was removed before this request was settled." };

/** Its event is no more. The lock goes too: an event made anew under the same id is another one. */
export async function failAsGone(entry: Pick<Entry, "table" | "clock">, request: RequestItem): Promise<void> {
  const { table } = entry;
  const { eventId, userId, requestId } = request;
  let current: RequestItem | undefined = request;
  // Another worker may be just leading it on, or failing it too.
  while (current && !isFinal(current.status) && !(await hasHeld(table.write(goneActions(entry, current))))) {
    current = (await table.get(requestKey(requestId))) as RequestItem | undefined;
  }
  const isOwn = any(absent("PK"), is("requestId", requestId));
  await hasHeld(table.write([{ delete: lockKey(eventId, userId), if: isOwn }]));
}

function goneActions({ clock }: Pick<Entry, "clock">, request: RequestItem): Action[] {
  const { requestId, status } = request;
  const at = Math.max(clock.now(), request.startedAt ?? 0, request.queuedAt ?? 0, request.requestedAt);
  const failed = {
    status: "FAILED_FINAL",
    uiResult: "FAILED",
    resultCode: "FAILED_VALIDATION",
    failureClass: "NON_RETRYABLE",
    finishedAt: at,
    ...GONE,
  };
  return [
    { update: requestKey(requestId), set: failed, if: is("status", status) },
    logPut(requestId, { fromStatus: status, toStatus: "FAILED_FINAL", occurredAt: at, message: GONE.errorMessage }),
  ];
}
