/** `snaprace photos`: how an event's photos stand, and what organizers do about them. */

import { type Command, Option } from "commander";
import type { ShownPhotoLetter } from "../../photos/dead-letters.ts";
import { PhotoId } from "../../photos/photo-id.ts";
import type { PhotoJob, PhotoSummary } from "../../photos/summary.ts";
import type { PhotoView } from "../../photos/view.ts";
import { Bib, EventId } from "../../platform/ids.ts";
import { Problem } from "../../platform/problem.ts";
import { checkMeant, describe, limitOption, onApi, parsedBy, yesOption } from "./command.ts";
import { addDeadLetterCommands } from "./dead-letter-commands.ts";
import { duration } from "./entry-wording.ts";
import { addFailed } from "./photos-failed.ts";
import { atWork, photosPath } from "./photos-wording.ts";
import { facts, table } from "./table.ts";
import { counted } from "./wording.ts";

const eventArgument = ["<event>", "the event's id", parsedBy(EventId)] as const;

export function addPhotos(commands: Command): void {
  const group = commands
    .command("photos")
    .description("An event's photos: how they stand, what failed, what is to go.");
  addStatus(group);
  addList(group);
  addFailed(group);
  addDelete(group);
  addForgetFaces(group);
  addDeadLetterCommands<ShownPhotoLetter>(group, {
    name: "photos",
    listDescription: "List the messages about an event's photos that were given up on.",
    redriveDescription: "Send dead letters back to be handled.",
    pathOf: (eventId) => `/admin/events/${eventId}/photos/dead-letters`,
    othersPath: "/admin/photos/dead-letters",
    columns: {
      before: [["status", ({ status }) => status ?? ""]],
      last: ["object", ({ key, body }) => key ?? body],
    },
  });
}

function addStatus(group: Command): void {
  const status = describe(group.command("status"), "Count an event's photos by how they stand.", [
    "photos status han-river-10k",
  ]);
  onApi<[string], object>(status.argument(...eventArgument), async ({ api, args: [eventId] }) => {
    const found = await api.call<PhotoSummary>("GET", `${photosPath(eventId)}/summary`);
    return { json: found, text: facts(summaryFacts(found)) };
  });
}

const count = (value: number) => value.toLocaleString("en");

const FACES: { [state in PhotoSummary["faces"]["state"]]: string } = {
  none: "none yet",
  kept: "kept",
  "being-forgotten": "being forgotten",
  forgotten: "forgotten",
};

function summaryFacts(found: PhotoSummary): { [name: string]: string | undefined } {
  const { queueOfAllEvents: queue, roster, faces, jobs } = found;
  const since = found.oldestWaitingMs === null ? "" : `, the oldest for ${duration(found.oldestWaitingMs)}`;
  const letters = queue.dead > 0 ? `, ${counted(queue.dead, "dead letter")}` : "";
  return {
    uploaded: count(found.uploaded),
    processing: `${count(found.processing)}${since}`,
    done: count(found.done),
    failed: count(found.failed),
    duplicate: count(found.duplicate),
    deleted: count(found.deleted),
    "without bib": count(found.withoutBib),
    "with faces": count(found.withFaces),
    "in the queue": `${count(queue.waiting + queue.inFlight)} of all events${letters}`,
    runners: roster.runners === 0 ? "no roster" : `${count(roster.withPhoto)} of ${count(roster.runners)} have a photo`,
    faces: `${FACES[faces.state]}; indexing is ${faces.indexing ? "on" : "off"}, none are kept from ${faces.until} on`,
    "run again": jobs.reprocess ? jobWords(jobs.reprocess) : undefined,
    "faces forgotten": jobs.forgetFaces ? jobWords(jobs.forgetFaces) : undefined,
  };
}

function jobWords({ startedAt, finishedAt, seen, changed, which }: PhotoJob): string {
  const what = which === undefined ? "" : `${which}, `;
  const when = finishedAt === null ? `under way since ${startedAt}` : `ended ${finishedAt}`;
  return `${what}${when}: ${count(changed)} of ${counted(seen, "photo")} seen`;
}

function addList(group: Command): void {
  const list = describe(group.command("list"), "List an event's photos, newest first.", [
    "photos list han-river-10k --limit 20",
    "photos list han-river-10k --bib 1024",
  ]);
  list
    .argument(...eventArgument)
    .addOption(new Option("--bib <bib>", "only those of this bib").argParser(parsedBy(Bib)))
    .addOption(limitOption());
  onApi<[string], { bib?: string; limit?: number }>(list, async ({ api, args: [eventId], options: { bib, limit } }) => {
    const query = bib === undefined ? "" : `?${new URLSearchParams({ bib })}`;
    const items = await api.list<PhotoView>(`/events/${encodeURIComponent(eventId)}/photos${query}`, limit);
    const rows = items.map(({ ulid, fileName, bibs, photographer, takenAt, createdAt }) => [
      ulid,
      fileName,
      bibs.join(" "),
      photographer?.photographerId ?? "",
      takenAt ?? "",
      createdAt.replace(/\.\d+/, ""),
    ]);
    const headings = ["photo", "file", "bibs", "photographer", "taken", "uploaded"];
    const none = bib === undefined ? `${eventId} has no photos yet.` : `${eventId} has no photos of ${bib}.`;
    return { json: { items }, text: table(headings, rows, none) };
  });
}

function addDelete(group: Command): void {
  const remove = describe(group.command("delete"), "Delete photos for good: originals, pictures, and faces.", [
    "photos delete han-river-10k 01KXDJ6T3V9QN4W8Y2ZB5C7D1E --yes",
  ]);
  remove
    .argument(...eventArgument)
    .argument("<photos...>", "the photos' ids")
    .addOption(yesOption());
  onApi<[string, string[]], { yes?: boolean }>(remove, async ({ api, args: [eventId, photos], options }) => {
    const ulids = photos.map((photo) => {
      const ulid = PhotoId.safeParse(photo);
      if (ulid.success) return ulid.data;
      throw new Problem("invalid", "usage.photo-id", `${photo} is no photo's id.`);
    });
    checkMeant(options, `${counted(ulids.length, "photo")} of ${eventId} with the originals`);
    for (const ulid of ulids) await api.call("DELETE", `${photosPath(eventId)}/${ulid}`);
    return { json: { deleted: ulids }, text: `Deleted ${counted(ulids.length, "photo")} of ${eventId}.` };
  });
}

function addForgetFaces(group: Command): void {
  const forget = describe(
    group.command("forget-faces"),
    "Forget an event's faces: no selfie finds its photos any more.",
    ["photos forget-faces han-river-10k --yes"],
  );
  forget.argument(...eventArgument).addOption(yesOption());
  onApi<[string], { yes?: boolean }>(forget, async ({ api, args: [eventId], options }) => {
    checkMeant(options, `the faces of ${eventId}`);
    const job = await api.call<PhotoJob>("DELETE", `/admin/events/${encodeURIComponent(eventId)}/faces`);
    const sentence = `The faces of ${eventId} are being forgotten. Photos that come later bring new ones, unless face indexing is off.`;
    return { json: job, text: sentence + atWork(api) };
  });
}
