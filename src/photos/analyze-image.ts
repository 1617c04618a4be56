/** The workflow's two tasks that look at a photo: its words, and its faces. */

import { hasHeld } from "../platform/condition-failed.ts";
import { absent } from "../platform/conditions.ts";
import type { Box } from "../platform/ports.ts";
import type { EventForPhotos } from "../registry/events.ts";
import { bibRules } from "./bib-rules.ts";
import { readBibs } from "./bibs.ts";
import { FACES_PARTITION, type FacesItem, facesKey } from "./items.ts";
import { faceCollection } from "./object-keys.ts";
import type { Photos } from "./photos.ts";
import { keptPicture } from "./pictures-just-made.ts";
import { UnusablePhoto } from "./unusable-photo.ts";
import type { DetectTextResult, IndexFacesResult, PreprocessedPhoto } from "./workflow-data.ts";

/** Step Functions carries 256 KB; a wall of advertising has more words than any photo has bibs. */
const MOST_WORDS = 150;

const NO_TEXT: DetectTextResult = { bibs: [], rawText: [], confidence: 0 };
const NO_FACES: IndexFacesResult = { faceIds: [], faceCount: 0, faces: [] };

export async function detectText(photos: Photos, photo: PreprocessedPhoto): Promise<DetectTextResult> {
  if (photo.duplicateOf !== undefined) return NO_TEXT;
  const event = await eventOf(photos, photo);
  const rules = bibRules(event, await photos.rosters.read(event.eventId));
  const { watermarkZones, minConfidence } = rules;
  const found = await photos.recognition.detectText(await imageOf(photos, photo), { watermarkZones, minConfidence });
  const words = found.sort((a, b) => b.confidence - a.confidence).slice(0, MOST_WORDS);
  const { bibs } = readBibs(words, [], rules);
  return {
    bibs: bibs.map(({ bib }) => bib),
    rawText: words.map(({ text, confidence, box, cut }) => ({
      text,
      confidence,
      box: short(box),
      ...(cut !== undefined && { cut }),
    })),
    confidence: Math.max(0, ...bibs.map((bib) => bib.confidence)),
  };
}

export async function indexFaces(photos: Photos, photo: PreprocessedPhoto): Promise<IndexFacesResult> {
  if (photo.duplicateOf !== undefined) return NO_FACES;
  const event = await eventOf(photos, photo);
  if (!keepsFaces(event, photos.clock.now())) return NO_FACES;
  await rememberCollection(photos, event);
  const image = await imageOf(photos, photo);
  const indexedAt = new Date(photos.clock.now()).toISOString();
  const found = await photos.recognition.indexFaces(faceCollection(event), image, photo.ulid);
  // The event's faces may have been forgotten meanwhile, and these came after.
  await rememberCollection(photos, event);
  const faces = found.map((face) => ({ ...face, box: short(face.box) }));
  return { faceIds: faces.map(({ faceId }) => faceId), faceCount: faces.length, faces, indexedAt };
}

export const keepsFaces = ({ faceIndexing, facesUntil }: EventForPhotos, now: number) =>
  faceIndexing && now < facesUntil;

/** Before the first face is there, so that none outlives its time unseen. */
async function rememberCollection({ table }: Photos, { orgId, eventId }: EventForPhotos): Promise<void> {
  const key = facesKey({ orgId, eventId });
  if (await table.get(key)) return;
  const index = { GSI2PK: FACES_PARTITION, GSI2SK: `EVT#${eventId}` };
  const item: FacesItem = { ...key, ...index, EntityType: "FACES", orgId, eventId };
  await hasHeld(table.write([{ put: item, if: absent("PK") }]));
}

async function eventOf({ events }: Photos, { eventId, orgId }: PreprocessedPhoto): Promise<EventForPhotos> {
  const event = await events.read(eventId);
  if (event?.orgId === orgId) return event;
  throw new UnusablePhoto("event.not-found", `There is no event ${eventId} any more.`);
}

async function imageOf({ blobs }: Photos, { processedKey }: PreprocessedPhoto): Promise<Buffer> {
  const kept = await keptPicture(blobs, processedKey);
  if (kept) return kept;
  const found = await blobs.getWhole(processedKey, Number.POSITIVE_INFINITY);
  if (!found?.bytes) throw new UnusablePhoto("photo.deleted", "The photo was deleted.");
  return found.bytes;
}

/** A ten thousandth of a picture is less than a pixel of its thumbnail. */
function short({ left, top, width, height }: Box): Box {
  const cut = (value: number) => Math.round(value * 10_000) / 10_000;
  return { left: cut(left), top: cut(top), width: cut(width), height: cut(height) };
}
