/** Whose photos an upload brings: the caller's own, or those of somebody they may act for. */

import type { Actor } from "../platform/actor.ts";
import { Problem } from "../platform/problem.ts";
import type { EventForPhotos } from "../registry/events.ts";
import type { Photos } from "./photos.ts";
import { organizes } from "./visible-event.ts";

/** Nobody's, if an organizer or an operator names none. */
export async function photographerOf(
  { facts }: Pick<Photos, "facts">,
  event: EventForPhotos,
  actor: Actor,
  wanted: string | undefined,
): Promise<string | undefined> {
  const { eventId } = event;
  if (wanted === undefined) return ownPhotographer(facts, eventId, actor);
  if (!actor.photographers.includes(wanted) && !organizes(actor, event)) {
    const sentence = `You are not the photographer ${wanted}. Leave it out, or give your own.`;
    throw new Problem("forbidden", "upload.other-photographer", sentence);
  }
  if (await facts.isAssigned(eventId, [wanted])) return wanted;
  const sentence = `The photographer ${wanted} is not assigned to ${eventId}. Assign them first, or give another.`;
  throw new Problem("invalid", "upload.photographer-not-assigned", sentence);
}

/** Whose uploads are looked at. Organizers look at anybody's, also of those who are assigned no more. */
export async function photographerSeen(
  photos: Pick<Photos, "facts">,
  event: EventForPhotos,
  actor: Actor,
  wanted: string | undefined,
): Promise<string | undefined> {
  if (wanted !== undefined && organizes(actor, event)) return wanted;
  return photographerOf(photos, event, actor, wanted);
}

async function ownPhotographer(facts: Photos["facts"], eventId: string, { photographers }: Actor) {
  const assigned: string[] = [];
  for (const id of photographers) if (await facts.isAssigned(eventId, [id])) assigned.push(id);
  if (assigned.length <= 1) return assigned[0];
  const sentence = `You are several photographers of ${eventId}. Say whose photos these are: ${assigned.join(", ")}.`;
  throw new Problem("invalid", "upload.which-photographer", sentence);
}
