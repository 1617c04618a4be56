/** What several pages ask about a race. */

import { queryOptions } from "@tanstack/react-query";
import { call } from "./call.ts";

export const eventQuery = (eventId: string) =>
  queryOptions({
    queryKey: ["event", eventId],
    queryFn: ({ signal }) => call("GET /events/{eventId}", { path: { eventId }, signal }),
    staleTime: 60_000,
  });

export const NEWEST_PHOTOS = 6;

/** For a glimpse of a race's photos. */
export const newestPhotosQuery = (eventId: string) =>
  queryOptions({
    queryKey: ["event", eventId, "newest-photos"],
    queryFn: ({ signal }) =>
      call("GET /events/{eventId}/photos", { path: { eventId }, query: { limit: NEWEST_PHOTOS }, signal }),
  });

/** `clockAheadMs` is how far the server's clock is ahead of this one. */
export const entryQuery = (eventId: string) =>
  queryOptions({
    queryKey: ["event", eventId, "entry"],
    queryFn: async ({ signal }) => {
      const askedAt = Date.now();
      // A stored answer would tell the time it was stored at.
      const entry = await call("GET /events/{eventId}/entry", { path: { eventId }, signal, cache: "no-store" });
      return { ...entry, clockAheadMs: Math.round(entry.serverTime - (askedAt + Date.now()) / 2) };
    },
  });
