/** What the roster's pages ask, and what to ask again after a change. */

import { infiniteQueryOptions } from "@tanstack/react-query";
import { call } from "../../../api/call.ts";
import { queries } from "../../../api/queries.ts";

const PAGE_SIZE = 50;

export const runnersQuery = (eventId: string) =>
  infiniteQueryOptions({
    queryKey: ["own-event", eventId, "runners"],
    queryFn: ({ pageParam, signal }) =>
      call("GET /admin/events/{eventId}/runners", {
        path: { eventId },
        query: { limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: (page: { cursor?: string }) => page.cursor,
  });

export function refreshRunners(eventId: string): Promise<void> {
  return queries.invalidateQueries({ queryKey: runnersQuery(eventId).queryKey });
}
