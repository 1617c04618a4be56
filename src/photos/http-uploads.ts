/** The routes of uploads: where to send files, the parts of large ones, and that all parts were sent. */

import { z } from "zod";
import { type Route, route } from "../platform/http/route.ts";
import { EventId, PhotographerId } from "../platform/ids.ts";
import { PhotoId } from "./photo-id.ts";
import type { Photos } from "./photos.ts";
import { findEvent, requestUploads } from "./request-uploads.ts";
import { completeUpload, findParts } from "./upload-parts.ts";

const MOST_FILES = 1000;
/** Longer than any file system has them; what is kept of it is shorter. */
const MAX_NAME_CHARACTERS = 1000;
const MAX_KEY_CHARACTERS = 1024;
const MAX_UPLOAD_ID_CHARACTERS = 1024;
const MAX_PARTS = 10_000;

const tag = "Photos";
const access = "photographerOfEvent";
const ofEvent = z.object({ eventId: EventId });
const noEvent = { status: 404, code: "event.not-found", when: "You have no such event." };
const badKey = { status: 400, code: "upload.bad-key", when: "The key is not one of an upload to this event." };
const noUpload = { status: 404, code: "upload.not-found", when: "The upload in parts was never begun, or has ended." };

const UploadId = z.string().min(1).max(MAX_UPLOAD_ID_CHARACTERS);
const SizeBytes = z.int().min(0);
const SignedUpload = z
  .object({ method: z.literal("PUT"), url: z.string(), headers: z.record(z.string(), z.string()) })
  .meta({ id: "SignedUpload", description: "Send the bytes with exactly these headers, and their length." });
const ExpiresAt = z.iso.datetime().meta({ description: "From then on the URLs are not taken; ask again." });

const File = z.strictObject({
  name: z.string().max(MAX_NAME_CHARACTERS).meta({ example: "IMG_0123.jpg" }),
  sizeBytes: SizeBytes,
  contentType: z.string().max(200).optional(),
  sha256: z
    .string()
    .toLowerCase()
    .regex(/^[0-9a-f]{64}$/, "Give 64 hex digits.")
    .optional()
    .meta({
      description: "Of the whole file. With it, what is there already is known, and a broken upload can go on.",
    }),
  uploadId: UploadId.optional().meta({ description: "Of an upload in parts of this file that was begun before." }),
});

const Answer = z
  .discriminatedUnion("state", [
    z.object({
      name: z.string(),
      state: z.literal("upload"),
      key: z.string(),
      upload: SignedUpload,
      expiresAt: ExpiresAt,
    }),
    z.object({
      name: z.string(),
      state: z.literal("parts"),
      key: z.string(),
      parts: z.object({ uploadId: z.string(), partSizeBytes: z.int(), count: z.int() }),
    }),
    z.object({ name: z.string(), state: z.literal("known"), ulid: PhotoId.optional(), why: z.string() }),
    z.object({
      name: z.string(),
      state: z.literal("refused"),
      problem: z.object({ code: z.string(), message: z.string() }),
    }),
  ])
  .meta({ id: "UploadAnswer" });

const Part = z.discriminatedUnion("state", [
  z.object({ part: z.int(), sizeBytes: z.int(), state: z.literal("sent") }),
  z.object({ part: z.int(), sizeBytes: z.int(), state: z.literal("upload"), upload: SignedUpload }),
]);

export function uploadRoutes(photos: Photos): Route[] {
  return [askUploads(photos), askParts(photos), complete(photos)];
}

function askUploads(photos: Photos): Route {
  return route(
    {
      method: "post",
      path: "/events/{eventId}/uploads",
      access,
      tag,
      summary: "Ask where to send photos",
      description:
        "For each file, in the order asked: a signed URL, or the parts of a large one (over 20 MB), or that it is known " +
        "already, or why it is refused. Photographers send their own photos; organizers may say whose they are.",
      params: ofEvent,
      body: z.strictObject({
        files: z.array(File).min(1, "Name at least one file.").max(MOST_FILES, `Name at most ${MOST_FILES} files.`),
        photographerId: PhotographerId.optional(),
      }),
      answers: { 200: { description: "An answer for each file.", schema: z.object({ items: z.array(Answer) }) } },
      problems: [
        noEvent,
        { status: 400, code: "upload.which-photographer", when: "You are several of its photographers." },
        { status: 400, code: "upload.photographer-not-assigned", when: "The photographer is not assigned to it." },
        { status: 403, code: "upload.other-photographer", when: "You are not that photographer." },
      ],
    },
    async ({ params: { eventId }, actor, body }) => ({
      body: { items: await requestUploads(photos, { eventId, actor, ...body }) },
    }),
  );
}

function askParts(photos: Photos): Route {
  return route(
    {
      method: "post",
      path: "/events/{eventId}/uploads/parts",
      access,
      tag,
      summary: "Ask which parts of a large photo are missing, and where to send them",
      description: "To begin, to go on where it stopped, and for new URLs when they have expired.",
      params: ofEvent,
      body: z.strictObject({ key: z.string().max(MAX_KEY_CHARACTERS), uploadId: UploadId, sizeBytes: SizeBytes }),
      answers: {
        200: {
          description: "All parts in their order.",
          schema: z.object({ partSizeBytes: z.int(), parts: z.array(Part), expiresAt: ExpiresAt }),
        },
      },
      problems: [noEvent, badKey, noUpload],
    },
    async ({ params: { eventId }, body }) => ({
      body: await findParts(photos, await findEvent(photos, eventId), body),
    }),
  );
}

function complete(photos: Photos): Route {
  return route(
    {
      method: "post",
      path: "/events/{eventId}/uploads/complete",
      access,
      tag,
      summary: "Say that all parts of a large photo were sent",
      description: "Asking again is safe.",
      params: ofEvent,
      body: z.strictObject({
        key: z.string().max(MAX_KEY_CHARACTERS),
        uploadId: UploadId,
        parts: z.int().min(1).max(MAX_PARTS).meta({ description: "How many there are." }),
      }),
      answers: {
        200: { description: "The photo is there.", schema: z.object({ key: z.string(), sizeBytes: z.int() }) },
      },
      problems: [
        noEvent,
        badKey,
        noUpload,
        { status: 409, code: "blob.parts-missing", when: "Not all parts were sent." },
      ],
    },
    async ({ params: { eventId }, body }) => {
      const { key, sizeBytes } = await completeUpload(photos, await findEvent(photos, eventId), body);
      return { body: { key, sizeBytes } };
    },
  );
}
