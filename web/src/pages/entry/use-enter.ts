/** Asks for a place, and again by itself while the reason is one that passes; asking twice comes to the same request. */

import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ApiProblem, call, UNREACHABLE } from "../../api/call.ts";
import { queries } from "../../api/queries.ts";
import { ownRequestQuery } from "./own-request.ts";

const MOST_RETRIES = 8;
const SLOWEST_RETRY_MS = 5000;
/** So far the clocks may be apart when somebody enters at the first second. */
const EARLY_MS = 5000;

export function useEnter(eventId: string, serverNow: () => number) {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => call("POST /events/{eventId}/participations", { path: { eventId } }),
    retry: (failures, error) => failures < MOST_RETRIES && willPass(error, serverNow()),
    // Not all who were turned away in the same second come back in the same one.
    retryDelay: (failures) => Math.min(SLOWEST_RETRY_MS, 400 * 2 ** failures) * (0.5 + Math.random()),
    onSuccess: async ({ requestId }) => {
      queries.removeQueries({ queryKey: ownRequestQuery(eventId).queryKey });
      await navigate({ to: "/requests/$requestId", params: { requestId } });
    },
    onError: async (error) => {
      if (error instanceof ApiProblem && error.status === 401) {
        await navigate({ to: "/sign-in", search: { next: afterSignIn(eventId) } });
      } else await queries.invalidateQueries({ queryKey: ["event", eventId, "entry"] });
    },
  });
}

/** Back to the button, not through it: who signs in has not entered yet. */
export function afterSignIn(eventId: string): string {
  return `/events/${encodeURIComponent(eventId)}#entry`;
}

function willPass(error: unknown, now: number): boolean {
  if (!(error instanceof ApiProblem)) return false;
  if (error.code === UNREACHABLE || error.status >= 502) return true;
  const { opensAt } = error.problem;
  return error.code === "participation.not-open" && Number(opensAt) - now < EARLY_MS;
}
