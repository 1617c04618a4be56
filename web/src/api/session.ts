/** Who is signed in here. The session itself is in cookies that no script can read. */

import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "./call.ts";
import { queries } from "./queries.ts";
import type { Me } from "./types.ts";

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: async ({ signal }) => (await call("GET /auth/sessions/current", { signal })).me,
  staleTime: 60_000,
});

/** `undefined` until known, `null` when nobody is signed in. */
export function useMe(): Me | null | undefined {
  return useQuery(meQuery).data;
}

export async function signOut(): Promise<void> {
  await call("DELETE /auth/sessions/current");
  await forgetAnswers();
}

/** Who came or went sees other things: nothing that was asked before holds, and what is shown is asked again. */
export async function forgetAnswers(): Promise<void> {
  await queries.resetQueries();
}
