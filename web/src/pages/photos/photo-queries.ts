/** What several of these pages ask about one photo or its photographer. */

import { queryOptions } from "@tanstack/react-query";
import { call } from "../../api/call.ts";

export const creditQuery = (photographerId: string) =>
  queryOptions({
    queryKey: ["photographer", photographerId],
    queryFn: ({ signal }) => call("GET /photographers/{photographerId}", { path: { photographerId }, signal }),
    staleTime: 60_000,
  });

export const photoQuery = (eventId: string, ulid: string) =>
  queryOptions({
    queryKey: ["event", eventId, "photo", ulid],
    queryFn: ({ signal }) => call("GET /events/{eventId}/photos/{ulid}", { path: { eventId, ulid }, signal }),
    staleTime: 60_000,
  });
