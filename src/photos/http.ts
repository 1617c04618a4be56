/** Everybody's routes: an event's photos, those of a bib or of a photographer, one photo, and downloads. */

import { z } from "zod";
import type { Actor } from "../platform/actor.ts";
import { attachment } from "../platform/content-disposition.ts";
import { freshAnswer } from "../platform/http/fresh-answer.ts";
import { PageQuery, pageOf } from "../platform/http/paging.ts";
import { type Route, route } from "../platform/http/route.ts";
import { Bib, EventId, PhotographerId } from "../platform/ids.ts";
import { Problem } from "../platform/problem.ts";
import type { EventForPhotos } from "../registry/events.ts";
import { photoFileName } from "./download-names.ts";
import { NearMisses } from "./near-misses.ts";
import { PhotoId } from "./photo-id.ts";
import type { Photos } from "./photos.ts";
import {
  type BibPage,
  findPhoto,
  listEventPhotos,
  listPhotographerInEvent,
  listPhotographerPhotos,
  searchBib,
} from "./search.ts";
import { PhotoDetail, PhotoView, showPhotoDetail, showPhotos } from "./view.ts";
import { findVisibleEvent, isVisible, noEvent as noSuchEvent, organizes } from "./visible-event.ts";
import { MOST_ZIPPED, type PhotosWanted, zipPhotos } from "./zip.ts";

const tag = "Photos";
const ofEvent = z.object({ eventId: EventId });
const ofPhoto = z.object({ eventId: EventId, ulid: PhotoId });
const ofPhotographer = z.object({ photographerId: PhotographerId });
const noEvent = { status: 404, code: "event.not-found", when: "There is none, or it is not published." };
const noPhoto = { status: 404, code: "photo.not-found", when: "The event has no such photo, or no longer." };

const DOWNLOAD_MS = 5 * 60_000;
/** As many ids as a query can be long. */
const MOST_NAMED = 140;

const GalleryPage = pageOf(PhotoView).extend({
  bib: z
    .string()
    .optional()
    .meta({ description: "The bib whose photos these are: as asked for, or with other zeros before it." }),
  nearMisses: NearMisses.optional().meta({ description: "Where a bib has no photos." }),
});

const GalleryQuery = PageQuery.extend({
  bib: Bib.optional(),
  photographer: PhotographerId.optional().meta({ description: "Only photos of this photographer." }),
});

const ZipQuery = z.strictObject({
  bib: Bib.optional(),
  ulids: z
    .string()
    .transform((list) => list.split(","))
    .pipe(z.array(PhotoId).max(MOST_NAMED, `Give ${MOST_NAMED} ids at most.`))
    .optional()
    .meta({ type: "string", description: `The photos' ids with commas between them, ${MOST_NAMED} at most.` }),
});

export function galleryRoutes(photos: Photos): Route[] {
  return [gallery(photos), photographerGallery(photos), onePhoto(photos), download(photos), zip(photos)];
}

function gallery(photos: Photos): Route {
  return route(
    {
      method: "get",
      path: "/events/{eventId}/photos",
      access: "anyone",
      tag,
      summary: "List an event's photos: all, of a bib, of a photographer",
      description:
        "Newest first. With a bib and a photographer, a page may have fewer than asked for and still lead to a next.",
      params: ofEvent,
      query: GalleryQuery,
      answers: { 200: { description: "A page. With its `ETag`, 304 until it changes.", schema: GalleryPage } },
      problems: [noEvent],
    },
    async ({ params: { eventId }, query, actor, request }) => {
      const event = await findVisibleEvent(photos, eventId, actor);
      const { items, ...rest } = await listGallery(photos, event, query);
      const body = { items: await showPhotos(photos, items), ...rest };
      return freshAnswer(request, body, event.published ? "public, max-age=2" : "private, max-age=2");
    },
  );
}

function listGallery(
  photos: Photos,
  event: EventForPhotos,
  { bib, photographer: photographerId, ...page }: z.infer<typeof GalleryQuery>,
): Promise<Omit<BibPage, "bib">> {
  if (bib !== undefined) return searchBib(photos, event, { bib, photographerId }, page);
  if (photographerId !== undefined) return listPhotographerInEvent(photos, event, photographerId, page);
  return listEventPhotos(photos, event, page);
}

