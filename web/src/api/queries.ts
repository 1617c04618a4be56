/** The server's state in this tab: what is asked again when, and which failures are worth another try. */

import { QueryClient } from "@tanstack/react-query";
import { ApiProblem } from "./call.ts";

const TRIES = 3;

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // A refusal stays one however often it is asked for; a lost connection does not.
      retry: (failures, error) =>
        failures < TRIES && !(error instanceof ApiProblem && error.status >= 400 && error.status < 500),
      retryDelay: (failures) => Math.min(8000, 500 * 2 ** failures),
    },
  },
});
