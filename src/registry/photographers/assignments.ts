/** Who photographs which event. */

import { z } from "zod";
import { encodeCursor } from "../../platform/cursor.ts";
import { cutPage, type PageRequest, readCursor } from "../../platform/http/paging.ts";
import type { Page } from "../../platform/ports.ts";
import { Problem } from "../../platform/problem.ts";
import { type PublicEvent, showPublicEvent } from "../events/event.ts";
import { noEvent } from "../events/remove.ts";
import type { Registry } from "../registry.ts";
import { line } from "../settings.ts";
import { refuseOrphan } from "../violations.ts";
import { Credit, showCredit } from "./photographer.ts";
import { noPhotographer } from "./photographers.ts";

export const Role = line(50).meta({ description: "What they do there.", example: "finish line" });

export const Assignment = Credit.extend({ role: z.string(), assignedAt: z.string() }).meta({ id: "Assignment" });
export type Assignment = z.infer<typeof Assignment>;

export async function listAssignments({ db }: Registry, eventId: string, page: PageRequest): Promise<Page<Assignment>> {
  let query = db
    .selectFrom("event_photographers")
    .innerJoin("photographers", "photographers.photographer_id", "event_photographers.photographer_id")
    .selectAll("photographers")
    .select(["event_photographers.role", "event_photographers.assigned_at"])
    .where("event_photographers.event_id", "=", eventId)
    .orderBy("event_photographers.photographer_id")
    .limit(page.limit + 1);
  if (page.cursor) {
    query = query.where("event_photographers.photographer_id", ">", readCursor(page.cursor, ["id"]).id);
  }
  const rows = await query.execute();
  return cutPage(
    rows,
    page.limit,
    (row) => ({ ...showCredit(row), role: row.role, assignedAt: row.assigned_at.toISOString() }),
    (row) => encodeCursor({ id: row.photographer_id }),
  );
}

/** Any active photographer can be assigned, whoever registered them; again only changes the role. */
export async function assignPhotographer(
  { db }: Registry,
  which: { eventId: string; photographerId: string },
  role: string,
): Promise<void> {
  const assigned = await db
    .insertInto("event_photographers")
    .columns(["event_id", "photographer_id", "role"])
    .expression(
      db
        .selectFrom("photographers")
        .select(({ val }) => [val(which.eventId).as("event_id"), "photographer_id", val(role).as("role")])
        .where("photographer_id", "=", which.photographerId)
        .where("active", "=", true),
    )
    .onConflict((conflict) => conflict.columns(["event_id", "photographer_id"]).doUpdateSet({ role }))
    .executeTakeFirst()
    .catch(refuseOrphan(noEvent(which.eventId)));
  if (assigned.numInsertedOrUpdatedRows === 0n) throw noPhotographer(which.photographerId);
}

export async function endAssignment(
  { db }: Registry,
  { eventId, photographerId }: { eventId: string; photographerId: string },
): Promise<void> {
  const removed = await db
    .deleteFrom("event_photographers")
    .where("event_id", "=", eventId)
    .where("photographer_id", "=", photographerId)
    .executeTakeFirst();
  if (removed.numDeletedRows > 0n) return;
  throw new Problem("missing", "assignment.not-found", `${photographerId} is not assigned to ${eventId}.`);
}

export async function isAssigned({ db }: Registry, eventId: string, photographerIds: string[]): Promise<boolean> {
  const row = await db
    .selectFrom("event_photographers")
    .select("event_id")
    .where("event_id", "=", eventId)
    .where("photographer_id", "in", photographerIds)
    .executeTakeFirst();
  return row !== undefined;
}

/** The events a photographer is assigned to, by id; drafts too, since they may upload to them. */
export async function listAssignedEvents(
  { db }: Registry,
  photographerIds: string[],
  page: PageRequest,
): Promise<Page<PublicEvent>> {
  let query = db
    .selectFrom("events")
    .innerJoin("organizers", "organizers.organizer_id", "events.organizer_id")
    .selectAll("events")
    .select(["organizers.name as organizer_name", "organizers.subdomain", "organizers.branding"])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("event_photographers")
          .select("event_photographers.event_id")
          .whereRef("event_photographers.event_id", "=", "events.event_id")
          .where("event_photographers.photographer_id", "in", photographerIds),
      ),
    )
    .orderBy("events.event_id")
    .limit(page.limit + 1);
  if (page.cursor) query = query.where("events.event_id", ">", readCursor(page.cursor, ["eventId"]).eventId);
  return cutPage(await query.execute(), page.limit, showPublicEvent, (row) => encodeCursor({ eventId: row.event_id }));
}
