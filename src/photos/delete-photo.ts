/** Deletes a photo for good: its items in one transaction, then its objects and faces. */

import { hasHeld } from "../platform/condition-failed.ts";
import { absent, all, is } from "../platform/conditions.ts";
import type { Action, Page } from "../platform/ports.ts";
import { hasFaces, lacksBib, removeBib } from "./fan-out.ts";
import { executionName } from "./ingest.ts";
import {
  type ContentItem,
  contentKey,
  type PhotoItem,
  photoKey,
  REMOVALS_PARTITION,
  type UploadItem,
  uploadKey,
} from "./items.ts";
import { faceCollection, isProcessedKey, processedKey, thumbnailKey } from "./object-keys.ts";
import { photoIdOf } from "./photo-id.ts";
import type { Photos } from "./photos.ts";
import { isDuplicate, noPhoto } from "./reprocess.ts";
import { type Counts, findUpload, moveUpload, type UploadRef } from "./uploads.ts";

const TRIES = 10;
const REMOVALS_AT_ONCE = 100;

/** Its upload stays as deleted, so that no late message and no running work brings it back. Again changes nothing. */
export async function deletePhoto(photos: Photos, ref: UploadRef): Promise<void> {
  for (let left = TRIES; left > 0; left -= 1) {
    const upload = await findUpload(photos.table, ref);
    if (!upload) throw noPhoto(ref.ulid);
    if (upload.status === "DUPLICATE") throw isDuplicate(ref.ulid, upload.duplicateOf);
    const deleted = upload.status === "DELETED" ? upload : await markDeleted(photos, upload);
    if (!deleted) continue;
    // What fails here is found and done again by time.
    await removeRest(photos, deleted).catch(photos.onError);
    return;
  }
  throw new Error(`The photo ${ref.ulid} kept changing while it was to be deleted.`);
}

/** Answers nothing when something changed on the way. */
async function markDeleted(photos: Photos, upload: UploadItem): Promise<UploadItem | undefined> {
  const found = await findItems(photos, upload);
  const now = new Date(photos.clock.now()).toISOString();
  const { ulid, rawKey } = upload;
  const keys = [rawKey, processedKey(upload, ulid), thumbnailKey(upload, ulid), ...(found.content?.also ?? [])];
  const toRemove = { keys, faceIds: found.photo?.faceIds ?? [] };
  const set = { toRemove, GSI1PK: REMOVALS_PARTITION, GSI1SK: ulid };
  const moved = moveUpload(upload, "DELETED", { now, set, remove: ["failure"], counts: countsWithout(found.photo) });
  const isDone = await hasHeld(photos.table.write([...moved, ...itemRemovals(upload, found)]));
  return isDone ? { ...upload, status: "DELETED", toRemove } : undefined;
}

export type PhotoItems = { photo: PhotoItem | undefined; content: ContentItem | undefined };

/** What there is of a photo beside its upload. */
export async function findItems({ table }: Photos, upload: UploadRef): Promise<PhotoItems> {
  const photo = (await table.get(photoKey(upload, upload.ulid))) as PhotoItem | undefined;
  const content = photo && ((await table.get(contentKey(upload, photo.sha256))) as ContentItem | undefined);
  return { photo, content: content?.ulid === upload.ulid ? content : undefined };
}

/** As they were read, or not at all. */
export function itemRemovals(ref: UploadRef, { photo, content }: PhotoItems): Action[] {
  const key = photoKey(ref, ref.ulid);
  if (!photo) return [{ check: key, if: absent("PK") }];
  return [
    { delete: key, if: is("updatedAt", photo.updatedAt) },
    ...photo.bibs.flatMap((bib) => removeBib(photo, bib)),
    ...(content ? [claimRemoval(ref, content)] : []),
  ];
}

function claimRemoval(ref: UploadRef, { sha256, ulid, also }: ContentItem): Action {
  return { delete: contentKey(ref, sha256), if: all(is("ulid", ulid), is("also", also)) };
}

export function countsWithout(photo: PhotoItem | undefined): Partial<Counts> {
  return { withoutBib: -lacksBib(photo), withFaces: -hasFaces(photo) };
}

/** As long as an execution runs it may leave more; then nothing can any more, and the note goes. */
async function removeRest(photos: Photos, upload: UploadItem): Promise<void> {
  const { table, blobs, recognition, workflow } = photos;
  if (!upload.toRemove) return;
  const { keys, faceIds } = upload.toRemove;
  const execution = await workflow.status(executionName(upload));
  await blobs.delete(await ownKeys(photos, upload, keys));
  if (faceIds.length > 0) await recognition.deleteFaces(faceCollection(upload), faceIds);
  if (execution?.status === "RUNNING") return;
  const key = uploadKey(upload, upload.ulid);
  const done = { update: key, remove: ["toRemove", "GSI1PK", "GSI1SK"], if: is("status", "DELETED") };
  await hasHeld(table.write([done]));
}

/** Under the key of an original there may be another file by now, which is another photo. */
async function ownKeys({ table, blobs, bucket }: Photos, upload: UploadItem, keys: string[]): Promise<string[]> {
  const own: string[] = [];
  for (const key of keys) {
    if (isProcessedKey(key)) own.push(key);
    else {
      const head = await blobs.head(key);
      if (!head) continue;
      const { orgId, eventId } = upload;
      const ulid = photoIdOf(bucket, head);
      const isOwn =
        ulid === upload.ulid || (await findUpload(table, { orgId, eventId, ulid }))?.duplicateOf === upload.ulid;
      if (isOwn) own.push(key);
    }
  }
  return own;
}

/** For the tick: deleted photos of which something is left. */
export async function removeLeft(photos: Photos): Promise<void> {
  let cursor: string | undefined;
  do {
    const page = (await photos.table.query({
      index: "GSI1",
      partition: REMOVALS_PARTITION,
      limit: REMOVALS_AT_ONCE,
      ...(cursor !== undefined && { cursor }),
    })) as Page<UploadItem>;
    for (const each of page.items) {
      const upload = await findUpload(photos.table, each);
      if (upload) await removeRest(photos, upload).catch(photos.onError);
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
}
