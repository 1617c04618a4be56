/** The route that finds photos by a selfie: takes the picture, holds it for as long as it is looked at, and forgets it. */

import { z } from "zod";
import type { Actor } from "../platform/actor.ts";
import { readBytes } from "../platform/http/body.ts";
import type { Incoming } from "../platform/http/exchange.ts";
import { createRateLimit } from "../platform/http/rate-limit.ts";
import { type Route, route } from "../platform/http/route.ts";
import { Bib, EventId } from "../platform/ids.ts";
import { tooLarge } from "../platform/picture-limits.ts";
import { Problem } from "../platform/problem.ts";
import type { Photos } from "./photos.ts";
import { checkSelfieSearch, searchBySelfie } from "./selfie-search.ts";
import { Box, PhotoView, showPhoto } from "./view.ts";
import { findVisibleEvent } from "./visible-event.ts";

const MAX_PICTURE_BYTES = 15 * 1024 * 1024;
/** What a form puts around its file. */
const MAX_FORM_BYTES = MAX_PICTURE_BYTES + 64 * 1024;
/** Of all pictures that are being received or looked at; who comes above it is asked to come again. */
const MAX_HELD_BYTES = 200 * 1024 * 1024;
const BUSY_RETRY_MS = 3000;
const WINDOW_MS = 60_000;
const SEARCHES_PER_CALLER = 10;
/** A venue's guests share one. */
const SEARCHES_PER_ADDRESS = 60;

const SelfieAnswer = z.object({
  faces: z.int().min(1).meta({ description: "How many the picture has: of several, the largest was searched with." }),
  used: z.object({ box: Box }),
  items: z.array(
    PhotoView.extend({
      similarity: z.number().meta({ description: "From 0 to 1." }),
      alreadyShown: z.boolean().meta({ description: "Whether the bib's own search shows it too." }),
    }).meta({ id: "FoundPhoto" }),
  ),
});

const problems = [
  { status: 404, code: "event.not-found", when: "There is none, or it is not published." },
  { status: 409, code: "selfie.off", when: "The event has no search by face, or its faces are no longer kept." },
  { status: 400, code: "picture.no-face", when: "No face is seen in the picture." },
  { status: 400, code: "selfie.face-too-small", when: "The face is too small to be told from others." },
  { status: 400, code: "selfie.face-unclear", when: "The face is blurred or seen from the side." },
  { status: 400, code: "picture.unreadable", when: "It is no picture, or a part of it is missing." },
  { status: 400, code: "picture.too-small", when: "The picture is too small to see anything in it." },
  { status: 400, code: "selfie.no-picture", when: "The form has no file, more than one, or can't be read." },
  { status: 413, code: "http.body-too-large", when: "The picture has more than 15 MiB." },
  { status: 413, code: "picture.too-large", when: "The picture has too many bytes or pixels." },
  { status: 415, code: "selfie.heic", when: "It is a HEIC picture." },
  { status: 415, code: "selfie.bad-type", when: "The body is neither a picture nor a form." },
  { status: 503, code: "selfie.busy", when: "Too many pictures come at once. Try again." },
];

export function selfieRoutes(photos: Photos, { maxHeldBytes = MAX_HELD_BYTES } = {}): Route[] {
  const countSearch = createCounter(photos);
  const held = { bytes: 0, maxBytes: maxHeldBytes };
  return [
    route(
      {
        method: "post",
        path: "/events/{eventId}/selfie-search",
        access: "anyone",
        tag: "Photos",
        summary: "Find photos by a selfie",
        description: `The picture is used for this search and never stored. ${SEARCHES_PER_CALLER} searches a minute.`,
        params: z.object({ eventId: EventId }),
        query: z.strictObject({
          bib: Bib.optional().meta({ description: "Marks the photos that the search for this bib shows anyway." }),
        }),
        rawBody: {
          contentType: "image/*",
          description: "JPEG, PNG or WebP of at most 15 MiB, as the body or as the file of a form.",
          maxBytes: MAX_FORM_BYTES,
          formField: "selfie",
        },
        answers: { 200: { description: "The photos, the most alike first.", schema: SelfieAnswer } },
        problems,
      },
      async ({ params: { eventId }, query: { bib }, actor, request, address }) => {
        const event = await findVisibleEvent(photos, eventId, actor);
        checkSelfieSearch(photos, event);
        countSearch(actor, address);
        const { found, ...answer } = await holdPicture(held, request, (image) =>
          searchBySelfie(photos, event, { image, bib }),
        );
        const items = found.map(async ({ item, ...match }) => ({ ...(await showPhoto(photos, item)), ...match }));
        return { body: { ...answer, items: await Promise.all(items) } };
      },
    ),
  ];
}

/** Callers are counted by who they are; who is nobody yet, by their address. */
function createCounter({ clock }: Photos): (actor: Actor | undefined, address: () => string) => void {
  const window = { windowMs: WINDOW_MS, now: () => clock.now() };
  const callers = createRateLimit({ requests: SEARCHES_PER_CALLER, ...window });
  const addresses = createRateLimit({ requests: SEARCHES_PER_ADDRESS, ...window });
  return (actor, address) => (actor ? callers.count(actor.userId) : addresses.count(address()));
}

async function holdPicture<T>(
  held: { bytes: number; maxBytes: number },
  request: Incoming,
  work: (image: Uint8Array) => Promise<T>,
): Promise<T> {
  const read = pictureReader(request);
  let ownBytes = 0;
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of readBytes(request, read.maxBytes)) {
      if (held.bytes + chunk.byteLength > held.maxBytes) throw busy();
      held.bytes += chunk.byteLength;
      ownBytes += chunk.byteLength;
      chunks.push(chunk);
    }
    return await work(await read.picture(Buffer.concat(chunks.splice(0))));
  } finally {
    held.bytes -= ownBytes;
  }
}

type PictureReader = { maxBytes: number; picture(body: Buffer): Promise<Uint8Array> };

function pictureReader(request: Incoming): PictureReader {
  const type = request.header("content-type") ?? "application/octet-stream";
  if (/^multipart\/form-data\s*;/i.test(type)) {
    return { maxBytes: MAX_FORM_BYTES, picture: (body) => pictureInForm(body, type) };
  }
  if (/^(?:image\/|application\/octet-stream\s*(?:;|$))/i.test(type)) {
    return { maxBytes: MAX_PICTURE_BYTES, picture: async (body) => body };
  }
  const message = "Send the picture itself with its type, such as image/jpeg, or a form (multipart/form-data) with it.";
  throw new Problem("unsupported-type", "selfie.bad-type", message);
}

/** Whatever its field is called: there is but one. */
async function pictureInForm(body: Buffer, type: string): Promise<Uint8Array> {
  const form = await new Response(body, { headers: { "content-type": type } }).formData().catch((error: unknown) => {
    throw notOnePicture("The form can't be read.", error);
  });
  const [file, ...more] = [...form.values()].filter((value) => typeof value !== "string");
  if (!file) throw notOnePicture("The form has no file.");
  if (more.length > 0) throw notOnePicture("The form has several files.");
  if (file.size > MAX_PICTURE_BYTES) throw tooLarge();
  return new Uint8Array(await file.arrayBuffer());
}

function notOnePicture(what: string, cause?: unknown): Problem {
  return new Problem("invalid", "selfie.no-picture", `${what} Send one picture.`, { cause });
}

function busy(): Problem {
  const message = "Too many pictures come at once. Try again in a few seconds.";
  return new Problem("unavailable", "selfie.busy", message, { retryInMs: BUSY_RETRY_MS });
}
