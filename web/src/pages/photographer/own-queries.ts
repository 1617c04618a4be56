/** What a photographer's pages ask: where they are assigned, who they are to others, and how their uploads stand. */

import { queryOptions } from "@tanstack/react-query";
import { call } from "../../api/call.ts";
import type { PublicEvent } from "../../api/types.ts";

const AT_ONCE = 100;

/** All of them, newest first: even a photographer of many years has some hundreds. */
export const assignmentsQuery = queryOptions({
  queryKey: ["me", "assignments"],
  queryFn: async ({ signal }): Promise<PublicEvent[]> => {
    const events: PublicEvent[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: AT_ONCE, ...(cursor !== undefined && { cursor }) };
      const page = await call("GET /me/assignments", { query, signal });
      events.push(...page.items);
      cursor = page.cursor;
    } while (cursor !== undefined);
    return events.sort((a, b) => b.date.localeCompare(a.date) || a.name.localeCompare(b.name));
  },
});

export const creditQuery = (photographerId: string) =>
  queryOptions({
    queryKey: ["photographer", photographerId],
    queryFn: ({ signal }) => call("GET /photographers/{photographerId}", { path: { photographerId }, signal }),
    staleTime: 60_000,
  });

/** Without a photographer, an organizer's own uploads: those that are nobody's. */
type Whose = { eventId: string; photographerId?: string | undefined };

export const uploadSummaryQuery = ({ eventId, photographerId }: Whose) =>
  queryOptions({
    queryKey: ["event", eventId, "uploads", photographerId ?? "", "summary"],
    queryFn: ({ signal }) =>
      call("GET /events/{eventId}/uploads/summary", { path: { eventId }, query: whose(photographerId), signal }),
  });

export const failedUploadsQuery = ({ eventId, photographerId }: Whose) => ({
  queryKey: ["event", eventId, "uploads", photographerId ?? "", "failed"],
  queryFn: ({ pageParam, signal }: { pageParam: string; signal: AbortSignal }) =>
    call("GET /events/{eventId}/uploads/failed", {
      path: { eventId },
      query: { limit: 100, ...whose(photographerId), ...(pageParam && { cursor: pageParam }) },
      signal,
    }),
  initialPageParam: "",
  getNextPageParam: (page: { cursor?: string }) => page.cursor,
});

const whose = (photographerId: string | undefined) =>
  photographerId === undefined ? {} : { photographer: photographerId };
