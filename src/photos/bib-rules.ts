/** How an event's bibs are told from other text. */

import { DEFAULT_BIB_PATTERN, type EventForPhotos } from "../registry/events.ts";
import { type BibRules, DEFAULT_MIN_CONFIDENCE } from "./bibs.ts";

/** A roster without a runner is none. */
export function bibRules(event: EventForPhotos, roster: ReadonlySet<string>): BibRules {
  const { bibPattern, watermarkZones } = event;
  return {
    watermarkZones,
    minConfidence: DEFAULT_MIN_CONFIDENCE,
    ...(bibPattern !== DEFAULT_BIB_PATTERN && { pattern: new RegExp(`^(?:${bibPattern})$`, "u") }),
    ...(roster.size > 0 && { roster }),
  };
}
