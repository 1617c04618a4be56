/** A photo as it is shown: what is known of it, and signed URLs of its pictures. */

import { z } from "zod";
import { EventId, PhotographerId } from "../platform/ids.ts";
import type { PhotoItem } from "./items.ts";
import { PhotoId } from "./photo-id.ts";
import type { Photos } from "./photos.ts";

const HOUR_MS = 3_600_000;
/** Signed as of the full hour, so that a picture keeps its URL for an hour, and the URL is good for one more at least. */
const SIGNED_EVERY_MS = HOUR_MS;
const SIGNED_FOR_MS = 2 * HOUR_MS;

export const Box = z
  .object({ left: z.number(), top: z.number(), width: z.number(), height: z.number() })
  .meta({ id: "Box", description: "Fractions of the picture's width and height, from its top left corner." });

export const PhotoView = z
  .object({
    ulid: PhotoId,
    eventId: EventId,
    bibs: z.array(z.string()),
    takenAt: z.string().nullable().meta({
      description: "ISO 8601, as the camera said it: in its local time where it did not say which.",
      example: "2027-04-18T09:31:05",
    }),
    createdAt: z.string().meta({ description: "When it was uploaded, ISO 8601." }),
    width: z.int(),
    height: z.int(),
    thumbhash: z.string().meta({ description: "A placeholder until the picture is there, in base64." }),
    imageUrl: z.string(),
    thumbnailUrl: z.string(),
    urlsExpireAt: z.string().meta({ description: "ISO 8601. Ask again for new URLs." }),
    photographer: z
      .object({ photographerId: PhotographerId, handle: z.string().nullable(), displayName: z.string().nullable() })
      .nullable(),
    fileName: z.string().meta({ description: "As it was uploaded." }),
  })
  .meta({ id: "Photo" });
export type PhotoView = z.infer<typeof PhotoView>;

export const PhotoDetail = PhotoView.extend({
  seenBibs: z
    .array(
      z.object({
        bib: z.string(),
        box: Box,
        confidence: z.number(),
        face: z.int().nullable().meta({ description: "Whose it is: the place in `faces`." }),
      }),
    )
    .meta({ description: "Where each bib was read." }),
  faces: z.array(z.object({ box: Box })),
  camera: z
    .object({ make: z.string().optional(), model: z.string().optional(), lens: z.string().optional() })
    .nullable(),
  alsoUploadedAs: z
    .array(z.string())
    .optional()
    .meta({ description: "Other names under which the same file came; for organizers." }),
}).meta({ id: "PhotoDetail" });
export type PhotoDetail = z.infer<typeof PhotoDetail>;

/** What pages show comes from the same hour: together their URLs stay the same, and together they change. */
export async function showPhoto(
  { blobs, clock }: Pick<Photos, "blobs" | "clock">,
  item: PhotoItem,
): Promise<PhotoView> {
  const asOf = Math.floor(clock.now() / SIGNED_EVERY_MS) * SIGNED_EVERY_MS;
  const sign = (key: string) => blobs.signDownload({ key, expiresInMs: SIGNED_FOR_MS, asOf });
  const [imageUrl, thumbnailUrl] = await Promise.all([sign(item.processedKey), sign(item.thumbnailKey)]);
  return {
    ulid: item.ulid,
    eventId: item.eventId,
    bibs: item.bibs,
    takenAt: item.takenAt ?? null,
    createdAt: item.createdAt,
    width: item.dimensions.width,
    height: item.dimensions.height,
    thumbhash: item.thumbhash,
    imageUrl,
    thumbnailUrl,
    urlsExpireAt: new Date(asOf + SIGNED_FOR_MS).toISOString(),
    photographer: photographerIn(item),
    fileName: item.originalFilename,
  };
}

export function showPhotos(photos: Pick<Photos, "blobs" | "clock">, items: PhotoItem[]): Promise<PhotoView[]> {
  return Promise.all(items.map((item) => showPhoto(photos, item)));
}

/** Ids of faces are for looking people up: they are not told. */
export async function showPhotoDetail(
  photos: Pick<Photos, "blobs" | "clock">,
  item: PhotoItem,
  { forOrganizers }: { forOrganizers: boolean },
): Promise<PhotoDetail> {
  return {
    ...(await showPhoto(photos, item)),
    seenBibs: item.seenBibs.map(({ bib, box, confidence, face = null }) => ({ bib, box, confidence, face })),
    faces: item.faces.map(({ box }) => ({ box })),
    camera: item.camera ?? null,
    ...(forOrganizers && { alsoUploadedAs: item.alsoUploadedAs ?? [] }),
  };
}

function photographerIn(item: PhotoItem): PhotoView["photographer"] {
  const { photographerId, photographerHandle: handle = null, photographerDisplayName: displayName = null } = item;
  return photographerId === undefined ? null : { photographerId, handle, displayName };
}
