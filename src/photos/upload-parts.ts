/** A large file's parts: which are there, where to send the others, and the object they become. */

import type { BlobHead, PartsUpload, SignedUpload } from "../platform/ports.ts";
import { Problem } from "../platform/problem.ts";
import { type EventPlace, parseRawKey } from "./object-keys.ts";
import type { Photos } from "./photos.ts";
import { checkPhotoSize } from "./upload-names.ts";

/** What is lost when a connection breaks; S3 takes no less than 5 MiB. */
const PART_BYTES = 8 * 1024 * 1024;
const URL_LIFE_MS = 3_600_000;

export type PartAnswer =
  | { part: number; sizeBytes: number; state: "sent" }
  | { part: number; sizeBytes: number; state: "upload"; upload: SignedUpload };

/** The size of each, the first to the last. */
export function partsOf(sizeBytes: number): { partSizeBytes: number; sizes: number[] } {
  const count = Math.ceil(sizeBytes / PART_BYTES);
  const sizes = Array.from({ length: count }, (_, n) => Math.min(PART_BYTES, sizeBytes - n * PART_BYTES));
  return { partSizeBytes: PART_BYTES, sizes };
}

/** To begin, to go on after a break, and for new URLs when they have expired. */
export async function findParts(
  { blobs, clock }: Photos,
  event: EventPlace,
  { sizeBytes, ...upload }: PartsUpload & { sizeBytes: number },
): Promise<{ partSizeBytes: number; parts: PartAnswer[]; expiresAt: string }> {
  checkOwnKey(event, upload.key);
  checkPhotoSize(sizeBytes);
  const sent = await blobs.listParts(upload);
  if (!sent) throw ended();
  const sizeOf = new Map(sent.map(({ part, sizeBytes: size }) => [part, size]));
  const { partSizeBytes, sizes } = partsOf(sizeBytes);
  const expiresAt = new Date(clock.now() + URL_LIFE_MS).toISOString();
  const parts = sizes.map(async (size, n): Promise<PartAnswer> => {
    const which = { part: n + 1, sizeBytes: size };
    if (sizeOf.get(which.part) === size) return { ...which, state: "sent" };
    const signed = await blobs.signPart({ ...upload, ...which, expiresInMs: URL_LIFE_MS });
    return { ...which, state: "upload", upload: signed };
  });
  return { partSizeBytes, parts: await Promise.all(parts), expiresAt };
}

/** Asked again, the answer is the same. */
export async function completeUpload(
  { blobs }: Photos,
  event: EventPlace,
  ask: PartsUpload & { parts: number },
): Promise<BlobHead> {
  checkOwnKey(event, ask.key);
  return blobs.completeParts(ask).catch((error: unknown) => {
    throw error instanceof Problem && error.code === "blob.no-such-upload" ? ended(error) : error;
  });
}

/** Who may upload to one event may not to another, nor to where processed photos are. */
function checkOwnKey({ orgId, eventId }: EventPlace, key: string): void {
  const place = parseRawKey(key);
  if (place?.orgId === orgId && place.eventId === eventId) return;
  const sentence = "This is no key of an upload to this event. Give the one that was answered for the file.";
  throw new Problem("invalid", "upload.bad-key", sentence);
}

function ended(cause?: unknown): Problem {
  const sentence = "There is no such upload in parts, or it has ended. Ask for the file's upload again.";
  return new Problem("missing", "upload.not-found", sentence, { cause });
}
