/** The message that carries a request to the workers. */

import { z } from "zod";
import { EventId } from "../platform/ids.ts";
import { RequestId } from "./request-id.ts";

const ParticipationRequested = z.object({
  type: z.literal("participation.requested"),
  requestId: RequestId,
  eventId: EventId,
});
export type ParticipationRequested = z.infer<typeof ParticipationRequested>;

export function participationRequested({ requestId, eventId }: { requestId: string; eventId: string }): string {
  return JSON.stringify({ type: "participation.requested", requestId, eventId } satisfies ParticipationRequested);
}

/** Nothing when it is no such message. */
export function readParticipationRequested(body: string): ParticipationRequested | undefined {
  try {
    return ParticipationRequested.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}
