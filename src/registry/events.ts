/** What the registry tells the other contexts: the messages they may rely on, and the queues that carry them. */

import { z } from "zod";
import { EventId, OrganizationId, PhotographerId } from "../platform/ids.ts";
import type { QueueSettings } from "../platform/ports.ts";
import type { EntrySettings, WatermarkZone } from "./settings.ts";

/** Photos that belong to no event are read as those of a new one. */
export { DEFAULT_BIB_PATTERN, DEFAULT_WATERMARK_ZONES, type EntrySettings } from "./settings.ts";

/** A photographer's handle or display name is another one now. Messages may overtake each other: the latest time holds. */
const PhotographerChanged = z.object({
  type: z.literal("photographer.changed"),
  photographerId: PhotographerId,
  handle: z.string().nullable(),
  displayName: z.string(),
  occurredAt: z.iso.datetime(),
});

/** An event was made or its settings changed. It does not say how: look again. */
const EventChanged = z.object({
  type: z.literal("event.changed"),
  eventId: EventId,
  occurredAt: z.iso.datetime(),
});

/** An event is gone from the registry, and all that others keep of it should go too. */
const EventRemoved = z.object({
  type: z.literal("event.removed"),
  eventId: EventId,
  orgId: OrganizationId,
  /** The last it had: whatever somebody read of it is no later. */
  revision: z.number(),
  occurredAt: z.iso.datetime(),
});

export const RegistryMessage = z.discriminatedUnion("type", [PhotographerChanged, EventChanged, EventRemoved]);
export type RegistryMessage = z.infer<typeof RegistryMessage>;

type ReceiverQueue = { name: string; settings: QueueSettings; types: RegistryMessage["type"][] };

const settings: QueueSettings = { visibilityMs: 60_000, maxReceives: 5 };

/** One for each receiver, with what it wants to hear: a message in a queue is handled by one consumer only. */
export const registryQueues: { entry: ReceiverQueue; photos: ReceiverQueue } = {
  entry: { name: "RegistryMessagesForEntry", settings, types: ["event.changed", "event.removed"] },
  photos: { name: "RegistryMessagesForPhotos", settings, types: ["photographer.changed", "event.removed"] },
};

/** What entry must know of an event. Times are epoch milliseconds; the event's day is over at `endsAt`. */
export type EventForEntry = {
  eventId: string;
  orgId: string;
  /** Whether the pages show it: neither a draft nor of a hidden organization. */
  published: boolean;
  startsAt: number;
  endsAt: number;
  entry: EntrySettings | null;
  /** Grows with every change of the above, also when an event is made anew under the same id. */
  revision: number;
};

/** What photos must know of an event. */
export type EventForPhotos = {
  eventId: string;
  orgId: string;
  name: string;
  /** Whether the pages show it: neither a draft nor of a hidden organization. */
  published: boolean;
  /** A regular expression without its ends. */
  bibPattern: string;
  watermarkZones: WatermarkZone[];
  faceIndexing: boolean;
  /** Epoch milliseconds: from then on no face of the event is kept. */
  facesUntil: number;
};

/** What is told of a photographer beside their photos. */
export type CreditForPhotos = {
  photographerId: string;
  handle: string | null;
  displayName: string;
  /** ISO 8601: when it was last changed. */
  asOf: string;
};
