/** Carries jobs on, page by page: for a while, and then leaves the rest to the next message. */

import { z } from "zod";
import type { Handler, Key } from "../platform/ports.ts";
import { forgetFacesOnPage } from "./forget-faces.ts";
import type { JobItem, JobKind } from "./items.ts";
import { hint, type Progress, saveProgress } from "./jobs.ts";
import type { Photos } from "./photos.ts";
import { removeEventPage } from "./remove-event.ts";
import { reprocessPage } from "./reprocess.ts";
import { syncPage } from "./sync-photographer.ts";

/** Well below the time after which the message would come to somebody else. */
const WHILE_MS = 20_000;

const JobKey = z.object({ PK: z.string(), SK: z.string() });

const PAGES: { [Kind in JobKind]: (photos: Photos, job: JobItem<Kind>) => Promise<Progress> } = {
  REPROCESS: reprocessPage,
  FORGET_FACES: forgetFacesOnPage,
  REMOVE_EVENT: removeEventPage,
  SYNC_PHOTOGRAPHER: syncPage,
};

/** A page that fails is told, and tried again when the job is due: no message is needed for that. */
export function workOnJobs(photos: Photos): Handler {
  return async (messages) => {
    for (const { body } of messages) {
      try {
        await carryOn(photos, JobKey.parse(JSON.parse(body)));
      } catch (error) {
        photos.onError(error);
      }
    }
    return [];
  };
}

async function carryOn(photos: Photos, key: Key): Promise<void> {
  const { table, clock } = photos;
  const endAt = clock.now() + WHILE_MS;
  for (;;) {
    const job = (await table.get(key)) as JobItem | undefined;
    if (!job || job.finishedAt !== undefined) return;
    const doPage = PAGES[job.kind] as (photos: Photos, job: JobItem) => Promise<Progress>;
    const progress = await doPage(photos, job);
    const isMine = await saveProgress(photos, job, progress);
    if (!isMine || progress.ended || progress.waitMs !== undefined) return;
    if (clock.now() >= endAt) return hint(photos, key);
  }
}
