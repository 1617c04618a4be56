/** How an event's photos stand, looked at every few seconds while somebody watches, with the last half hour of it. */

import { queryOptions } from "@tanstack/react-query";
import { call } from "../../../api/call.ts";
import { queries } from "../../../api/queries.ts";
import type { PhotoSummary } from "../../../api/types.ts";
import { addSample, NO_RATES, type Rates } from "./rates.ts";

export const PHOTOS_SPAN_MS = 1_800_000;
const LOOK_AGAIN_MS = 2000;
/** Over less than this, a single photo would look like thirty a minute. */
const OVER_MS = 20_000;
const SETTINGS = { perMs: 60_000, overMs: OVER_MS, keepMs: PHOTOS_SPAN_MS, gapMs: 30_000 };

type LivePhotos = { summary: PhotoSummary; rates: Rates };

const keyOf = (eventId: string) => ["own-event", eventId, "live-photos"];

export const livePhotosQuery = (eventId: string) =>
  queryOptions({
    queryKey: keyOf(eventId),
    queryFn: async ({ signal }): Promise<LivePhotos> => {
      const summary = await call("GET /admin/events/{eventId}/photos/summary", { path: { eventId }, signal });
      const { uploaded, processing } = summary;
      const before = queries.getQueryData<LivePhotos>(keyOf(eventId))?.rates ?? NO_RATES;
      const sample = { at: Date.now(), counts: [uploaded, uploaded - processing] };
      return { summary, rates: addSample(before, sample, SETTINGS) };
    },
    staleTime: 0,
    gcTime: PHOTOS_SPAN_MS,
    structuralSharing: false,
    refetchInterval: LOOK_AGAIN_MS,
  });
