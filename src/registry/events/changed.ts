/** Tells the other contexts, in the transaction of the change, which events they must look at again. */

import { sql, type Transaction } from "kysely";
import type { Clock } from "../../platform/ports.ts";
import { announce } from "../outbox.ts";
import type { RegistrySchema } from "../schema.ts";

export async function announceEventsChanged(
  transaction: Transaction<RegistrySchema>,
  eventIds: string[],
  clock: Clock,
): Promise<void> {
  if (eventIds.length === 0) return;
  const now = clock.now();
  await transaction
    .updateTable("events")
    .set({ revision: sql<number>`greatest(revision + 1, ${now}::float8)` })
    .where("event_id", "in", eventIds)
    .execute();
  const occurredAt = new Date(now).toISOString();
  await announce(
    transaction,
    eventIds.map((eventId) => ({ type: "event.changed", eventId, occurredAt })),
  );
}
