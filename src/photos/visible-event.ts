/** Who sees an event's photos: everybody once it is published, and before that those who work on it. */

import type { Actor } from "../platform/actor.ts";
import { Problem } from "../platform/problem.ts";
import type { EventForPhotos } from "../registry/events.ts";
import type { Photos } from "./photos.ts";

type Seen = Pick<Photos, "events" | "facts">;

/** @throws a Problem when there is none, or none for them. */
export async function findVisibleEvent(photos: Seen, eventId: string, actor: Actor | undefined) {
  const event = await photos.events.read(eventId);
  if (event && (await isVisible(photos, event, actor))) return event;
  throw noEvent(eventId);
}

export async function isVisible({ facts }: Seen, event: EventForPhotos, actor: Actor | undefined): Promise<boolean> {
  if (event.published) return true;
  if (!actor) return false;
  if (organizes(actor, event)) return true;
  return actor.photographers.length > 0 && facts.isAssigned(event.eventId, actor.photographers);
}

export function organizes(actor: Actor | undefined, { orgId }: EventForPhotos): boolean {
  return actor !== undefined && (actor.operator || actor.organizations.includes(orgId));
}

export function noEvent(eventId: string): Problem {
  return new Problem("missing", "event.not-found", `There is no event ${eventId}.`);
}
