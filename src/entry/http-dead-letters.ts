/** The routes of entry's dead letters. */

import { deadLetterRoutes as routesOf } from "../platform/http/dead-letter-routes.ts";
import type { Route } from "../platform/http/route.ts";
import { type DeadLetters, ShownLetter } from "./dead-letters.ts";

export function deadLetterRoutes(dead: DeadLetters): Route[] {
  return routesOf(dead, {
    tag: "Dead letters",
    eventPath: "/admin/events/{eventId}/dead-letters",
    operatorPath: "/admin/dead-letters",
    schema: ShownLetter,
    listSummary: "List the messages of the event's entry that were given up on",
    othersDescription: "They name no event, or one that is gone; or they are messages between entry and the registry.",
    redriveDescription: "They are handled afresh, and their requests keep their tickets. Send `{}` for all.",
  });
}
