/** The organizers' routes: an event's requests, how many stand where, whether all is fair, and what steers it. */

import { z } from "zod";
import { attachment } from "../platform/content-disposition.ts";
import { PageQuery, pageOf } from "../platform/http/paging.ts";
import { type Route, route } from "../platform/http/route.ts";
import { EventId } from "../platform/ids.ts";
import type { DeadLetters } from "./dead-letters.ts";
import { createFairness, Fairness } from "./fairness.ts";
import type { EntryHttp } from "./http.ts";
import { controlRoutes } from "./http-control.ts";
import { deadLetterRoutes } from "./http-dead-letters.ts";
import type { LogItem } from "./items.ts";
import { requestCsv } from "./request-csv.ts";
import { RequestId } from "./request-id.ts";
import { findRequest, listEventRequests, readEventRequests, readLog } from "./requests.ts";
import { readSummary, Summary } from "./summary.ts";
import { AdminRequest, Status, showAdmin } from "./view.ts";

const tag = "Entry of an event";
const ofEvent = z.object({ eventId: EventId });
const ofRequest = z.object({ requestId: RequestId });
const access = "organizerOfEvent" as const;
const noEntry = { status: 404, code: "event.not-found", when: "The event takes no entries." };
const noRequest = { status: 404, code: "request.not-found", when: "There is none in an event of yours." };

const RequestsQuery = PageQuery.extend({
  order: z.enum(["queue", "newest"]).default("queue").meta({ description: "As they stand in line, or newest first." }),
  status: Status.optional().meta({ description: "Only these; a page may then have fewer, and still a cursor." }),
});

const LogEntry = z
  .object({
    fromStatus: Status,
    toStatus: Status,
    occurredAt: z.int().meta({ description: "Milliseconds since 1970." }),
    message: z.string().meta({ description: "Why." }),
  })
  .meta({ id: "RequestLogEntry" });
export type RequestLogEntry = z.infer<typeof LogEntry>;

export function organizerRoutes(parts: EntryHttp, dead: DeadLetters): Route[] {
  return [
    ...listRoutes(parts),
    ...figureRoutes(parts),
    ...requestRoutes(parts),
    ...controlRoutes(parts),
    ...deadLetterRoutes(dead),
  ];
}

function listRoutes({ entry }: EntryHttp): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/admin/events/{eventId}/requests",
        access,
        tag,
        summary: "List the event's requests",
        description: "From the moment they have a ticket.",
        params: ofEvent,
        query: RequestsQuery,
        answers: { 200: { description: "A page.", schema: pageOf(AdminRequest) } },
      },
      async ({ params: { eventId }, query }) => {
        const { items, cursor } = await listEventRequests(entry, eventId, query);
        const shown = items.map((item) => showAdmin(item, entry.clock.now()));
        return { body: { items: shown, ...(cursor !== undefined && { cursor }) } };
      },
    ),
    route(
      {
        method: "get",
        path: "/admin/events/{eventId}/requests.csv",
        access,
        tag,
        summary: "Export the requests as a CSV file",
        description: "In the order of the line.",
        params: ofEvent,
        answers: { 200: { description: "The file.", contentType: "text/csv" } },
      },
      ({ params: { eventId } }) => {
        const text = ReadableStream.from(requestCsv(readEventRequests(entry, eventId)));
        return {
          stream: text.pipeThrough(new TextEncoderStream()),
          headers: {
            "content-type": "text/csv; charset=utf-8",
            "content-disposition": attachment(`requests-${eventId}.csv`),
          },
        };
      },
    ),
  ];
}

function figureRoutes({ entry }: EntryHttp): Route[] {
  const fairness = createFairness(entry);
  return [
    route(
      {
        method: "get",
        path: "/admin/events/{eventId}/summary",
        access,
        tag,
        summary: "Count the event's requests by status and result",
        description:
          "From the line's own counters: as cheap with a million requests as with one. Requests without a ticket, RECEIVED or refused before they got one, have no place in the line and are not counted.",
        params: ofEvent,
        answers: { 200: { description: "The counts.", schema: Summary } },
        problems: [noEntry],
      },
      async ({ params: { eventId } }) => ({ body: await readSummary(entry, eventId) }),
    ),
    route(
      {
        method: "get",
        path: "/admin/events/{eventId}/fairness",
        access,
        tag,
        summary: "Check that places went in the order of the line",
        description: "Walks along the whole line, unless it has not moved since it was last walked along.",
        params: ofEvent,
        answers: { 200: { description: "What was found.", schema: Fairness } },
        problems: [noEntry],
      },
      async ({ params: { eventId } }) => ({ body: await fairness.read(eventId) }),
    ),
  ];
}

function requestRoutes({ entry }: EntryHttp): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/admin/requests/{requestId}",
        access: "organizerOfRequest",
        tag,
        summary: "Show a request",
        params: ofRequest,
        answers: { 200: { description: "The request.", schema: AdminRequest } },
        problems: [noRequest],
      },
      async ({ params: { requestId } }) => ({
        body: showAdmin(await findRequest(entry, requestId), entry.clock.now()),
      }),
    ),
    route(
      {
        method: "get",
        path: "/admin/requests/{requestId}/logs",
        access: "organizerOfRequest",
        tag,
        summary: "Show what happened to a request",
        params: ofRequest,
        query: PageQuery,
        answers: { 200: { description: "A page, in the order in which it happened.", schema: pageOf(LogEntry) } },
        problems: [noRequest],
      },
      async ({ params: { requestId }, query }) => {
        const { items, cursor } = await readLog(entry, requestId, query);
        return { body: { items: items.map(showLog), ...(cursor !== undefined && { cursor }) } };
      },
    ),
  ];
}

function showLog({ fromStatus, toStatus, occurredAt, message }: LogItem): RequestLogEntry {
  return { fromStatus, toStatus, occurredAt, message };
}
