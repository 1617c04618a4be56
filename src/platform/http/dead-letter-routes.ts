/** The routes of dead letters: an event's for its organizers, the others for operators. */

import { z } from "zod";
import {
  type DeadLetterLists,
  type LetterBasics,
  type LetterOwner,
  MOST_BODY_LISTED,
  MOST_LOOKED_AT,
} from "../dead-letter-lists.ts";
import { EventId } from "../ids.ts";
import { PageQuery, pageOf } from "./paging.ts";
import { type Route, route } from "./route.ts";

const ofEvent = z.object({ eventId: EventId });
const LetterId = z.string().regex(/^[\w-]{1,128}$/, "It is no dead letter's id.");
const NOBODYS: LetterOwner = { eventId: undefined };
const RedriveAsk = z.strictObject({
  ids: z.array(LetterId).max(1000).optional().meta({ description: "Only these; all without it." }),
});
const redriven = {
  200: { description: "How many went.", schema: z.object({ redriven: z.int().min(0) }) },
};

export type DeadLetterWords<Shown extends LetterBasics> = {
  tag: string;
  /** Where they are: an event's below its path, the others on their own. */
  eventPath: string;
  operatorPath: string;
  schema: z.ZodType<Shown>;
  listSummary: string;
  /** Which letters no organizer sees. */
  othersDescription: string;
  redriveDescription: string;
};

export function deadLetterRoutes<Shown extends LetterBasics>(
  lists: DeadLetterLists<Shown>,
  words: DeadLetterWords<Shown>,
): Route[] {
  return [...eventRoutes(lists, words), ...operatorRoutes(lists, words)];
}

function listed({ schema }: Pick<DeadLetterWords<LetterBasics>, "schema">) {
  return {
    200: {
      description: `A page, oldest first, of at most ${MOST_LOOKED_AT.toLocaleString("en")} letters of all events. A body is cut after ${MOST_BODY_LISTED} characters.`,
      schema: pageOf(schema),
    },
  };
}

function eventRoutes<Shown extends LetterBasics>(
  lists: DeadLetterLists<Shown>,
  words: DeadLetterWords<Shown>,
): Route[] {
  const { tag, eventPath: path, schema } = words;
  const access = "organizerOfEvent" as const;
  return [
    route(
      {
        method: "get",
        path,
        access,
        tag,
        summary: words.listSummary,
        params: ofEvent,
        query: PageQuery,
        answers: listed(words),
      },
      async ({ params, query }) => ({ body: await lists.list(params, query) }),
    ),
    route(
      {
        method: "get",
        path: `${path}/{letterId}`,
        access,
        tag,
        summary: "Show a dead letter with its whole body",
        params: ofEvent.extend({ letterId: LetterId }),
        answers: { 200: { description: "The letter.", schema } },
        problems: [{ status: 404, code: "dead-letter.not-found", when: "It is not there, or another event's." }],
      },
      async ({ params: { eventId, letterId } }) => ({ body: await lists.read({ eventId }, letterId) }),
    ),
    route(
      {
        method: "post",
        path: `${path}/redrive`,
        access,
        tag,
        summary: "Send dead letters of the event back to be handled",
        description: words.redriveDescription,
        params: ofEvent,
        body: RedriveAsk,
        answers: redriven,
      },
      async ({ params, body: { ids } }) => ({ body: { redriven: await lists.redrive(params, ids) } }),
    ),
  ];
}

function operatorRoutes<Shown extends LetterBasics>(
  lists: DeadLetterLists<Shown>,
  words: DeadLetterWords<Shown>,
): Route[] {
  const { tag, operatorPath: path } = words;
  return [
    route(
      {
        method: "get",
        path,
        access: "operator",
        tag,
        summary: "List the dead letters that no organizer sees",
        description: words.othersDescription,
        query: PageQuery,
        answers: listed(words),
      },
      async ({ query }) => ({ body: await lists.list(NOBODYS, query) }),
    ),
    route(
      {
        method: "post",
        path: `${path}/redrive`,
        access: "operator",
        tag,
        summary: "Send dead letters that no organizer sees back to be handled",
        description: words.redriveDescription,
        body: RedriveAsk,
        answers: redriven,
      },
      async ({ body: { ids } }) => ({ body: { redriven: await lists.redrive(NOBODYS, ids) } }),
    ),
  ];
}
