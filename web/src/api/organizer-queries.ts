/** What several of the organizer's pages ask about an event and its organization. */

import { queryOptions } from "@tanstack/react-query";
import { call } from "./call.ts";

/** Also of a draft, with all its settings. */
export const ownEventQuery = (eventId: string) =>
  queryOptions({
    queryKey: ["own-event", eventId],
    queryFn: ({ signal }) => call("GET /admin/events/{eventId}", { path: { eventId }, signal }),
  });

export const organizationQuery = (orgId: string) =>
  queryOptions({
    queryKey: ["organization", orgId],
    queryFn: ({ signal }) => call("GET /admin/organizations/{orgId}", { path: { orgId }, signal }),
    staleTime: 60_000,
  });
