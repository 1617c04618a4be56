/** Which phases of an entry call for attention, as colours. */

import type { EntryState } from "../../api/types.ts";
import type { Tone } from "../../ui/badge.tsx";

export function phaseTone(phase: EntryState["phase"]): Tone {
  if (phase === "OPEN") return "good";
  if (phase === "NOT_OPEN" || phase === "DRAWING") return "accent";
  return phase === "PAUSED" ? "warn" : "neutral";
}
