/** The same bytes under another name: the photo that is there gets the name. */

import { hasHeld } from "../platform/condition-failed.ts";
import { absent, all, is } from "../platform/conditions.ts";
import type { Action } from "../platform/ports.ts";
import { timeAfter } from "./change-photos.ts";
import { fileNameIn } from "./compose-photo.ts";
import { type ContentItem, contentKey, type PhotoItem, photoKey } from "./items.ts";
import type { EventPlace } from "./object-keys.ts";
import type { Photos } from "./photos.ts";

/** Nobody sends a photo under more names than these; who does must not fill the item. */
const MOST_NAMES = 20;
/** Somebody else gave it a name at the same time. */
const TRIES = 3;

/** `photo` is undefined while it is being worked on: who writes it takes the names along. */
export function addName(
  { clock }: Pick<Photos, "clock">,
  event: EventPlace,
  { content, photo, rawKey }: { content: ContentItem; photo: PhotoItem | undefined; rawKey: string },
): Action[] {
  const { ulid, sha256 } = content;
  const also = [...new Set([...content.also, rawKey])];
  const key = photoKey(event, ulid);
  const isAsRead = all(is("ulid", ulid), is("also", content.also));
  const named: Action = photo
    ? {
        update: key,
        set: { alsoUploadedAs: also.map(fileNameIn), updatedAt: timeAfter(photo.updatedAt, clock.now()) },
        if: is("updatedAt", photo.updatedAt),
      }
    : { check: key, if: absent("PK") };
  return [{ update: contentKey(event, sha256), set: { also }, if: isAsRead }, named];
}

/** For a file that need not be sent, since its bytes are there. The name is a courtesy: without it nothing is lost. */
export async function noteName(photos: Photos, event: EventPlace, sha256: string, rawKey: string): Promise<void> {
  const { table } = photos;
  for (let left = TRIES; left > 0; left -= 1) {
    const content = (await table.get(contentKey(event, sha256))) as ContentItem | undefined;
    if (!content || content.also.length >= MOST_NAMES) return;
    if ([content.rawKey, ...content.also].map(fileNameIn).includes(fileNameIn(rawKey))) return;
    const photo = (await table.get(photoKey(event, content.ulid))) as PhotoItem | undefined;
    if (await hasHeld(table.write(addName(photos, event, { content, photo, rawKey })))) return;
  }
}
