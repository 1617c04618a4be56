/** The workflow's last task: the photo and its index items, in one transaction, as often as it may be run. */

import { isDeepStrictEqual } from "node:util";
import { hasHeld } from "../platform/condition-failed.ts";
import { absent, is } from "../platform/conditions.ts";
import type { Action } from "../platform/ports.ts";
import { bibRules } from "./bib-rules.ts";
import { readBibs } from "./bibs.ts";
import { timeAfter } from "./change-photos.ts";
import { composePhoto, withoutIds } from "./compose-photo.ts";
import {
  type BibIndexItem,
  bibCountKey,
  bibIndexKey,
  bibPartition,
  type ContentItem,
  contentKey,
  type PhotoItem,
  photoKey,
  photoSort,
  type UploadItem,
} from "./items.ts";
import { findJob } from "./jobs.ts";
import { faceCollection } from "./object-keys.ts";
import { addName } from "./other-names.ts";
import type { Photos } from "./photos.ts";
import { UnusablePhoto } from "./unusable-photo.ts";
import { counted, findUpload, moveUpload } from "./uploads.ts";
import type { AnalyzedPhoto } from "./workflow-data.ts";

/** Somebody else changed the photo meanwhile: corrections and copies are rare. */
const TRIES = 10;

export async function fanOut(photos: Photos, photo: AnalyzedPhoto): Promise<{ ok: true }> {
  for (let left = TRIES; left > 0; left -= 1) {
    const upload = await findUpload(photos.table, photo);
    if (!upload || upload.status === "DELETED") return discard(photos, photo);
    const isDone =
      photo.duplicateOf === undefined
        ? await writePhoto(photos, photo, upload)
        : await markDuplicate(photos, photo, upload);
    if (isDone) return { ok: true };
  }
  throw new Error(`The photo ${photo.ulid} kept changing while it was written.`);
}

/** The photo was deleted while it was being worked on: what this work left goes too. */
async function discard(photos: Photos, photo: AnalyzedPhoto): Promise<never> {
  await photos.blobs.delete([photo.processedKey, photo.thumbnailKey]);
  await photos.recognition.deleteFaces(faceCollection(photo), photo.indexFacesResult.faceIds);
  await hasHeld(photos.table.write([{ delete: contentKey(photo, photo.sha256), if: is("ulid", photo.ulid) }]));
  throw new UnusablePhoto("photo.deleted", "The photo was deleted.");
}

/** Answers false when something changed on the way. */
async function writePhoto(photos: Photos, photo: AnalyzedPhoto, upload: UploadItem): Promise<boolean> {
  const { table, clock, facts } = photos;
  const [before, content] = (await table.batchGet([photoKey(photo, photo.ulid), contentKey(photo, photo.sha256)])) as [
    PhotoItem | undefined,
    ContentItem | undefined,
  ];
  const credit = photo.photographerId === undefined ? undefined : await facts.creditForPhotos(photo.photographerId);
  const also = content?.ulid === photo.ulid ? content.also : [];
  const composed = composePhoto(photo, { reading: await readingOf(photos, photo), credit, also });
  const areGone = await areForgotten(photos, photo);
  const found = areGone ? { ...composed, ...withoutIds(photo.indexFacesResult.faces) } : composed;
  const now = new Date(clock.now()).toISOString();
  const isSame = before !== undefined && isDeepStrictEqual({ ...before, updatedAt: "" }, { ...found, updatedAt: "" });
  const changedAt = before ? timeAfter(before.updatedAt, clock.now()) : now;
  const after: PhotoItem = { ...found, updatedAt: isSame ? before.updatedAt : changedAt } as PhotoItem;
  const actions = [
    ...(isSame ? [] : photoActions(after, before)),
    ...statusActions(upload, after, before, now),
    ...(also.length > 0 ? [{ check: contentKey(photo, photo.sha256), if: is("also", also) }] : []),
  ];
  if (actions.length > 0 && !(await hasHeld(table.write(actions)))) return false;
  await forgetStaleFaces(photos, after, [...(before?.faceIds ?? []), ...photo.indexFacesResult.faceIds]);
  if (!areGone && (await areForgotten(photos, photo))) return false;
  return credit === undefined || (await facts.creditForPhotos(credit.photographerId))?.asOf === credit.asOf;
}

