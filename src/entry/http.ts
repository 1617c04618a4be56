/** The runners' and everybody's routes: asking for a place, waiting for the result, giving a place back, checking a draw. */

import { z } from "zod";
import { freshAnswer } from "../platform/http/fresh-answer.ts";
import { PageQuery, pageOf } from "../platform/http/paging.ts";
import { type Route, route } from "../platform/http/route.ts";
import { EventId } from "../platform/ids.ts";
import { cancelParticipation } from "./cancel.ts";
import { noEvent as noSuchEvent } from "./config.ts";
import type { Entry } from "./entry.ts";
import { eventStream } from "./event-stream.ts";
import { findState, type LineStates } from "./line-state.ts";
import { requestParticipation } from "./participate.ts";
import { RequestId } from "./request-id.ts";
import { findRequest, listOwnRequests } from "./requests.ts";
import { EntryState, ListedRequest, RequestView, Status, showEntry, showListed, showRequest } from "./view.ts";

const tag = "Entry";
const ofEvent = z.object({ eventId: EventId });
const ofRequest = z.object({ requestId: RequestId });
const noEvent = { status: 404, code: "event.not-found", when: "There is none that takes entries." };
const noRequest = { status: 404, code: "request.not-found", when: "You have no such request." };

export type EntryHttp = { entry: Entry; states: LineStates; hasLive: boolean };

export function runnerRoutes(parts: EntryHttp): Route[] {
  return [participate(parts), ...ownRequests(parts), entryState(parts)];
}

function participate({ entry }: EntryHttp): Route {
  return route(
    {
      method: "post",
      path: "/events/{eventId}/participations",
      access: "signedIn",
      tag,
      summary: "Ask for a place",
      description: "The answer comes when the request is safely in line. Asking again is safe: it is the same request.",
      params: ofEvent,
      answers: {
        202: {
          description: "In line. `Location` leads to the request.",
          schema: z.object({
            requestId: RequestId,
            eventId: EventId,
            status: Status,
            ticket: z.int().nullable(),
            queuedAt: z.int().nullable(),
            duplicate: z.boolean().optional().meta({ description: "You had asked before." }),
          }),
        },
      },
      problems: [
        noEvent,
        { status: 409, code: "participation.not-open", when: "Entries have not opened." },
        { status: 409, code: "participation.paused", when: "Entries are paused." },
        { status: 409, code: "participation.closed", when: "Entries are closed." },
        { status: 503, code: "participation.not-queued", when: "The queue did not take it. Try again." },
        { status: 503, code: "participation.busy", when: "Too many enter this second. Try again." },
      ],
    },
    async ({ params: { eventId }, actor }) => {
      const { request, duplicate } = await requestParticipation(entry, { eventId, userId: actor.userId });
      const { requestId, status, ticket = null, queuedAt = null } = request;
      return {
        status: 202,
        body: { requestId, eventId, status, ticket, queuedAt, ...(duplicate && { duplicate }) },
        headers: { location: `/api/requests/${requestId}` },
      };
    },
  );
}

function ownRequests(parts: EntryHttp): Route[] {
  const { entry, states } = parts;
  return [
    route(
      {
        method: "get",
        path: "/requests/{requestId}",
        access: "signedIn",
        tag,
        summary: "Show one of my requests, and where it stands in line",
        params: ofRequest,
        answers: { 200: { description: "The request. With its `ETag`, 304 until it changes.", schema: RequestView } },
        problems: [noRequest],
      },
      async ({ params: { requestId }, actor, request }) => {
        const found = await findRequest(entry, requestId, actor.userId);
        const state = await findState(states, found.eventId);
        return freshAnswer(request, showRequest(found, state, entry.clock.now()), "private, max-age=1");
      },
    ),
    route(
      {
        method: "get",
        path: "/requests/{requestId}/live",
        access: "signedIn",
        tag,
        summary: "Follow one of my requests as server-sent events",
        description:
          "An event `request` whenever it changes, until its result. Where there is no such stream, ask again.",
        params: ofRequest,
        answers: { 200: { description: "The stream.", contentType: "text/event-stream" } },
        problems: [noRequest, { status: 404, code: "live.not-here", when: "This installation has no live updates." }],
      },
      async ({ params: { requestId }, actor, request }) => eventStream(parts, requestId, actor.userId, request.gone()),
    ),
    route(
      {
        method: "post",
        path: "/requests/{requestId}/cancellation",
        access: "signedIn",
        tag,
        summary: "Give my place back",
        description: "The next in line gets it. Asking again is safe.",
        params: ofRequest,
        answers: { 200: { description: "The request, without its place.", schema: ListedRequest } },
        problems: [
          noRequest,
          { status: 409, code: "participation.no-place", when: "It has no place." },
          { status: 409, code: "participation.too-late-to-cancel", when: "The deadline has passed." },
        ],
      },
      async ({ params: { requestId }, actor: { userId } }) => ({
        body: showListed(await cancelParticipation(entry, { requestId, userId }), entry.clock.now()),
      }),
    ),
    route(
      {
        method: "get",
        path: "/me/participations",
        access: "signedIn",
        tag,
        summary: "List my requests",
        query: PageQuery.extend({ limit: PageQuery.shape.limit.default(20) }),
        answers: { 200: { description: "A page, newest first.", schema: pageOf(ListedRequest) } },
      },
      async ({ actor, query }) => {
        const { items, cursor } = await listOwnRequests(entry, actor.userId, query);
        const shown = items.map((item) => showListed(item, entry.clock.now()));
        return { body: { items: shown, ...(cursor !== undefined && { cursor }) } };
      },
    ),
  ];
}

function entryState({ entry, states }: EntryHttp): Route {
  return route(
    {
      method: "get",
      path: "/events/{eventId}/entry",
      access: "anyone",
      tag,
      summary: "Show how an event's entry stands",
      params: ofEvent,
      answers: { 200: { description: "Its phase, its places and its times.", schema: EntryState } },
      problems: [noEvent],
    },
    async ({ params: { eventId }, request }) => {
      const found = await states.read(eventId);
      if (!found.config.published) throw noSuchEvent(eventId);
      const { serverTime, ...state } = showEntry(eventId, found, entry.clock.now());
      return freshAnswer(request, state, "public, max-age=1", { serverTime });
    },
  );
}
