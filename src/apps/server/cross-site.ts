/** Tells browsers which other sites' pages may read the API's answers. They come with a bearer token: cookies are not theirs to send. */

import type { Incoming } from "../../platform/http/exchange.ts";

export type CrossSite = (request: Incoming) => { [name: string]: string } | undefined;

export function createCrossSite(origins: string[]): CrossSite {
  if (origins.length === 0) return () => undefined;
  return (request) => {
    if (!request.path.startsWith("/api/")) return undefined;
    const origin = request.header("origin");
    return {
      "access-control-expose-headers": "location,x-request-id",
      vary: "Origin",
      ...(origin !== undefined && origins.includes(origin) && { "access-control-allow-origin": origin }),
    };
  };
}
