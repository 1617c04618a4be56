/** Changes many photos in one transaction, each only as it was read: whoever changes one at the same time loses nothing. */

import { ConditionFailed } from "../platform/condition-failed.ts";
import { is } from "../platform/conditions.ts";
import type { Action, Table, Update } from "../platform/ports.ts";
import { type PhotoItem, photoKey } from "./items.ts";
import type { Photos } from "./photos.ts";

const TRIES = 10;

export type PhotoChange = { set: NonNullable<Update["set"]>; remove?: string[] };

/** At most 100. Answers how many were changed; those that need no change are left alone. */
export async function changePhotos(
  { table, clock }: Pick<Photos, "table" | "clock">,
  read: PhotoItem[],
  changeOf: (photo: PhotoItem) => PhotoChange | undefined,
): Promise<number> {
  let changed = 0;
  let wanted = read;
  for (let left = TRIES; left > 0; left -= 1) {
    const updates = wanted.flatMap((photo) => updateOf(photo, changeOf(photo), clock.now()) ?? []);
    const failed = await writeWhatHolds(table, updates);
    changed += updates.length - failed.length;
    if (failed.length === 0) return changed;
    const keys = failed.map(({ update: { PK, SK } }) => ({ PK, SK }));
    wanted = (await table.batchGet(keys)).filter((item) => item !== undefined) as PhotoItem[];
  }
  throw new Error(`The photo ${wanted[0]?.ulid} kept changing.`);
}

function updateOf(photo: PhotoItem, change: PhotoChange | undefined, now: number): Update | undefined {
  if (!change) return undefined;
  const remove = (change.remove ?? []).filter((name) => name in photo);
  return {
    update: photoKey(photo, photo.ulid),
    set: { ...change.set, updatedAt: timeAfter(photo.updatedAt, now) },
    ...(remove.length > 0 && { remove }),
    if: is("updatedAt", photo.updatedAt),
  };
}

/** Another one than before, also within the same millisecond: by it others see that the photo changed. */
export function timeAfter(before: string, now: number): string {
  return new Date(Math.max(now, Date.parse(before) + 1)).toISOString();
}

/** At most 100, each on its own terms: answers those whose condition failed, the others are written. */
export async function writeWhatHolds<A extends Action>(table: Table, actions: A[]): Promise<A[]> {
  const failed: A[] = [];
  let left = actions;
  while (left.length > 0) {
    try {
      await table.write(left);
      break;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      const those = new Set(error.failures.map(({ action }) => action));
      failed.push(...left.filter((_, index) => those.has(index)));
      left = left.filter((_, index) => !those.has(index));
    }
  }
  return failed;
}
