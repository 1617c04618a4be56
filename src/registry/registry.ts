/** What the registry's use cases work with. */

import type { Clock } from "../platform/ports.ts";
import type { RegistryDatabase } from "./database.ts";
import type { Outbox } from "./outbox.ts";
import type { EntrySettings } from "./settings.ts";
import type { Revocations } from "./sign-in/revocations.ts";

export type EntryChange = { eventId: string; before: EntrySettings | null; after: EntrySettings | null };

export type Registry = {
  db: RegistryDatabase;
  clock: Clock;
  revocations: Pick<Revocations, "revoke">;
  carrySoon: Outbox["carrySoon"];
  /** Throws a Problem if entries that are there already forbid the change. */
  checkEntryChange(change: EntryChange): Promise<void>;
};
