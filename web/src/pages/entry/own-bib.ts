/** One's bib in a race, looked for until it is there: it comes a moment after the place. */

import { useQuery } from "@tanstack/react-query";
import { ownBibsQuery } from "../../api/own-bibs.ts";
import type { MyBib } from "../../api/types.ts";

const LOOK_AGAIN_MS = 3000;
/** A race may give its bibs out much later. */
const MOST_LOOKS = 10;

export function useOwnBib(eventId: string): string | undefined {
  const find = (bibs: MyBib[] | undefined) => bibs?.find((each) => each.eventId === eventId)?.bib;
  const { data } = useQuery({
    ...ownBibsQuery,
    refetchInterval: ({ state }) =>
      find(state.data) === undefined && state.dataUpdateCount < MOST_LOOKS && LOOK_AGAIN_MS,
  });
  return find(data);
}
