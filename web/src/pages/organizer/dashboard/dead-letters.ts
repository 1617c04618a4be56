/** The messages about an event that were given up on, asked for from time to time. */

import { queryOptions } from "@tanstack/react-query";
import { call } from "../../../api/call.ts";

const LOOK_AGAIN_MS = 10_000;
/** As many as the API gives at once; who has more sends them back in bulk. */
const MOST = 100;

export const entryLettersQuery = (eventId: string) =>
  queryOptions({
    queryKey: ["own-event", eventId, "entry-letters"],
    queryFn: ({ signal }) =>
      call("GET /admin/events/{eventId}/dead-letters", { path: { eventId }, query: { limit: MOST }, signal }),
    refetchInterval: LOOK_AGAIN_MS,
  });

export const photoLettersQuery = (eventId: string) =>
  queryOptions({
    queryKey: ["own-event", eventId, "photo-letters"],
    queryFn: ({ signal }) =>
      call("GET /admin/events/{eventId}/photos/dead-letters", { path: { eventId }, query: { limit: MOST }, signal }),
    refetchInterval: LOOK_AGAIN_MS,
  });

type Letters = { items: unknown[]; cursor?: string };

export function letterCount(...lists: (Letters | undefined)[]): { count: number; isMore: boolean } {
  return {
    count: lists.reduce((sum, list) => sum + (list?.items.length ?? 0), 0),
    isMore: lists.some((list) => list?.cursor !== undefined),
  };
}
