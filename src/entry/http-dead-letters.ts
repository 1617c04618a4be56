/** The routes of dead letters: an event's for its organizers, the others for operators. */

import { z } from "zod";
import { PageQuery, pageOf } from "../platform/http/paging.ts";
import { type Route, route } from "../platform/http/route.ts";
import { EventId } from "../platform/ids.ts";
import {
  type DeadLetters,
  listDeadLetters,
  MOST_BODY_LISTED,
  MOST_LOOKED_AT,
  type Owner,
  readDeadLetter,
  redriveDeadLetters,
  ShownLetter,
} from "./dead-letters.ts";

const tag = "Dead letters";
const ofEvent = z.object({ eventId: EventId });
const LetterId = z.string().regex(/^[\w-]{1,128}$/, "It is no dead letter's id.");
const NOBODYS: Owner = { eventId: undefined };

const listed = {
  200: {
    description: `A page, oldest first, of at most ${MOST_LOOKED_AT.toLocaleString("en")} letters of all events. A body is cut after ${MOST_BODY_LISTED} characters.`,
    schema: pageOf(ShownLetter),
  },
};
const RedriveAsk = z.strictObject({
  ids: z.array(LetterId).max(1000).optional().meta({ description: "Only these; all without it." }),
});
const redriven = {
  200: { description: "How many went.", schema: z.object({ redriven: z.int().min(0) }) },
};
const REDRIVE = "They are handled afresh, and their requests keep their tickets. Send `{}` for all.";

export function deadLetterRoutes(dead: DeadLetters): Route[] {
  return [...eventRoutes(dead), ...operatorRoutes(dead)];
}

function eventRoutes(dead: DeadLetters): Route[] {
  const path = "/admin/events/{eventId}/dead-letters";
  const access = "organizerOfEvent" as const;
  return [
    route(
      {
        method: "get",
        path,
        access,
        tag,
        summary: "List the messages of the event's entry that were given up on",
        params: ofEvent,
        query: PageQuery,
        answers: listed,
      },
      async ({ params, query }) => ({ body: await listDeadLetters(dead, params, query) }),
    ),
    route(
      {
        method: "get",
        path: `${path}/{letterId}`,
        access,
        tag,
        summary: "Show a dead letter with its whole body",
        params: ofEvent.extend({ letterId: LetterId }),
        answers: { 200: { description: "The letter.", schema: ShownLetter } },
        problems: [{ status: 404, code: "dead-letter.not-found", when: "It is not there, or another event's." }],
      },
      async ({ params: { eventId, letterId } }) => ({ body: await readDeadLetter(dead, { eventId }, letterId) }),
    ),
    route(
      {
        method: "post",
        path: `${path}/redrive`,
        access,
        tag,
        summary: "Send dead letters of the event back to be handled",
        description: REDRIVE,
        params: ofEvent,
        body: RedriveAsk,
        answers: redriven,
      },
      async ({ params, body: { ids } }) => ({ body: { redriven: await redriveDeadLetters(dead, params, ids) } }),
    ),
  ];
}

function operatorRoutes(dead: DeadLetters): Route[] {
  const path = "/admin/dead-letters";
  return [
    route(
      {
        method: "get",
        path,
        access: "operator",
        tag,
        summary: "List the dead letters that no organizer sees",
        description: "They name no event, or one that is gone; or they are messages between entry and the registry.",
        query: PageQuery,
        answers: listed,
      },
      async ({ query }) => ({ body: await listDeadLetters(dead, NOBODYS, query) }),
    ),
    route(
      {
        method: "post",
        path: `${path}/redrive`,
        access: "operator",
        tag,
        summary: "Send dead letters that no organizer sees back to be handled",
        description: REDRIVE,
        body: RedriveAsk,
        answers: redriven,
      },
      async ({ body: { ids } }) => ({ body: { redriven: await redriveDeadLetters(dead, NOBODYS, ids) } }),
    ),
  ];
}
