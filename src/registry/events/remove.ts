/** Removing events: the other contexts hear of each, in the same transaction. */

import type { Transaction } from "kysely";
import { Problem } from "../../platform/problem.ts";
import { announce } from "../outbox.ts";
import type { Registry } from "../registry.ts";
import type { RegistrySchema } from "../schema.ts";

export async function removeEvent({ db, carrySoon }: Registry, eventId: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await announceEventsRemoved(transaction, { eventId });
    const removed = await transaction.deleteFrom("events").where("event_id", "=", eventId).executeTakeFirst();
    if (removed.numDeletedRows === 0n) throw noEvent(eventId);
  });
  carrySoon();
}

export async function announceEventsRemoved(
  transaction: Transaction<RegistrySchema>,
  which: { eventId: string } | { orgId: string },
): Promise<void> {
  const rows = await transaction
    .selectFrom("events")
    .select(["event_id", "organizer_id", "revision"])
    .where("eventId" in which ? "event_id" : "organizer_id", "=", "eventId" in which ? which.eventId : which.orgId)
    // A change that is just being made is waited for, or its revision would be later than the last one told.
    .forUpdate()
    .execute();
  const occurredAt = new Date().toISOString();
  const messages = rows.map((row) => ({
    eventId: row.event_id,
    orgId: row.organizer_id,
    revision: row.revision,
    occurredAt,
  }));
  await announce(
    transaction,
    messages.map((message) => ({ type: "event.removed", ...message })),
  );
}

export function noEvent(eventId: string): Problem {
  return new Problem("missing", "event.not-found", `There is no event ${eventId}.`);
}