function photographerGallery(photos: Photos): Route {
  return route(
    {
      method: "get",
      path: "/photographers/{photographerId}/photos",
      access: "anyone",
      tag,
      summary: "List a photographer's photos",
      description:
        "By event, newest first in each. Photos of unpublished events are for the photographer and for those who work on " +
        "the event; a page may have fewer than asked for and still lead to a next.",
      params: ofPhotographer,
      query: PageQuery.extend({ eventId: EventId.optional() }),
      answers: { 200: { description: "A page. With its `ETag`, 304 until it changes.", schema: pageOf(PhotoView) } },
      problems: [
        noEvent,
        { status: 404, code: "photographer.not-found", when: "There are no photos, and no such photographer." },
      ],
    },
    async ({ params: { photographerId }, query: { eventId, ...page }, actor, request }) => {
      const ownerOf = ownersSeen(photos, photographerId, actor);
      const orgId = eventId === undefined ? undefined : await ownerOf(eventId);
      if (eventId !== undefined && orgId === undefined) throw noSuchEvent(eventId);
      const found = await (eventId === undefined || orgId === undefined
        ? listPhotographerPhotos(photos, photographerId, ownerOf, page)
        : listPhotographerInEvent(photos, { orgId, eventId }, photographerId, page));
      if (found.items.length === 0) await checkPhotographer(photos, photographerId);
      const body = { ...found, items: await showPhotos(photos, found.items) };
      return freshAnswer(request, body, actor ? "private, max-age=2" : "public, max-age=2");
    },
  );
}

/** Whose an event is, where they may see it. Photographers see their own photos wherever they are. */
function ownersSeen(photos: Photos, photographerId: string, actor: Actor | undefined) {
  const isOwn = actor?.photographers.includes(photographerId) ?? false;
  const known = new Map<string, Promise<string | undefined>>();
  const look = async (eventId: string) => {
    const event = await photos.events.read(eventId);
    return event && (isOwn || (await isVisible(photos, event, actor))) ? event.orgId : undefined;
  };
  return (eventId: string): Promise<string | undefined> => {
    const owner = known.get(eventId) ?? look(eventId);
    known.set(eventId, owner);
    return owner;
  };
}

async function checkPhotographer({ facts }: Photos, photographerId: string): Promise<void> {
  if (await facts.creditForPhotos(photographerId)) return;
  throw new Problem("missing", "photographer.not-found", `There is no photographer ${photographerId}.`);
}

function onePhoto(photos: Photos): Route {
  return route(
    {
      method: "get",
      path: "/events/{eventId}/photos/{ulid}",
      access: "anyone",
      tag,
      summary: "Show one photo, and who was seen where in it",
      params: ofPhoto,
      answers: { 200: { description: "The photo. With its `ETag`, 304 until it changes.", schema: PhotoDetail } },
      problems: [noEvent, noPhoto],
    },
    async ({ params: { eventId, ulid }, actor, request }) => {
      const event = await findVisibleEvent(photos, eventId, actor);
      const forOrganizers = organizes(actor, event);
      const photo = await showPhotoDetail(photos, await findPhoto(photos, event, ulid), { forOrganizers });
      const isPublic = event.published && !forOrganizers;
      return freshAnswer(request, photo, isPublic ? "public, max-age=2" : "private, max-age=2");
    },
  );
}

function download(photos: Photos): Route {
  return route(
    {
      method: "get",
      path: "/events/{eventId}/photos/{ulid}/download",
      access: "anyone",
      tag,
      summary: "Save one photo in full size",
      params: ofPhoto,
      answers: {
        302: { description: "`Location` leads to the picture, for some minutes, and has a file name for it." },
      },
      problems: [noEvent, noPhoto],
    },
    async ({ params: { eventId, ulid }, actor }) => {
      const event = await findVisibleEvent(photos, eventId, actor);
      const photo = await findPhoto(photos, event, ulid);
      const grant = { key: photo.processedKey, expiresInMs: DOWNLOAD_MS, fileName: photoFileName(event, photo) };
      return { status: 302, headers: { location: await photos.blobs.signDownload(grant) } };
    },
  );
}

function zip(photos: Photos): Route {
  return route(
    {
      method: "get",
      path: "/events/{eventId}/photos.zip",
      access: "anyone",
      tag,
      summary: "Save a bib's photos, or those named, as one ZIP",
      description: `At most ${MOST_ZIPPED} photos. In the place of one that is deleted meanwhile comes a note that says so.`,
      params: ofEvent,
      query: ZipQuery,
      answers: { 200: { description: "The photos in full size.", contentType: "application/zip" } },
      problems: [
        noEvent,
        { status: 400, code: "zip.which", when: "Neither a bib nor ids are given, or both." },
        { status: 400, code: "zip.too-many", when: `The bib has more than ${MOST_ZIPPED} photos.` },
        { status: 404, code: "photo.not-found", when: "There is not one such photo." },
      ],
    },
    async ({ params: { eventId }, query, actor, request }) => {
      const event = await findVisibleEvent(photos, eventId, actor);
      const { fileName, sizeBytes, stream } = await zipPhotos(photos, event, wantedIn(query), request.gone());
      const headers = {
        "content-type": "application/zip",
        "content-length": String(sizeBytes),
        "content-disposition": attachment(fileName),
        "accept-ranges": "none",
      };
      return { headers, stream };
    },
  );
}

function wantedIn({ bib, ulids }: z.infer<typeof ZipQuery>): PhotosWanted {
  if (bib !== undefined && ulids === undefined) return { bib };
  if (ulids !== undefined && bib === undefined) return { ulids };
  throw new Problem("invalid", "zip.which", "Give either a bib or the ids of the photos as `ulids`.");
}
