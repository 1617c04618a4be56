/** What entry tells the other contexts: who got a place and who gave one back, and the queue that carries it. */

import { z } from "zod";
import { EventId, UserId } from "../platform/ids.ts";
import type { QueueSettings } from "../platform/ports.ts";

const GivenPlace = z.object({
  /** 1 for the event's first accepted entrant. A number is given once, also if its place goes on to somebody else. */
  place: z.int().min(1),
  requestId: z.string().min(1),
  userId: UserId,
});
export type GivenPlace = z.infer<typeof GivenPlace>;

/** Messages may come twice, late and in any order; a place given back stays so, whatever comes after. */
export const EntryMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("places.given"), eventId: EventId, places: z.array(GivenPlace).min(1) }),
  z.object({ type: z.literal("place.returned"), eventId: EventId, requestId: z.string().min(1) }),
]);
export type EntryMessage = z.infer<typeof EntryMessage>;

export const entryQueue: { name: string; settings: QueueSettings } = {
  name: "EntryMessages",
  settings: { visibilityMs: 60_000, maxReceives: 10 },
};
