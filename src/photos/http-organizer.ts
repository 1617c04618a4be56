/** The organizers' routes: how an event's photos stand, what failed, running it again, deleting, and forgetting faces. */

import { z } from "zod";
import { deadLetterRoutes } from "../platform/http/dead-letter-routes.ts";
import { PageQuery, pageOf } from "../platform/http/paging.ts";
import { type Route, route } from "../platform/http/route.ts";
import { EventId } from "../platform/ids.ts";
import { type PhotoDeadLetters, ShownPhotoLetter } from "./dead-letters.ts";
import { deletePhoto } from "./delete-photo.ts";
import { listFailed, readUpload, showUpload, UploadView, UploadWithHistory } from "./failed-photos.ts";
import { beginForgetting } from "./forget-faces.ts";
import { PhotoId } from "./photo-id.ts";
import type { Photos } from "./photos.ts";
import { beginReprocessing, reprocessOne } from "./reprocess.ts";
import { findEvent } from "./request-uploads.ts";
import { createSummaries, PhotoJob, PhotoSummary, showJob } from "./summary.ts";

const tag = "Photos of an event";
const access = "organizerOfEvent" as const;
const ofEvent = z.object({ eventId: EventId });
const ofPhoto = z.object({ eventId: EventId, ulid: PhotoId });
const noPhoto = { status: 404, code: "photo.not-found", when: "The event has none with this id, or it was deleted." };
const duplicate = { status: 409, code: "photo.is-duplicate", when: "It is the same file as another photo." };
const ReprocessAsk = z.strictObject({
  which: z.enum(["failed", "all"]).meta({ description: "Those that failed, or these and all that are done." }),
});

export function organizerRoutes(photos: Photos, dead: PhotoDeadLetters): Route[] {
  return [
    ...figureRoutes(photos),
    ...reprocessRoutes(photos),
    ...removalRoutes(photos),
    ...deadLetterRoutes(dead, {
      tag: "Dead letters",
      eventPath: "/admin/events/{eventId}/photos/dead-letters",
      operatorPath: "/admin/photos/dead-letters",
      schema: ShownPhotoLetter,
      listSummary: "List the messages about the event's photos that were given up on",
      othersDescription: "They are about no object of an event, or of one that is gone; or the registry sent them.",
      redriveDescription: "They are handled afresh. Send `{}` for all.",
    }),
  ];
}

function figureRoutes(photos: Photos): Route[] {
  const summaries = createSummaries(photos);
  return [
    route(
      {
        method: "get",
        path: "/admin/events/{eventId}/photos/summary",
        access,
        tag,
        summary: "Count the event's photos by how they stand",
        description: "From counters: as cheap with a million photos as with one.",
        params: ofEvent,
        answers: { 200: { description: "The counts.", schema: PhotoSummary } },
      },
      async ({ params: { eventId } }) => ({ body: await summaries.read(eventId) }),
    ),
    route(
      {
        method: "get",
        path: "/admin/events/{eventId}/photos/failed",
        access,
        tag,
        summary: "List the photos that failed, with the reason",
        params: ofEvent,
        query: PageQuery,
        answers: { 200: { description: "A page, newest first.", schema: pageOf(UploadView) } },
      },
      async ({ params: { eventId }, query }) => ({
        body: await listFailed(photos, await findEvent(photos, eventId), query),
      }),
    ),
    route(
      {
        method: "get",
        path: "/admin/events/{eventId}/uploads/{ulid}",
        access,
        tag,
        summary: "Show how the work on an upload stands, and what happened to it",
        description: "Also of a photo that was deleted.",
        params: ofPhoto,
        answers: { 200: { description: "The upload.", schema: UploadWithHistory } },
        problems: [noPhoto],
      },
      async ({ params: { eventId, ulid } }) => {
        const event = await findEvent(photos, eventId);
        return { body: await readUpload(photos, { ...event, ulid }) };
      },
    ),
  ];
}

function reprocessRoutes(photos: Photos): Route[] {
  return [
    route(
      {
        method: "post",
        path: "/admin/events/{eventId}/photos/{ulid}/reprocess",
        access,
        tag,
        summary: "Run the work on a photo again",
        description: "On one that failed or is done. Until it is done again, the photo stays as it is.",
        params: ofPhoto,
        answers: { 202: { description: "It is under way.", schema: UploadView } },
        problems: [noPhoto, duplicate, { status: 409, code: "photo.under-way", when: "It is being worked on." }],
      },
      async ({ params: { eventId, ulid } }) => {
        const event = await findEvent(photos, eventId);
        return { status: 202, body: showUpload(await reprocessOne(photos, { ...event, ulid })) };
      },
    ),
    route(
      {
        method: "post",
        path: "/admin/events/{eventId}/photos/reprocess",
        access,
        tag,
        summary: "Run the work on many photos again",
        description:
          "On all that failed, or on all that failed or are done. New uploads wait behind a few of them only. The summary shows how far it is; asked for again meanwhile, it is the same job.",
        params: ofEvent,
        body: ReprocessAsk,
        answers: { 202: { description: "It is under way.", schema: PhotoJob } },
        problems: [{ status: 409, code: "reprocess.under-way", when: "Others of the event are being run again." }],
      },
      async ({ params: { eventId }, body: { which } }) => {
        const job = await beginReprocessing(photos, await findEvent(photos, eventId), which);
        return { status: 202, body: { ...showJob(job), which: job.which } };
      },
    ),
  ];
}

function removalRoutes(photos: Photos): Route[] {
  return [
    route(
      {
        method: "delete",
        path: "/admin/events/{eventId}/photos/{ulid}",
        access,
        tag,
        summary: "Delete a photo",
        description:
          "For good: the original, also under other names, the pictures made of it, and its faces. Deleting it again changes nothing.",
        params: ofPhoto,
        answers: { 204: { description: "It is deleted." } },
        problems: [noPhoto, duplicate],
      },
      async ({ params: { eventId, ulid } }) => {
        await deletePhoto(photos, { ...(await findEvent(photos, eventId)), ulid });
        return {};
      },
    ),
    route(
      {
        method: "delete",
        path: "/admin/events/{eventId}/faces",
        access,
        tag,
        summary: "Forget the faces of the event",
        description:
          "No selfie finds its photos any more. Photos that come later bring new faces, unless the event indexes none. At the event's retention date it happens by itself.",
        params: ofEvent,
        answers: { 202: { description: "It is under way.", schema: PhotoJob } },
      },
      async ({ params: { eventId } }) => ({
        status: 202,
        body: showJob(await beginForgetting(photos, await findEvent(photos, eventId))),
      }),
    ),
  ];
}
