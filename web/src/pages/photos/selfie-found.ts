/** What a selfie found, for as long as this tab keeps it; the picture itself is on no server and in no address. */

import { queryOptions, skipToken } from "@tanstack/react-query";
import { queries } from "../../api/queries.ts";
import type { SelfieAnswer } from "./send-selfie.ts";

/** `portrait` is an address of the picture within this tab. */
export type SelfieFound = SelfieAnswer & { portrait: string; bib?: string | undefined };

export const selfieQuery = (eventId: string) =>
  queryOptions({
    queryKey: ["event", eventId, "selfie"],
    queryFn: skipToken as unknown as () => SelfieFound,
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30 * 60_000,
  });

export function keepSelfie(eventId: string, found: SelfieFound): void {
  forgetSelfie(eventId);
  queries.setQueryData(selfieQuery(eventId).queryKey, found);
}

export function forgetSelfie(eventId: string): void {
  const { queryKey } = selfieQuery(eventId);
  const before = queries.getQueryData(queryKey);
  if (before) URL.revokeObjectURL(before.portrait);
  queries.removeQueries({ queryKey, exact: true });
}
