/** What happens when an object is there: one execution of the workflow, however often the message comes. */

import { hasHeld } from "../platform/condition-failed.ts";
import { ObjectCreated } from "../platform/object-created.ts";
import type { Handler } from "../platform/ports.ts";
import { eachMessage } from "../platform/queue-work.ts";
import type { UploadItem } from "./items.ts";
import { isProcessedKey, parseRawKey } from "./object-keys.ts";
import { photoIdOf } from "./photo-id.ts";
import { photographerIn } from "./photographer-metadata.ts";
import type { Photos } from "./photos.ts";
import { beginUpload, findUpload } from "./uploads.ts";

export function ingestUploads(photos: Photos): Handler {
  return eachMessage(ObjectCreated, ({ detail }) => ingest(photos, detail.object.key));
}

async function ingest(photos: Photos, key: string): Promise<void> {
  if (isProcessedKey(key)) return;
  const place = parseRawKey(key);
  if (!place) return photos.onSkip({ key, why: "It is not {organization}/{event}/raw/{file}." });
  const event = await photos.events.read(place.eventId);
  if (event?.orgId !== place.orgId) return photos.onSkip({ key, why: "There is no such event." });
  const head = await photos.blobs.head(key);
  // Deleted, or replaced by one that has its own message.
  if (!head) return;
  const { orgId, eventId } = place;
  const photographerId = photographerIn(head.metadata);
  const about = {
    orgId,
    eventId,
    ulid: photoIdOf(photos.bucket, head),
    rawKey: key,
    uploadedAt: new Date(head.createdAt).toISOString(),
    ...(photographerId !== undefined && { photographerId }),
  };
  const now = new Date(photos.clock.now()).toISOString();
  const isNew = await hasHeld(photos.table.write(beginUpload(about, now)));
  const upload = isNew ? { ...about, attempt: 1, status: "PROCESSING" } : await findUpload(photos.table, about);
  if (upload?.status === "PROCESSING") await startWork(photos, upload as UploadItem);
}

/** Each attempt is an execution of its own, and starting it again changes nothing. */
export async function startWork(
  { workflow, bucket }: Photos,
  { orgId, eventId, ulid, rawKey, photographerId, attempt }: UploadItem,
): Promise<void> {
  const input = { orgId, eventId, bucketName: bucket, rawKey, ...(photographerId !== undefined && { photographerId }) };
  await workflow.start(executionName({ ulid, attempt }), input);
}

export const executionName = ({ ulid, attempt }: { ulid: string; attempt: number }) => `${ulid}-${attempt}`;

export function executionOf(name: string): { ulid: string; attempt: number } | undefined {
  const [, ulid, attempt] = /^([0-9A-Z]{26})-(\d+)$/.exec(name) ?? [];
  return ulid && attempt ? { ulid, attempt: Number(attempt) } : undefined;
}
