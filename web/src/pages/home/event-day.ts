/** Whether a race's day is ahead, here or over, where the race is. */

import type { PublicEvent } from "../../api/types.ts";

export type EventDay = "ahead" | "here" | "over";

export function eventDay({ date, timeZone }: Pick<PublicEvent, "date" | "timeZone">, now = new Date()): EventDay {
  // This locale writes days as the API does.
  const today = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(now);
  if (date === today) return "here";
  return date > today ? "ahead" : "over";
}
