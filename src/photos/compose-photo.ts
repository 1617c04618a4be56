/** The PHOTO item of what was found in a photo. */

import type { CreditForPhotos } from "../registry/events.ts";
import type { BibReading } from "./bibs.ts";
import { type PhotoItem, photographerPartition, photographerSort, photoKey } from "./items.ts";
import { originalFileName, parseRawKey } from "./object-keys.ts";
import type { AnalyzedPhoto } from "./workflow-data.ts";

/** As many as fit into one transaction with their index items; nobody could tell more people apart. */
const MOST_BIBS = 40;

export type Findings = {
  reading: BibReading;
  credit: CreditForPhotos | undefined;
  /** Keys of the same bytes that came later. */
  also: string[];
};

export function composePhoto(photo: AnalyzedPhoto, findings: Findings): Omit<PhotoItem, "updatedAt"> {
  const { ulid, orgId, eventId, rawKey, createdAt, photographerId, takenAt, camera } = photo;
  const { faces, faceIds, faceCount } = photo.indexFacesResult;
  const seen = findings.reading.bibs.sort((a, b) => b.confidence - a.confidence).slice(0, MOST_BIBS);
  const bibs = seen.map(({ bib }) => bib);
  return {
    ...photoKey(photo, ulid),
    ...(photographerId !== undefined && {
      GSI2PK: photographerPartition(photographerId),
      GSI2SK: photographerSort(eventId, createdAt),
      photographerId,
      ...credited(findings.credit),
    }),
    EntityType: "PHOTO",
    ulid,
    orgId,
    eventId,
    originalFilename: fileNameIn(rawKey),
    ...(findings.also.length > 0 && { alsoUploadedAs: findings.also.map(fileNameIn) }),
    rawKey,
    processedKey: photo.processedKey,
    thumbnailKey: photo.thumbnailKey,
    s3Uri: `s3://${photo.bucketName}/${photo.processedKey}`,
    thumbhash: photo.thumbhash,
    dimensions: photo.dimensions,
    format: photo.format,
    size: photo.size,
    sha256: photo.sha256,
    ...(takenAt !== undefined && { takenAt }),
    ...(camera !== undefined && { camera: camera as NonNullable<PhotoItem["camera"]> }),
    bibs,
    bibCount: bibs.length,
    seenBibs: seen,
    partialBibs: findings.reading.partial.slice(0, MOST_BIBS),
    links: bibs.map((bib) => ({ bib, by: "TEXT" as const })),
    faceIds,
    faceCount,
    faces,
    ...unreadIn(photo),
    createdAt,
  };
}

/** Of faces that are forgotten, where they are stays. */
export function withoutIds(faces: PhotoItem["faces"]): Pick<PhotoItem, "faceIds" | "faces"> {
  return { faceIds: [], faces: faces.map(({ box, quality }) => ({ box, quality })) };
}

function credited(credit: CreditForPhotos | undefined) {
  if (!credit) return {};
  return {
    ...(credit.handle !== null && { photographerHandle: credit.handle }),
    photographerDisplayName: credit.displayName,
    photographerAsOf: credit.asOf,
  };
}

function unreadIn({ detectTextError, indexFacesError }: AnalyzedPhoto): Pick<PhotoItem, "unread"> {
  const unread: NonNullable<PhotoItem["unread"]> = [];
  if (detectTextError !== undefined) unread.push("TEXT");
  if (indexFacesError !== undefined) unread.push("FACES");
  return unread.length > 0 ? { unread } : {};
}

export function fileNameIn(rawKey: string): string {
  return originalFileName(parseRawKey(rawKey)?.fileName ?? rawKey);
}
