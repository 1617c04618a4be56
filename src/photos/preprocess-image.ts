/** The workflow's first task: the object becomes a photo and a thumbnail, and its bytes the event's own. */

import { createHash } from "node:crypto";
import { hasHeld } from "../platform/condition-failed.ts";
import { absent, is } from "../platform/conditions.ts";
import { type ContentItem, contentKey } from "./items.ts";
import { type EventPlace, processedKey, thumbnailKey } from "./object-keys.ts";
import { photoIdOf } from "./photo-id.ts";
import { MAX_PHOTO_BYTES, tooLarge } from "./photo-size.ts";
import type { Photos } from "./photos.ts";
import { keepPicture } from "./pictures-just-made.ts";
import type { Processed } from "./preprocess.ts";
import { orUnusable, UnusablePhoto } from "./unusable-photo.ts";
import { findUpload } from "./uploads.ts";
import type { PreprocessedPhoto, WorkflowInput } from "./workflow-data.ts";

const JPEG = { contentType: "image/jpeg" };

export async function preprocessImage(photos: Photos, input: WorkflowInput): Promise<PreprocessedPhoto> {
  const { head, bytes } = await readOriginal(photos, input.rawKey);
  const ulid = photoIdOf(photos.bucket, head);
  await checkWanted(photos, input, ulid);
  // Loaded with the first photo: a server that only takes entries does without libvips.
  const { preprocess } = await import("./preprocess.ts");
  const processed = await preprocess(bytes).catch((error: unknown) => {
    throw orUnusable(error);
  });
  const { orgId, eventId, rawKey } = input;
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const duplicateOf = await claimContent(photos, { orgId, eventId }, { sha256, ulid, rawKey });
  const keys = { processedKey: processedKey(input, ulid), thumbnailKey: thumbnailKey(input, ulid) };
  if (duplicateOf === undefined) await storeProcessed(photos, keys, processed);
  const { jpeg: _, thumbnail: __, ...kept } = processed;
  return {
    ...input,
    ...keys,
    ...kept,
    ulid,
    sha256,
    size: bytes.byteLength,
    createdAt: new Date(head.createdAt).toISOString(),
    ...(duplicateOf !== undefined && { duplicateOf }),
  };
}

async function readOriginal({ blobs }: Photos, key: string) {
  const found = await blobs.getWhole(key, MAX_PHOTO_BYTES);
  if (!found) throw new UnusablePhoto("photo.gone", "The uploaded file was removed before it was looked at.");
  if (!found.bytes) throw orUnusable(tooLarge());
  return { head: found.head, bytes: found.bytes };
}

/** The object under a key may be another one by now, which has its own message, or the photo was deleted. */
async function checkWanted({ table }: Photos, event: EventPlace, ulid: string): Promise<void> {
  const upload = await findUpload(table, { ...event, ulid });
  if (!upload) throw new UnusablePhoto("photo.replaced", "Another file was uploaded under the same name.");
  if (upload.status === "DELETED") throw new UnusablePhoto("photo.deleted", "The photo was deleted.");
}

/** Answers the photo that has the same bytes, if they were there first and it is not given up. */
async function claimContent(
  { table }: Photos,
  event: EventPlace,
  { sha256, ulid, rawKey }: { sha256: string; ulid: string; rawKey: string },
): Promise<string | undefined> {
  const key = contentKey(event, sha256);
  const claim: ContentItem = { ...key, EntityType: "CONTENT", sha256, ulid, rawKey, also: [] };
  for (;;) {
    const holder = (await table.get(key)) as ContentItem | undefined;
    if (holder?.ulid === ulid) return undefined;
    const first = holder && (await findUpload(table, { ...event, ulid: holder.ulid }));
    if (first && first.status !== "FAILED" && first.status !== "DELETED") return holder.ulid;
    const condition = holder ? is("ulid", holder.ulid) : absent("PK");
    if (await hasHeld(table.write([{ put: claim, if: condition }]))) return undefined;
  }
}

async function storeProcessed(
  { blobs }: Photos,
  { processedKey, thumbnailKey }: { processedKey: string; thumbnailKey: string },
  { jpeg, thumbnail }: Processed,
): Promise<void> {
  const [head] = await Promise.all([blobs.put(processedKey, jpeg, JPEG), blobs.put(thumbnailKey, thumbnail, JPEG)]);
  keepPicture(blobs, head, jpeg);
}
