/** What is due by time: jobs that nobody works on, what a death left undone, and faces whose time is over. */

import { removeLeft } from "./delete-photo.ts";
import { forgetOutlivedFaces } from "./forget-faces.ts";
import { hintDue } from "./jobs.ts";
import type { Photos } from "./photos.ts";
import { startLeft } from "./reprocess.ts";

/** Asking the registry about every event that has faces each second would be much, for dates. */
const LOOK_FOR_FACES_EVERY_MS = 60_000;

/** What fails of it does not keep the rest waiting. */
export function createTick(photos: Photos): () => Promise<void> {
  let facesAt = 0;
  return async () => {
    const now = photos.clock.now();
    const isTimeForFaces = now >= facesAt;
    if (isTimeForFaces) facesAt = now + LOOK_FOR_FACES_EVERY_MS;
    const due = [hintDue, startLeft, removeLeft, ...(isTimeForFaces ? [forgetOutlivedFaces] : [])];
    for (const work of due) await work(photos).catch(photos.onError);
  };
}
