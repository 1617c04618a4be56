/** Finds a runner's photos by a picture of their face, of which nothing is kept. */

import type { Box, ImageSearch } from "../platform/ports.ts";
import { Problem } from "../platform/problem.ts";
import type { EventForPhotos } from "../registry/events.ts";
import { keepsFaces } from "./analyze-image.ts";
import type { PhotoItem } from "./items.ts";
import { faceCollection } from "./object-keys.ts";
import type { Photos } from "./photos.ts";
import { findPhotos } from "./search.ts";

/**
 * Among portraits it finds 88 % of a person's other pictures, and 92 % from 0.7 on. Of strangers in race photos 7 pairs in
 * 10,000 are as alike, and twice as many from 0.7 on; with a portrait in their place none of 40,000 was.
 */
const MIN_SIMILARITY = 0.8;
/** More than anybody is in. */
const MOST_FACES = 500;
/** With portraits made that small, a third of a person's other pictures is missed at 36, two thirds at 28. */
const MIN_HEIGHT_PIXELS = 36;
/** Below it are 3 of 100 portraits, 8 when blurred so that a fifth of the others is missed, 70 when nearly all are. */
const MIN_QUALITY = 0.2;
/** The brands of HEVC in HEIF, as phones write it; AVIF is in the same container, and can be read. */
const HEVC_BRAND = /^(?:hei[cxms]|hev[cxms])$/;

type FoundPhoto = { item: PhotoItem; similarity: number; alreadyShown: boolean };
type SelfieAnswer = {
  /** How many are in the picture; the largest is the one searched with. */
  faces: number;
  used: { box: Box };
  /** The most alike first. */
  found: FoundPhoto[];
};

/** Whose faces are not remembered, or no longer, can't be searched by face. */
export function checkSelfieSearch({ clock }: Pick<Photos, "clock">, event: EventForPhotos): void {
  if (keepsFaces(event, clock.now())) return;
  const why = event.faceIndexing
    ? "The faces of this event's photos are no longer kept."
    : "This event has no search by face.";
  throw new Problem("conflict", "selfie.off", `${why} Search by bib number.`);
}

/** `bib`: photos that its search shows anyway are marked. */
export async function searchBySelfie(
  photos: Pick<Photos, "recognition" | "table">,
  event: EventForPhotos,
  { image, bib }: { image: Uint8Array; bib?: string | undefined },
): Promise<SelfieAnswer> {
  refuseHeic(image);
  const ask = { minSimilarity: MIN_SIMILARITY, limit: MOST_FACES };
  const search = await photos.recognition.searchByImage(faceCollection(event), image, ask);
  checkFace(search);
  const similarities = bestOfEachPhoto(search);
  const items = await findPhotos(photos, event, [...similarities.keys()]);
  return {
    faces: search.faces.length,
    used: { box: search.faces[0].box },
    found: items.map((item) => ({
      item,
      similarity: similarities.get(item.ulid) ?? 0,
      alreadyShown: bib !== undefined && item.bibs.includes(bib),
    })),
  };
}

function checkFace({ faces: [largest] }: ImageSearch): void {
  if (largest.heightPixels < MIN_HEIGHT_PIXELS) {
    const message = "The face is too small in this picture. Come closer to the camera, or cut the picture around it.";
    throw new Problem("invalid", "selfie.face-too-small", message);
  }
  if (largest.quality < MIN_QUALITY) {
    const message =
      "The face is blurred, or seen from the side. Look into the camera in good light, and hold it still.";
    throw new Problem("invalid", "selfie.face-unclear", message);
  }
}

/** Matches come best first. A photo's id is the name under which its faces were remembered. */
function bestOfEachPhoto({ matches }: ImageSearch): Map<string, number> {
  const best = new Map<string, number>();
  for (const { externalImageId, similarity } of matches) {
    if (!best.has(externalImageId)) best.set(externalImageId, similarity);
  }
  return best;
}

function refuseHeic(image: Uint8Array): void {
  const bytes = Buffer.from(image.buffer, image.byteOffset, image.byteLength);
  if (bytes.toString("latin1", 4, 8) !== "ftyp") return;
  const brands = bytes.toString("latin1", 8, Math.min(bytes.readUInt32BE(0), 128)).match(/.{4}/gs) ?? [];
  if (!brands.some((brand) => HEVC_BRAND.test(brand))) return;
  const message =
    "This is a HEIC picture, which can't be read here. Send a JPEG: on an iPhone choose Settings, Camera, Formats, " +
    "Most Compatible, or take the picture from this page.";
  throw new Problem("unsupported-type", "selfie.heic", message);
}
