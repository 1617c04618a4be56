/** Messages that were given up on: whose they are, what is known of the requests they name, and their way back. */

import { z } from "zod";
import { encodeCursor } from "../platform/cursor.ts";
import { cutPage, type PageRequest, readCursor } from "../platform/http/paging.ts";
import { EventId } from "../platform/ids.ts";
import type { DeadLetter, Engines, Page, Queue } from "../platform/ports.ts";
import { Problem } from "../platform/problem.ts";
import { registryQueues } from "../registry/events.ts";
import { type Entry, requestQueue } from "./entry.ts";
import { entryQueue } from "./events.ts";
import { type RequestItem, requestKey } from "./items.ts";
import { RequestId } from "./request-id.ts";
import { Status } from "./view.ts";

/** Queues can't be asked for the letters of one event: so many of all are looked at. */
export const MOST_LOOKED_AT = 10_000;
/** What is wrong with a message shows at its beginning. */
export const MOST_BODY_LISTED = 2000;

export const ShownLetter = z
  .object({
    id: z.string(),
    queue: z.string().meta({ description: "The queue that carried it." }),
    reason: z.string().meta({ description: "Why it failed the last time." }),
    receives: z.int().meta({ description: "How often it was tried." }),
    sentAt: z.int().meta({ description: "Milliseconds since 1970." }),
    eventId: EventId.nullable(),
    requestId: RequestId.nullable(),
    status: Status.nullable().meta({ description: "The request's, as it is now." }),
    ticket: z.int().nullable().meta({ description: "The request's; sending the letter back does not change it." }),
    body: z.string().meta({ description: "The message itself." }),
  })
  .meta({ id: "EntryDeadLetter" });
export type ShownLetter = z.infer<typeof ShownLetter>;

export type DeadLetters = {
  entry: Entry;
  /** What carries requests to the workers. */
  requests: NamedQueue;
  /** What carries messages between entry and the registry. */
  others: NamedQueue[];
};
type NamedQueue = { name: string; queue: Queue };

/**
 * An event has what names it of the requests' letters. `undefined` is for what no organizer sees: those that name no
 * event, or one that is gone, and all letters of the other queues.
 */
export type Owner = { eventId: string | undefined };

type NamedLetter = DeadLetter & { from: NamedQueue; names: { eventId?: string; requestId?: string } };

export function openDeadLetters(entry: Entry, engines: Pick<Engines, "queue">): DeadLetters {
  const open = ({ name, settings }: typeof requestQueue) => ({ name, queue: engines.queue(name, settings) });
  return { entry, requests: open(requestQueue), others: [entryQueue, registryQueues.entry].map(open) };
}

export async function listDeadLetters(dead: DeadLetters, owner: Owner, page: PageRequest): Promise<Page<ShownLetter>> {
  const all = await lettersOf(dead, owner);
  const after = page.cursor === undefined ? undefined : readCursor(page.cursor, ["sentAt", "id"]);
  const rows = after
    ? all.filter((letter) => compare(letter, { id: after.id, sentAt: Number(after.sentAt) }) > 0)
    : all;
  const { items, cursor } = cutPage(
    rows.slice(0, page.limit + 1),
    page.limit,
    (letter) => letter,
    ({ id, sentAt }) => encodeCursor({ sentAt: String(sentAt), id }),
  );
  const shown = await show(dead, items);
  const cut = shown.map((letter) => ({ ...letter, body: letter.body.slice(0, MOST_BODY_LISTED).toWellFormed() }));
  return { items: cut, ...(cursor !== undefined && { cursor }) };
}

export async function readDeadLetter(dead: DeadLetters, owner: Owner, id: string): Promise<ShownLetter> {
  const letters = await lettersOf(dead, owner);
  const [letter] = await show(
    dead,
    letters.filter((each) => each.id === id),
  );
  if (letter) return letter;
  const sentence = `There is no dead letter ${id}. It may have been sent back: look at the list again.`;
  throw new Problem("missing", "dead-letter.not-found", sentence);
}

/** Those named, or all. Their requests keep their tickets: a message is only a hint to look at the line. */
export async function redriveDeadLetters(dead: DeadLetters, owner: Owner, ids?: string[]): Promise<number> {
  const letters = await lettersOf(dead, owner);
  const wanted = ids ? letters.filter(({ id }) => ids.includes(id)) : letters;
  let count = 0;
  for (const [{ queue }, those] of Map.groupBy(wanted, ({ from }) => from)) {
    count += await queue.redrive(those.map(({ id }) => id));
  }
  return count;
}

/** Oldest first. */
async function lettersOf({ entry, requests, others }: DeadLetters, { eventId }: Owner): Promise<NamedLetter[]> {
  const named = await peek(requests);
  if (eventId !== undefined) return named.filter(({ names }) => names.eventId === eventId).sort(compare);
  const events = new Set(named.flatMap(({ names }) => names.eventId ?? []));
  const known = new Set<string>();
  for (const each of events) if (await entry.facts.eventForEntry(each)) known.add(each);
  const nobodys = named.filter(({ names }) => names.eventId === undefined || !known.has(names.eventId));
  return [...nobodys, ...(await Promise.all(others.map(peek))).flat()].sort(compare);
}

async function peek(from: NamedQueue): Promise<NamedLetter[]> {
  const letters = await from.queue.peekDead(MOST_LOOKED_AT);
  return letters.map((letter) => ({ ...letter, from, names: namesIn(letter.body) }));
}

/** Of those sent together: ids that are numbers in the order of numbers. */
function compare(a: { sentAt: number; id: string }, b: { sentAt: number; id: string }): number {
  return a.sentAt - b.sentAt || a.id.length - b.id.length || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** Also of a message that is wrong in other ways, so that it finds its event's organizers. */
function namesIn(body: string): NamedLetter["names"] {
  const message = z.looseObject({}).safeParse(parseJson(body)).data ?? {};
  const eventId = EventId.safeParse(message.eventId).data;
  const requestId = RequestId.safeParse(message.requestId).data;
  return { ...(eventId !== undefined && { eventId }), ...(requestId !== undefined && { requestId }) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function show({ entry: { table } }: DeadLetters, letters: NamedLetter[]): Promise<ShownLetter[]> {
  const requestIds = [...new Set(letters.flatMap(({ names }) => names.requestId ?? []))];
  const requests = (await table.batchGet(requestIds.map(requestKey))) as (RequestItem | undefined)[];
  const byId = new Map(requests.flatMap((request) => (request ? [[request.requestId, request]] : [])));
  return letters.map(({ id, from, reason, receives, sentAt, body, names }) => {
    const { eventId = null, requestId = null } = names;
    const found = requestId === null ? undefined : byId.get(requestId);
    // A message that names one event and another's request tells that event's organizers nothing of it.
    const request = found?.eventId === eventId ? found : undefined;
    const { status = null, ticket = null } = request ?? {};
    return { id, queue: from.name, reason, receives, sentAt, eventId, requestId, status, ticket, body };
  });
}
