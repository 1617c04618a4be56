/** The colours that go with the words for how a request stands. */

import type { EntryRequest } from "../../../api/types.ts";
import type { Tone } from "../../../ui/badge.tsx";

export const STATUS_TONES: { [Status in EntryRequest["status"]]: Tone } = {
  RECEIVED: "neutral",
  QUEUED: "neutral",
  PROCESSING: "accent",
  SUCCEEDED: "good",
  REJECTED: "warn",
  FAILED_FINAL: "bad",
};
