/** Messages that were given up on: whose they are, what is known of the requests they name, and their way back. */

import { z } from "zod";
import {
  basicsOf,
  createDeadLetterLists,
  type DeadLetterLists,
  LetterBasics,
  type LetterOwner,
  type NamedLetter,
  type NamedQueue,
  peekLetters,
} from "../platform/dead-letter-lists.ts";
import { EventId } from "../platform/ids.ts";
import type { Engines } from "../platform/ports.ts";
import { registryQueues } from "../registry/events.ts";
import { type Entry, requestQueue } from "./entry.ts";
import { entryQueue } from "./events.ts";
import { type RequestItem, requestKey } from "./items.ts";
import { RequestId } from "./request-id.ts";
import { Status } from "./view.ts";

export const ShownLetter = LetterBasics.extend({
  eventId: EventId.nullable(),
  requestId: RequestId.nullable(),
  status: Status.nullable().meta({ description: "The request's, as it is now." }),
  ticket: z.int().nullable().meta({ description: "The request's; sending the letter back does not change it." }),
}).meta({ id: "EntryDeadLetter" });
export type ShownLetter = z.infer<typeof ShownLetter>;

export type DeadLetters = DeadLetterLists<ShownLetter>;

type Names = { eventId?: string; requestId?: string };
type Queues = {
  /** What carries requests to the workers. */
  requests: NamedQueue;
  /** What carries messages between entry and the registry. */
  others: NamedQueue[];
};

/** A request keeps its ticket when its letter goes back: a message is only a hint to look at the line. */
export function openDeadLetters(entry: Entry, engines: Pick<Engines, "queue">): DeadLetters {
  const open = ({ name, settings }: typeof requestQueue) => ({ name, queue: engines.queue(name, settings) });
  const queues = { requests: open(requestQueue), others: [entryQueue, registryQueues.entry].map(open) };
  return createDeadLetterLists({
    lettersOf: (owner) => lettersOf(entry, queues, owner),
    show: (letters) => show(entry, letters),
  });
}

/**
 * An event has what names it of the requests' letters. No organizer sees those that name no event, or one that is gone,
 * and all letters of the other queues.
 */
async function lettersOf(entry: Entry, { requests, others }: Queues, { eventId }: LetterOwner) {
  const named = await peekLetters(requests, namesIn);
  if (eventId !== undefined) return named.filter(({ names }) => names.eventId === eventId);
  const events = new Set(named.flatMap(({ names }) => names.eventId ?? []));
  const known = new Set<string>();
  for (const each of events) if (await entry.facts.eventForEntry(each)) known.add(each);
  const nobodys = named.filter(({ names }) => names.eventId === undefined || !known.has(names.eventId));
  return [...nobodys, ...(await Promise.all(others.map((queue) => peekLetters(queue, namesIn)))).flat()];
}

function namesIn(message: { [field: string]: unknown }): Names {
  const eventId = EventId.safeParse(message.eventId).data;
  const requestId = RequestId.safeParse(message.requestId).data;
  return { ...(eventId !== undefined && { eventId }), ...(requestId !== undefined && { requestId }) };
}

async function show({ table }: Entry, letters: NamedLetter<Names>[]): Promise<ShownLetter[]> {
  const requestIds = [...new Set(letters.flatMap(({ names }) => names.requestId ?? []))];
  const requests = (await table.batchGet(requestIds.map(requestKey))) as (RequestItem | undefined)[];
  const byId = new Map(requests.flatMap((request) => (request ? [[request.requestId, request]] : [])));
  return letters.map((letter) => {
    const { eventId = null, requestId = null } = letter.names;
    const found = requestId === null ? undefined : byId.get(requestId);
    // A message that names one event and another's request tells that event's organizers nothing of it.
    const request = found?.eventId === eventId ? found : undefined;
    const { status = null, ticket = null } = request ?? {};
    return { ...basicsOf(letter), eventId, requestId, status, ticket };
  });
}
