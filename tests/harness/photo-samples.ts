/** An event as the registry describes it, and photos as the workflow hands them to its last state. */

import { createHash } from "node:crypto";
import { type EventPlace, processedKey, rawKey, thumbnailKey } from "../../src/photos/object-keys.ts";
import { photoIdOf } from "../../src/photos/photo-id.ts";
import type { AnalyzedPhoto } from "../../src/photos/workflow-data.ts";
import type { Box } from "../../src/platform/ports.ts";
import { DEFAULT_BIB_PATTERN, DEFAULT_WATERMARK_ZONES, type EventForPhotos } from "../../src/registry/events.ts";

const YEAR_MS = 365 * 86_400_000;

export const EVENT: EventPlace = { orgId: "han-river", eventId: "han-river-10k" };

export const PHOTO_EVENT: EventForPhotos = {
  ...EVENT,
  name: "Han River 10K",
  published: true,
  bibPattern: DEFAULT_BIB_PATTERN,
  watermarkZones: DEFAULT_WATERMARK_ZONES,
  faceIndexing: true,
  facesUntil: Date.now() + YEAR_MS,
};

export type AddedPhoto = {
  bibs?: string[];
  photographerId?: string;
  /** Epoch milliseconds. */
  createdAt?: number;
  fileName?: string;
  faces?: { faceId: string; box: Box; quality: number }[];
  event?: EventPlace;
};

/** What the workflow hands to its last state. */
export function analyzedOf(
  bucketName: string,
  { bibs = [], photographerId, createdAt = 0, fileName = "IMG_1.jpg", faces = [], event = EVENT }: AddedPhoto,
): AnalyzedPhoto {
  const key = rawKey(event, fileName);
  const sha256 = createHash("sha256").update(key).digest("hex");
  const ulid = photoIdOf(bucketName, { key, etag: sha256, createdAt });
  const words = bibs.map((text, index) => ({
    text,
    confidence: 0.9,
    box: { left: 0.1 + 0.08 * index, top: 0.5, width: 0.06, height: 0.04 },
  }));
  return {
    ...event,
    bucketName,
    rawKey: key,
    ...(photographerId !== undefined && { photographerId }),
    ulid,
    processedKey: processedKey(event, ulid),
    thumbnailKey: thumbnailKey(event, ulid),
    thumbhash: "1QcSHQRnh493V4dIh4eXh1h4kJUI",
    dimensions: { width: 3840, height: 2560 },
    format: "jpeg",
    size: 5_000_000,
    sha256,
    createdAt: new Date(createdAt).toISOString(),
    detectTextResult: { bibs, rawText: words, confidence: bibs.length > 0 ? 0.9 : 0 },
    indexFacesResult: { faceIds: faces.map(({ faceId }) => faceId), faceCount: faces.length, faces },
    detectTextError: undefined,
    indexFacesError: undefined,
  };
}
