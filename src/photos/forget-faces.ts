/** Forgets an event's faces, when the organizer asks or their time is over: first the faces, then the ids that photos have of them. */

import type { Page } from "../platform/ports.ts";
import { changePhotos, type PhotoChange } from "./change-photos.ts";
import { withoutIds } from "./compose-photo.ts";
import {
  eventPartition,
  FACES_PARTITION,
  type FacesItem,
  facesKey,
  type JobItem,
  PHOTO_PREFIX,
  type PhotoItem,
} from "./items.ts";
import { beginJob, type Progress } from "./jobs.ts";
import { type EventPlace, faceCollection } from "./object-keys.ts";
import type { Photos } from "./photos.ts";

const PHOTOS_AT_ONCE = 100;
const EVENTS_AT_ONCE = 100;

/** One that is under way begins anew: since it deleted the collection, other faces may have come. */
export async function beginForgetting(
  photos: Photos,
  { orgId, eventId }: EventPlace,
): Promise<JobItem<"FORGET_FACES">> {
  return (await beginJob(photos, { kind: "FORGET_FACES", orgId, eventId })) as JobItem<"FORGET_FACES">;
}

export async function forgetFacesOnPage(photos: Photos, job: JobItem<"FORGET_FACES">): Promise<Progress> {
  if (job.collectionGoneAt === undefined) {
    await deleteCollection(photos, job);
    return { set: { collectionGoneAt: new Date(photos.clock.now()).toISOString() } };
  }
  const { collectionGoneAt } = job;
  const { items, cursor } = await photos.table.query({
    partition: eventPartition(job),
    sort: { beginsWith: PHOTO_PREFIX },
    limit: PHOTOS_AT_ONCE,
    ...(job.cursor !== undefined && { cursor: job.cursor }),
  });
  const changed = await changePhotos(photos, items as PhotoItem[], (photo) => withoutFaceIds(photo, collectionGoneAt));
  const counts = { seen: items.length, changed };
  return cursor === undefined ? { ...counts, ended: "finished" } : { ...counts, cursor };
}

/** In this order: who indexes a face meanwhile notes afterwards that the event has some, and no face is there unnoted. */
export async function deleteCollection({ table, recognition }: Photos, event: EventPlace): Promise<void> {
  await table.write([{ delete: facesKey(event) }]);
  await recognition.deleteCollection(faceCollection(event));
}

/** A photo written later may have faces of a new collection. */
function withoutFaceIds({ updatedAt, faceIds, faces }: PhotoItem, goneAt: string): PhotoChange | undefined {
  if (faceIds.length === 0 || updatedAt > goneAt) return undefined;
  return { set: withoutIds(faces) };
}

/** For the tick. That an event indexes no more faces is no reason: those that are there can still be searched. */
export async function forgetOutlivedFaces(photos: Photos): Promise<void> {
  const { table, facts, clock } = photos;
  let cursor: string | undefined;
  do {
    const page = (await table.query({
      index: "GSI2",
      partition: FACES_PARTITION,
      limit: EVENTS_AT_ONCE,
      ...(cursor !== undefined && { cursor }),
    })) as Page<FacesItem>;
    for (const { orgId, eventId } of page.items) {
      const event = await facts.eventForPhotos(eventId);
      const isOver = event?.orgId !== orgId || clock.now() >= event.facesUntil;
      if (isOver) await beginForgetting(photos, { orgId, eventId });
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
}
