/** What the registry tells the other contexts: the messages they may rely on, and the queue that carries them. */

import { z } from "zod";
import { EventId, OrganizationId, PhotographerId } from "../platform/ids.ts";
import type { QueueSettings } from "../platform/ports.ts";

/** A photographer's handle or display name is another one now. Messages may overtake each other: the latest time holds. */
const PhotographerChanged = z.object({
  type: z.literal("photographer.changed"),
  photographerId: PhotographerId,
  handle: z.string().nullable(),
  displayName: z.string(),
  occurredAt: z.iso.datetime(),
});

/** An event is gone from the registry, and all that others keep of it should go too. */
const EventRemoved = z.object({
  type: z.literal("event.removed"),
  eventId: EventId,
  orgId: OrganizationId,
  occurredAt: z.iso.datetime(),
});

export const RegistryMessage = z.discriminatedUnion("type", [PhotographerChanged, EventRemoved]);
export type RegistryMessage = z.infer<typeof RegistryMessage>;

export const registryQueue: { name: string; settings: QueueSettings } = {
  name: "RegistryMessages",
  settings: { visibilityMs: 60_000, maxReceives: 5 },
};
