/** How a request stands, in the few ways that make a difference to who made it. */

import type { Participation } from "../../api/types.ts";
import type { Tone } from "../../ui/badge.tsx";

export type Standing =
  | "waiting"
  | "inDraw"
  | "drawing"
  | "place"
  | "reserve"
  | "notDrawn"
  | "duplicate"
  | "cancelled"
  | "failed";

export const STANDING_TONES: { [Each in Standing]: Tone } = {
  waiting: "accent",
  inDraw: "accent",
  drawing: "accent",
  place: "good",
  reserve: "warn",
  notDrawn: "warn",
  duplicate: "neutral",
  cancelled: "neutral",
  failed: "bad",
};

export function standingOf({ uiResult, resultCode, eventType, uiPhase }: Participation): Standing {
  if (uiResult === "SUCCESS") return "place";
  if (uiResult === "FAILED") return "failed";
  if (uiResult === "PENDING") {
    if (eventType === "FIRST_COME") return "waiting";
    return uiPhase === "DRAWING" ? "drawing" : "inDraw";
  }
  if (resultCode === "CANCELLED") return "cancelled";
  if (resultCode === "REJECTED_DUPLICATE") return "duplicate";
  return resultCode === "REJECTED_LOTTERY_LOSE" ? "notDrawn" : "reserve";
}
