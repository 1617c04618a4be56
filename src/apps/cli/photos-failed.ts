/** `snaprace photos failed`, `photos upload` and `photos reprocess`: what went wrong, and another try. */

import type { Command } from "commander";
import type { UploadView, UploadWithHistory } from "../../photos/failed-photos.ts";
import { PhotoId } from "../../photos/photo-id.ts";
import type { PhotoJob } from "../../photos/summary.ts";
import { EventId } from "../../platform/ids.ts";
import { Problem } from "../../platform/problem.ts";
import { type Call, describe, limitOption, onApi, parsedBy, type Result } from "./command.ts";
import { atWork, photosPath } from "./photos-wording.ts";
import { facts, table } from "./table.ts";

const eventArgument = ["<event>", "the event's id", parsedBy(EventId)] as const;
const photoArgument = ["<photo>", "the photo's id", parsedBy(PhotoId)] as const;

export function addFailed(group: Command): void {
  addList(group);
  addUploadShown(group);
  addReprocess(group);
}

function addList(group: Command): void {
  const list = describe(group.command("failed"), "List the photos that failed, newest first, with the reason.", [
    "photos failed han-river-10k",
  ]);
  list.argument(...eventArgument).addOption(limitOption());
  onApi<[string], { limit?: number }>(list, async ({ api, args: [eventId], options: { limit } }) => {
    const items = await api.list<UploadView>(`${photosPath(eventId)}/failed`, limit);
    const rows = items.map(({ ulid, fileName, photographerId, attempt, changedAt, failure }) => [
      ulid,
      fileName,
      photographerId ?? "",
      String(attempt),
      changedAt.replace(/\.\d+/, ""),
      failure?.code ?? "",
      failure?.message ?? "",
    ]);
    const headings = ["photo", "file", "photographer", "attempts", "failed", "reason", ""];
    return { json: { items }, text: table(headings, rows, `No photo of ${eventId} has failed.`) };
  });
}

function addUploadShown(group: Command): void {
  const show = describe(group.command("upload"), "Show how the work on an upload stands, and what happened to it.", [
    "photos upload han-river-10k 01KXDJ6T3V9QN4W8Y2ZB5C7D1E",
  ]);
  show.argument(...eventArgument).argument(...photoArgument);
  onApi<[string, string], object>(show, async ({ api, args: [eventId, ulid] }) => {
    const path = `/admin/events/${encodeURIComponent(eventId)}/uploads/${ulid}`;
    const upload = await api.call<UploadWithHistory>("GET", path);
    const head = facts({
      photo: upload.ulid,
      file: upload.fileName,
      photographer: upload.photographerId,
      status: upload.status,
      attempts: String(upload.attempt),
      uploaded: upload.uploadedAt,
      since: upload.changedAt,
      failure: upload.failure && `${upload.failure.code}: ${upload.failure.message}`,
      "same as": upload.duplicateOf,
    });
    const steps = upload.history.map(({ at, type, state, error, reason }) => [
      at,
      type,
      state ?? "",
      reason ? `${reason.code}: ${reason.message}` : (error ?? ""),
    ]);
    const text = `${head}\n\n${table(["at", "what", "state", ""], steps, "Nothing is known of what happened to it.")}`;
    return { json: upload, text };
  });
}

type Which = { failed?: boolean; all?: boolean };

function addReprocess(group: Command): void {
  const again = describe(group.command("reprocess"), "Run the work on photos again: on those named, or on many.", [
    "photos reprocess han-river-10k 01KXDJ6T3V9QN4W8Y2ZB5C7D1E",
    "photos reprocess han-river-10k --failed",
    "photos reprocess han-river-10k --all",
  ]);
  again
    .argument(...eventArgument)
    .argument("[photos...]", "the photos' ids")
    .option("--failed", "all that failed")
    .option("--all", "all that failed or are done");
  onApi<[string, string[]], Which>(again, (call) => (call.args[1].length > 0 ? some(call) : many(call)));
}

async function some({ api, args: [eventId, photos], options }: Call<[string, string[]], Which>): Promise<Result> {
  if (options.failed || options.all) throw whichPhotos();
  const items: UploadView[] = [];
  for (const photo of photos) {
    const ulid = PhotoId.safeParse(photo);
    if (!ulid.success) throw new Problem("invalid", "usage.photo-id", `${photo} is no photo's id.`);
    items.push(await api.call<UploadView>("POST", `${photosPath(eventId)}/${ulid.data}/reprocess`));
  }
  const lines = items.map(
    ({ ulid, fileName, attempt }) => `${ulid} (${fileName}) is being worked on, attempt ${attempt}.`,
  );
  return { json: { items }, text: lines.join("\n") + atWork(api) };
}

async function many({ api, args: [eventId], options }: Call<[string, string[]], Which>): Promise<Result> {
  if (Boolean(options.failed) === Boolean(options.all)) throw whichPhotos();
  const which = options.all ? "all" : "failed";
  const job = await api.call<PhotoJob>("POST", `${photosPath(eventId)}/reprocess`, { which });
  const what = which === "all" ? "All photos" : "The failed photos";
  const sentence = `${what} of ${eventId} are being run again; \`snaprace photos status ${eventId}\` shows how far that is.`;
  return { json: job, text: sentence + atWork(api) };
}

function whichPhotos(): Problem {
  return new Problem("invalid", "usage.which-photos", "Give photos' ids, or --failed, or --all.");
}
