/** The routes by which photographers see what became of their uploads: how many stand where, and which failed. */

import { z } from "zod";
import { PageQuery, pageOf } from "../platform/http/paging.ts";
import { type Route, route } from "../platform/http/route.ts";
import { EventId, PhotographerId } from "../platform/ids.ts";
import { listFailed, UploadView } from "./failed-photos.ts";
import type { Photos } from "./photos.ts";
import { findEvent } from "./request-uploads.ts";
import { photoCounts, shownCounts } from "./summary.ts";
import { photographerSeen } from "./upload-photographer.ts";
import { readCounts } from "./uploads.ts";

const tag = "Photos";
const access = "photographerOfEvent";
const ofEvent = z.object({ eventId: EventId });
const Whose = z.strictObject({
  photographer: PhotographerId.optional().meta({
    description: "You, if it is left out. Organizers may name anybody, and get what is nobody's if they name none.",
  }),
});
const problems = [
  { status: 404, code: "event.not-found", when: "You have no such event." },
  { status: 400, code: "upload.which-photographer", when: "You are several of its photographers." },
  { status: 400, code: "upload.photographer-not-assigned", when: "The photographer is not assigned to it." },
  { status: 403, code: "upload.other-photographer", when: "You are not that photographer." },
];

const UploadSummary = z
  .object({ eventId: EventId, photographerId: PhotographerId.nullable(), ...photoCounts })
  .meta({ id: "UploadSummary" });

export function ownUploadRoutes(photos: Photos): Route[] {
  return [summary(photos), failed(photos)];
}

function summary(photos: Photos): Route {
  return route(
    {
      method: "get",
      path: "/events/{eventId}/uploads/summary",
      access,
      tag,
      summary: "Count a photographer's uploads by how they stand",
      description: "From counters: as cheap with a million photos as with one.",
      params: ofEvent,
      query: Whose,
      answers: { 200: { description: "The counts.", schema: UploadSummary } },
      problems,
    },
    async ({ params: { eventId }, query, actor }) => {
      const event = await findEvent(photos, eventId);
      const photographerId = (await photographerSeen(photos, event, actor, query.photographer)) ?? null;
      const counts = await readCounts(photos.table, event, photographerId ?? "");
      return { body: { eventId, photographerId, ...shownCounts(counts) } };
    },
  );
}

function failed(photos: Photos): Route {
  return route(
    {
      method: "get",
      path: "/events/{eventId}/uploads/failed",
      access,
      tag,
      summary: "List a photographer's uploads that failed, with the reason",
      description: "Newest first. A page may have fewer than asked for and still lead to a next.",
      params: ofEvent,
      query: PageQuery.extend(Whose.shape),
      answers: { 200: { description: "A page.", schema: pageOf(UploadView) } },
      problems,
    },
    async ({ params: { eventId }, query: { photographer, ...page }, actor }) => {
      const event = await findEvent(photos, eventId);
      const photographerId = (await photographerSeen(photos, event, actor, photographer)) ?? null;
      return { body: await listFailed(photos, event, page, photographerId) };
    },
  );
}