async function readingOf(photos: Photos, photo: AnalyzedPhoto) {
  const event = await photos.events.read(photo.eventId);
  if (!event) throw new UnusablePhoto("event.not-found", `There is no event ${photo.eventId} any more.`);
  const rules = bibRules(event, await photos.rosters.read(photo.eventId));
  return readBibs(
    photo.detectTextResult.rawText,
    photo.indexFacesResult.faces.map(({ box }) => box),
    rules,
  );
}

/** The photo, and the index items of the bibs that came or went. */
export function photoActions(after: PhotoItem, before: PhotoItem | undefined): Action[] {
  const condition = before ? is("updatedAt", before.updatedAt) : absent("PK");
  const old = new Set(before?.bibs);
  const now = new Set(after.bibs);
  return [
    { put: after, if: condition },
    ...[...now]
      .filter((bib) => !old.has(bib))
      .flatMap((bib) => [{ put: bibIndexItem(after, bib) }, tally(after, bib, 1)]),
    ...[...old].filter((bib) => !now.has(bib)).flatMap((bib) => removeBib(after, bib)),
  ];
}

export function removeBib(photo: PhotoItem, bib: string): Action[] {
  return [{ delete: bibIndexKey(photo, bib, photo.ulid) }, tally(photo, bib, -1)];
}

function tally(photo: PhotoItem, bib: string, by: number): Action {
  return { update: bibCountKey(photo, bib), set: { EntityType: "BIB_COUNT", bib }, add: { photos: by } };
}

function bibIndexItem({ orgId, eventId, ulid, createdAt, links }: PhotoItem, bib: string): BibIndexItem {
  return {
    ...bibIndexKey({ orgId, eventId }, bib, ulid),
    GSI1PK: bibPartition(eventId, bib),
    GSI1SK: photoSort(ulid),
    EntityType: "BIB_INDEX",
    ulid,
    orgId,
    eventId,
    bib,
    createdAt,
    linkedBy: links.find((link) => link.bib === bib)?.by ?? "TEXT",
  };
}

function statusActions(upload: UploadItem, after: PhotoItem, before: PhotoItem | undefined, now: string): Action[] {
  const counts = {
    withoutBib: lacksBib(after) - lacksBib(before),
    withFaces: hasFaces(after) - hasFaces(before),
  };
  if (upload.status !== "PROCESSING") return counted(upload, counts);
  return moveUpload(upload, "DONE", { now, counts, remove: ["failure", "duplicateOf"] });
}

export const lacksBib = (photo: PhotoItem | undefined) => (photo && photo.bibCount === 0 ? 1 : 0);
export const hasFaces = (photo: PhotoItem | undefined) => (photo && photo.faceCount > 0 ? 1 : 0);

/** Whether the event's faces were forgotten since these were indexed: who forgets them does not see a photo that is not written yet. */
async function areForgotten(photos: Photos, { orgId, eventId, indexFacesResult }: AnalyzedPhoto): Promise<boolean> {
  const { faceIds, indexedAt } = indexFacesResult;
  if (faceIds.length === 0 || indexedAt === undefined) return false;
  const goneAt = (await findJob(photos, { kind: "FORGET_FACES", orgId, eventId }))?.collectionGoneAt;
  return goneAt !== undefined && indexedAt <= goneAt;
}

async function forgetStaleFaces(photos: Photos, after: PhotoItem, known: string[]): Promise<void> {
  const stale = [...new Set(known)].filter((faceId) => !after.faceIds.includes(faceId));
  if (stale.length > 0) await photos.recognition.deleteFaces(faceCollection(after), stale);
}

/** The same bytes under another name: the photo that is there gets the name, and nothing else is kept. */
async function markDuplicate(photos: Photos, photo: AnalyzedPhoto, upload: UploadItem): Promise<boolean> {
  const { table, clock } = photos;
  if (upload.status !== "PROCESSING") return true;
  const ulid = photo.duplicateOf as string;
  const key = contentKey(photo, photo.sha256);
  const [content, original] = (await table.batchGet([key, photoKey(photo, ulid)])) as [
    ContentItem | undefined,
    PhotoItem | undefined,
  ];
  // The photo went away since: its bytes are this upload's now, in another execution.
  if (content?.ulid !== ulid) throw new Error(`The photo ${ulid} with the same bytes is gone.`);
  const now = new Date(clock.now()).toISOString();
  return hasHeld(
    table.write([
      ...moveUpload(upload, "DUPLICATE", { now, set: { duplicateOf: ulid }, remove: ["failure"] }),
      ...addName(photos, photo, { content, photo: original, rawKey: photo.rawKey }),
    ]),
  );
}
