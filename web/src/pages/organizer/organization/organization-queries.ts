/** What the organizer's pages ask about organizations, and what to ask again after a change. */

import { infiniteQueryOptions } from "@tanstack/react-query";
import { call } from "../../../api/call.ts";
import { queries } from "../../../api/queries.ts";
import { meQuery } from "../../../api/session.ts";

const PAGE_SIZE = 50;

const paged = (cursor: string) => ({ limit: PAGE_SIZE, ...(cursor && { cursor }) });
const pages = { initialPageParam: "", getNextPageParam: (page: { cursor?: string }) => page.cursor };

export const organizationsQuery = infiniteQueryOptions({
  queryKey: ["organizations"],
  queryFn: ({ pageParam, signal }) => call("GET /admin/organizations", { query: paged(pageParam), signal }),
  ...pages,
});

export const eventsOfQuery = (orgId: string) =>
  infiniteQueryOptions({
    queryKey: ["organization", orgId, "events"],
    queryFn: ({ pageParam, signal }) =>
      call("GET /admin/organizations/{orgId}/events", { path: { orgId }, query: paged(pageParam), signal }),
    ...pages,
  });

export const organizersQuery = (orgId: string) =>
  infiniteQueryOptions({
    queryKey: ["organization", orgId, "organizers"],
    queryFn: ({ pageParam, signal }) =>
      call("GET /admin/organizations/{orgId}/organizers", { path: { orgId }, query: paged(pageParam), signal }),
    ...pages,
  });

export const photographersQuery = (orgId: string) =>
  infiniteQueryOptions({
    queryKey: ["organization", orgId, "photographers"],
    queryFn: ({ pageParam, signal }) =>
      call("GET /admin/organizations/{orgId}/photographers", { path: { orgId }, query: paged(pageParam), signal }),
    ...pages,
  });

/** After an organization came, changed or went: what one may act for changes with it. */
export async function refreshOrganizations(): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: organizationsQuery.queryKey }),
    queries.invalidateQueries({ queryKey: ["organization"] }),
    queries.invalidateQueries({ queryKey: ["events"] }),
    queries.invalidateQueries({ queryKey: meQuery.queryKey }),
  ]);
}
