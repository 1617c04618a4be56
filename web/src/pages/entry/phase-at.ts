/** How an entry stands at this very moment: what the server said is some seconds old, and an opening waits for nobody. */

import type { EntryState } from "../../api/types.ts";

type Phase = EntryState["phase"];
export type Moment = { what: "opens" | "closes" | "cutoff" | "announced"; at: number };

const UNTIL_CUTOFF: Phase[] = ["NOT_OPEN", "OPEN", "PAUSED", "CLOSED"];
const UNTIL_CLOSING: Phase[] = ["NOT_OPEN", "OPEN", "PAUSED"];

export function phaseAt({ phase, opensAt, closesAt, lotteryCutoffAt }: EntryState, now: number): Phase {
  if (lotteryCutoffAt !== null && now >= lotteryCutoffAt && UNTIL_CUTOFF.includes(phase)) return "DRAWING";
  if (closesAt !== null && now >= closesAt && UNTIL_CLOSING.includes(phase)) return "CLOSED";
  return phase === "NOT_OPEN" && now >= opensAt ? "OPEN" : phase;
}

/** What everybody waits for next, if its time is known and not past. */
export function nextMoment(entry: EntryState, now: number): Moment | undefined {
  const moments: { [Each in Phase]?: Moment["what"][] } = {
    NOT_OPEN: ["opens"],
    OPEN: ["cutoff", "closes"],
    PAUSED: ["cutoff", "closes"],
    CLOSED: ["cutoff"],
    DRAWING: ["announced"],
  };
  const times = {
    opens: entry.opensAt,
    closes: entry.closesAt,
    cutoff: entry.lotteryCutoffAt,
    announced: entry.announcedAt,
  };
  for (const what of moments[phaseAt(entry, now)] ?? []) {
    const at = times[what];
    if (at !== null && at > now) return { what, at };
  }
  return undefined;
}
