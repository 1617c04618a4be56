/** The bibs one has in races. */

import { queryOptions } from "@tanstack/react-query";
import { call } from "./call.ts";

/** Nobody has run more races than this. */
const MOST = 100;

export const ownBibsQuery = queryOptions({
  queryKey: ["own-bibs"],
  queryFn: async ({ signal }) => (await call("GET /me/bibs", { query: { limit: MOST }, signal })).items,
  // They come a moment after their places.
  staleTime: 0,
});
