/** A photographer's new handle or name, on its way to all their photos. */

import { absent, any, below } from "../platform/conditions.ts";
import type { RegistryMessage } from "../registry/events.ts";
import { changePhotos, type PhotoChange } from "./change-photos.ts";
import { type JobItem, type PhotoItem, photographerPartition } from "./items.ts";
import { beginJob, findJob, hint, type Progress } from "./jobs.ts";
import type { Photos } from "./photos.ts";

/** As many as fit into one transaction. */
const PHOTOS_AT_ONCE = 100;

type PhotographerChanged = Extract<RegistryMessage, { type: "photographer.changed" }>;

/** Messages may overtake each other: an older one has nothing to say any more. */
export async function beginSync(photos: Photos, message: PhotographerChanged): Promise<void> {
  const { photographerId, handle, displayName, occurredAt: asOf } = message;
  const work = { kind: "SYNC_PHOTOGRAPHER" as const, photographerId, handle, displayName, asOf };
  if (await beginJob(photos, work, any(absent("PK"), below("asOf", asOf)))) return;
  const job = await findJob(photos, work);
  if (job && job.finishedAt === undefined) await hint(photos, job);
}

/** A photo that is fanned out meanwhile is right too: fan-out looks at the credit once more after writing. */
export async function syncPage(photos: Photos, job: JobItem<"SYNC_PHOTOGRAPHER">): Promise<Progress> {
  const { items, cursor } = await photos.table.query({
    index: "GSI2",
    partition: photographerPartition(job.photographerId),
    limit: PHOTOS_AT_ONCE,
    ...(job.cursor !== undefined && { cursor: job.cursor }),
  });
  const changed = await changePhotos(photos, items as PhotoItem[], (photo) => creditChange(photo, job));
  const counts = { seen: items.length, changed };
  return cursor === undefined ? { ...counts, ended: "finished" } : { ...counts, cursor };
}

function creditChange(photo: PhotoItem, job: JobItem<"SYNC_PHOTOGRAPHER">): PhotoChange | undefined {
  const { handle, displayName, asOf } = job;
  // Another photographer's by now, by a correction that the index does not show yet; or one that knows better.
  if (photo.photographerId !== job.photographerId || (photo.photographerAsOf ?? "") >= asOf) return undefined;
  if (photo.photographerHandle === (handle ?? undefined) && photo.photographerDisplayName === displayName)
    return undefined;
  return {
    set: {
      photographerDisplayName: displayName,
      photographerAsOf: asOf,
      ...(handle !== null && { photographerHandle: handle }),
    },
    ...(handle === null && { remove: ["photographerHandle"] }),
  };
}
