/** Tells browsers which other sites' pages may read the API's answers. They come with a bearer token: cookies are not theirs to send. */

import type { Incoming } from "../../platform/http/exchange.ts";

/** Names and values in turns. */
export type CrossSite = (request: Incoming) => string[];

export function createCrossSite(origins: string[]): CrossSite {
  const none: string[] = [];
  if (origins.length === 0) return () => none;
  const everybody = ["access-control-expose-headers", "location,x-request-id", "vary", "Origin"];
  return (request) => {
    if (!request.path.startsWith("/api/")) return none;
    const origin = request.header("origin");
    if (origin === undefined || !origins.includes(origin)) return everybody;
    return [...everybody, "access-control-allow-origin", origin];
  };
}
