/** Requests as they are found again: one's own, an event's in line, and what happened to each. */

import type { Page, Table } from "../platform/ports.ts";
import { Problem } from "../platform/problem.ts";
import { eventPartition, type LogItem, type RequestItem, type RequestStatus, requestKey } from "./items.ts";

type Engines = { table: Table };

/** Another's request is as if it were not there. */
export async function findRequest({ table }: Engines, requestId: string, userId?: string): Promise<RequestItem> {
  const request = (await table.get(requestKey(requestId))) as RequestItem | undefined;
  if (request && (userId === undefined || request.userId === userId)) return request;
  throw new Problem("missing", "request.not-found", `You have no request ${requestId}.`);
}

/** Newest first. */
export async function listOwnRequests(
  { table }: Engines,
  userId: string,
  page: { limit: number; cursor?: string | undefined },
): Promise<Page<RequestItem>> {
  const cursor = page.cursor === undefined ? {} : { cursor: page.cursor };
  const partition = `USER#${userId}`;
  const found = await table.query({ index: "GSI1", partition, order: "descending", limit: page.limit, ...cursor });
  return found as Page<RequestItem>;
}

const LOOKED_AT_ONCE = 200;
const MOST_LOOKS = 20;

export type ListAsk = {
  order: "queue" | "newest";
  status?: RequestStatus | undefined;
  limit: number;
  cursor?: string | undefined;
};

/** With a status, a page may be short and still have a cursor: at most so many requests are looked at for one page. */
export async function listEventRequests(
  { table }: Engines,
  eventId: string,
  { order, status, limit, cursor }: ListAsk,
): Promise<Page<RequestItem>> {
  const found: RequestItem[] = [];
  let next = cursor;
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const page = await table.query({
      index: "GSI2",
      partition: eventPartition(eventId),
      order: order === "queue" ? "ascending" : "descending",
      // Filtered pages may look at no more than they can still take, or their cursor would skip some.
      limit: status === undefined ? limit : Math.min(LOOKED_AT_ONCE, limit - found.length),
      ...(next !== undefined && { cursor: next }),
    });
    const items = page.items as RequestItem[];
    found.push(...(status === undefined ? items : items.filter((request) => request.status === status)));
    next = page.cursor;
    if (next === undefined || found.length >= limit || status === undefined) break;
  }
  return { items: found, ...(next !== undefined && { cursor: next }) };
}

/** All of an event in the order of the line, page by page. */
export async function* readEventRequests(engines: Engines, eventId: string): AsyncGenerator<RequestItem> {
  let cursor: string | undefined;
  do {
    const page: Page<RequestItem> = await listEventRequests(engines, eventId, { order: "queue", limit: 500, cursor });
    yield* page.items;
    cursor = page.cursor;
  } while (cursor !== undefined);
}

/** In the order in which it happened. */
export async function readLog(
  { table }: Engines,
  requestId: string,
  page: { limit: number; cursor?: string | undefined },
): Promise<Page<LogItem>> {
  const cursor = page.cursor === undefined ? {} : { cursor: page.cursor };
  const partition = requestKey(requestId).PK;
  const found = await table.query({ partition, sort: { beginsWith: "LOG#" }, limit: page.limit, ...cursor });
  return found as Page<LogItem>;
}
