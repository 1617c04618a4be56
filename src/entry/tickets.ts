/** Tickets: numbers taken from the event's counter, claimed for requests, or voided when nobody claims them. */

import { ConditionFailed, hasHeld } from "../platform/condition-failed.ts";
import { absent, all, below, exists, is } from "../platform/conditions.ts";
import type { Action } from "../platform/ports.ts";
import { Problem } from "../platform/problem.ts";
import type { EntryParts } from "./entry.ts";
import {
  blockKey,
  type ConfigItem,
  closingTime,
  lineTtl,
  logPut,
  queuedKeys,
  type RequestItem,
  requestKey,
  type TicketsItem,
  ticketsKey,
} from "./items.ts";

type Engines = Pick<EntryParts, "table" | "clock">;

/** A claim, a start and a settling each take one item beside two for every request; DynamoDB takes 100 at once. */
export const MOST_AT_ONCE = 49;
const MOST_TRIES = 20;

export type Numbered = { request: RequestItem; ticket: number; queuedAt: number };

/** The first of `count` tickets in a row, and the time they were given out, which is later for every later ticket. */
export async function takeTickets(
  { table, clock }: Engines,
  config: ConfigItem,
  { eventId, count, notBefore = 0 }: { eventId: string; count: number; notBefore?: number },
): Promise<{ first: number; queuedAt: number }> {
  let earliest = notBefore;
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const queuedAt = Math.max(clock.now(), earliest);
    if (queuedAt >= closingTime(config)) throw closed();
    try {
      const item = await table.update({
        update: ticketsKey(eventId),
        add: { next: count },
        set: { queuedAt },
        if: all(exists("next"), absent("closed"), below("queuedAt", queuedAt)),
      });
      return { first: (item as TicketsItem).next - count, queuedAt };
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      const counter = error.failures[0]?.item as TicketsItem | undefined;
      if (!counter || counter.closed) throw closed();
      // Another process was here in this millisecond, or its clock is ahead of ours.
      earliest = counter.queuedAt + 1;
    }
  }
  throw busy();
}

export function busy(): Problem {
  const sentence = "Too many are entering this second. Nothing is lost: try again in a moment.";
  return new Problem("unavailable", "participation.busy", sentence, { retryInMs: 1000 });
}

export function closed(): Problem {
  return new Problem("conflict", "participation.closed", "Entries for this event are closed.");
}

/** One transaction: the tickets belong to these requests, and the requests are QUEUED. */
export async function claimTickets({ table }: Engines, config: ConfigItem, numbered: Numbered[]): Promise<void> {
  const { ticket: first, queuedAt, request } = numbered[0] as Numbered;
  const { eventId } = request;
  const requestIds = numbered.map((each) => each.request.requestId);
  const block = { ...blockKey(eventId, "TICKET", first), first, count: numbered.length, requestIds, queuedAt };
  const actions: Action[] = [{ put: { ...block, ttl: lineTtl(config) }, if: absent("PK") }];
  for (const each of numbered) {
    actions.push({
      update: requestKey(each.request.requestId),
      set: { ...queuedKeys(each.request, queuedAt), status: "QUEUED", ticket: each.ticket, queuedAt },
      // A claim given up on may land late: not on a request that was refused and begun anew meanwhile.
      if: all(is("status", "RECEIVED"), is("requestedAt", each.request.requestedAt)),
    });
  }
  for (const each of numbered) actions.push(queuedLog(each));
  await table.write(actions);
}

function queuedLog({ request, ticket, queuedAt }: Numbered): Action {
  return logPut(request.requestId, {
    fromStatus: "RECEIVED",
    toStatus: "QUEUED",
    // A clock that was behind when the request came in must not turn the log around.
    occurredAt: Math.max(queuedAt, request.requestedAt),
    message: `Stands in line with ticket ${ticket}.`,
  });
}

/** Whoever is first, the claimant or the voider, has the ticket for good. Answers whether all were free. */
export async function voidTickets(
  { table, clock }: Engines,
  config: ConfigItem,
  { eventId, tickets }: { eventId: string; tickets: number[] },
): Promise<boolean> {
  const rest = { count: 1, voided: true, voidedAt: clock.now(), ttl: lineTtl(config) };
  const actions: Action[] = tickets.map((first) => ({
    put: { ...blockKey(eventId, "TICKET", first), first, ...rest },
    if: absent("PK"),
  }));
  return hasHeld(table.write(actions));
}
