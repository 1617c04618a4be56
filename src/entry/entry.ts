/** What entry's use cases work with: the engines, and what only this process knows. */

import type { Fresh } from "../platform/fresh.ts";
import type { Blobs, Clock, Queue, QueueSettings, Table } from "../platform/ports.ts";
import type { EventForEntry } from "../registry/events.ts";
import type { ConfigItem } from "./items.ts";
import type { LineUp } from "./line-up.ts";
import type { Live } from "./live.ts";
import type { Participation } from "./participate.ts";

export const requestQueue: { name: string; settings: QueueSettings } = {
  name: "ParticipationRequests",
  settings: { visibilityMs: 30_000, maxReceives: 10 },
};

/** What entry asks of the registry. */
export type EntryFacts = { eventForEntry(eventId: string): Promise<EventForEntry | undefined> };

export type EntryParts = {
  table: Table;
  /** Carries every request to the workers. */
  requests: Queue;
  /** Tells the registry who got a place. */
  messages: Queue;
  /** Lists of entrants and proofs. */
  draws: Blobs;
  clock: Clock;
  facts: EntryFacts;
  /** ULIDs that grow within this process. */
  newRequestId(): string;
  /** The secret of a lottery. */
  newSeed(): string;
  onError(error: unknown): void;
};

export type Entry = EntryParts & {
  /** As they were a moment ago, for the many who ask for a place; what must be exact is checked with the ticket. */
  configs: Fresh<ConfigItem>;
  /** The requests of this process on their way to a ticket. */
  lineUp: LineUp;
  /** Who is just asking through this process, by their lock. */
  asking: Map<string, Promise<Participation>>;
  live: Live;
  /** Lines being settled by this process now, so that it never competes with itself. */
  settling: Map<string, Promise<boolean>>;
};
