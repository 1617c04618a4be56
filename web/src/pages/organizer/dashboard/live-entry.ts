/** How an event's entry stands, looked at every second while somebody watches, with the last ten minutes of it. */

import { queryOptions } from "@tanstack/react-query";
import { call } from "../../../api/call.ts";
import { queries } from "../../../api/queries.ts";
import type { EntrySummary, SteeredEntry } from "../../../api/types.ts";
import { addSample, NO_RATES, type Rates } from "./rates.ts";

export const ENTRY_SPAN_MS = 600_000;
const BUSY_MS = 1000;
const QUIET_MS = 5000;
const SOON_MS = 300_000;
const SETTINGS = { perMs: 1000, overMs: BUSY_MS / 2, keepMs: ENTRY_SPAN_MS, gapMs: 4 * QUIET_MS };

type LiveEntry = { entry: SteeredEntry; summary: EntrySummary; rates: Rates };

const keyOf = (eventId: string) => ["own-event", eventId, "live-entry"];

export const liveEntryQuery = (eventId: string) =>
  queryOptions({
    queryKey: keyOf(eventId),
    queryFn: async ({ signal }): Promise<LiveEntry> => {
      const path = { eventId };
      const [entry, summary] = await Promise.all([
        call("GET /admin/events/{eventId}/entry", { path, signal }),
        call("GET /admin/events/{eventId}/summary", { path, signal }),
      ]);
      const before = queries.getQueryData<LiveEntry>(keyOf(eventId))?.rates ?? NO_RATES;
      const sample = { at: entry.serverTime, counts: [entry.tickets, settledIn(summary)] };
      return { entry, summary, rates: addSample(before, sample, SETTINGS) };
    },
    staleTime: 0,
    gcTime: ENTRY_SPAN_MS,
    structuralSharing: false,
    refetchInterval: ({ state }) => (mayMove(state.data?.entry) ? BUSY_MS : QUIET_MS),
  });

/** Whether something can happen any second. */
function mayMove(entry: SteeredEntry | undefined): boolean {
  if (!entry) return true;
  const { phase, waiting, opensAt, serverTime } = entry;
  if (phase === "NOT_OPEN") return opensAt - serverTime < SOON_MS;
  return phase === "OPEN" || phase === "PAUSED" || phase === "DRAWING" || waiting > 0;
}

function settledIn({ byStatus }: EntrySummary): number {
  return byStatus.SUCCEEDED + byStatus.REJECTED + byStatus.FAILED_FINAL;
}

/** After something was done by hand, all that is shown of the event is asked for anew. */
export async function lookAgain(eventId: string): Promise<void> {
  await queries.invalidateQueries({ queryKey: ["own-event", eventId] });
}
