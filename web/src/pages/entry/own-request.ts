/** Finds one's own request for a race among all one has made: there is at most one. */

import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "../../api/call.ts";
import { useMe } from "../../api/session.ts";
import type { Participation } from "../../api/types.ts";

const PAGE = 100;
/** Nobody has entered more races than this, and the search must end. */
const MOST_PAGES = 10;

export const ownRequestQuery = (eventId: string) =>
  queryOptions({
    queryKey: ["own-request", eventId],
    queryFn: async ({ signal }): Promise<Participation | null> => {
      let cursor: string | undefined;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const query = { limit: PAGE, ...(cursor && { cursor }) };
        const answer = await call("GET /me/participations", { query, signal });
        const found = answer.items.find((request) => request.eventId === eventId);
        if (found || !answer.cursor) return found ?? null;
        cursor = answer.cursor;
      }
      return null;
    },
    // Another tab may have entered meanwhile.
    staleTime: 0,
  });

/** `undefined` until known, `null` for who has not entered. */
export function useOwnRequest(eventId: string): Participation | null | undefined {
  const me = useMe();
  const { data, isError } = useQuery({ ...ownRequestQuery(eventId), enabled: Boolean(me) });
  // Entering works without knowing: who entered before comes to the same request.
  return me === null || isError ? (data ?? null) : data;
}
