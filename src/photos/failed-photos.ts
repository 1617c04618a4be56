/** Uploads as organizers see them: those that failed, with the reason, and one with all that happened to it. */

import { z } from "zod";
import type { PageRequest } from "../platform/http/paging.ts";
import { PhotographerId } from "../platform/ids.ts";
import type { HistoryEvent, Page } from "../platform/ports.ts";
import { Problem } from "../platform/problem.ts";
import { fileNameIn } from "./compose-photo.ts";
import { executionName } from "./ingest.ts";
import { type UploadItem, uploadsPartition } from "./items.ts";
import type { EventPlace } from "./object-keys.ts";
import { PhotoId } from "./photo-id.ts";
import type { Photos } from "./photos.ts";
import { noPhoto } from "./reprocess.ts";
import { failureOf } from "./unusable-photo.ts";
import { findUpload, type UploadRef } from "./uploads.ts";

export const UploadStatus = z.enum(["PROCESSING", "DONE", "FAILED", "DUPLICATE", "DELETED"]);

const Reason = z.object({
  code: z.string().meta({ example: "photo.truncated" }),
  message: z.string().meta({ description: "What is wrong, and what to do." }),
});

export const UploadView = z
  .object({
    ulid: PhotoId,
    fileName: z.string().meta({ description: "As it was uploaded." }),
    photographerId: PhotographerId.nullable(),
    status: UploadStatus,
    attempt: z.int().meta({ description: "How often it was worked on." }),
    uploadedAt: z.string().meta({ description: "ISO 8601." }),
    changedAt: z.string().meta({ description: "Since when it stands so, ISO 8601." }),
    failure: Reason.nullable(),
    duplicateOf: PhotoId.nullable().meta({ description: "The photo that has the same bytes." }),
  })
  .meta({ id: "Upload" });
export type UploadView = z.infer<typeof UploadView>;

export const UploadWithHistory = UploadView.extend({
  history: z
    .array(
      z.object({
        at: z.string().meta({ description: "ISO 8601." }),
        type: z.string().meta({ example: "TaskStateEntered" }),
        state: z.string().nullable().meta({ example: "PreprocessImage" }),
        error: z.string().nullable(),
        reason: Reason.nullable(),
      }),
    )
    .meta({ description: "What happened in the last attempt; empty when that is long ago." }),
}).meta({ id: "UploadWithHistory" });
export type UploadWithHistory = z.infer<typeof UploadWithHistory>;

const NO_REASON = failureOf("").code;

/** Newest first: all, or those of one photographer, `null` being nobody. */
export async function listFailed(
  { table }: Photos,
  event: EventPlace,
  page: PageRequest,
  photographerId?: string | null,
): Promise<Page<UploadView>> {
  const { items, cursor } = (await table.query({
    index: "GSI1",
    partition: uploadsPartition(event.eventId, "FAILED"),
    order: "descending",
    limit: page.limit,
    ...(page.cursor !== undefined && { cursor: page.cursor }),
  })) as Page<UploadItem>;
  // The id may have been another organization's, whose uploads are still being removed.
  const own = items.filter(({ orgId }) => orgId === event.orgId);
  const shown = own.map(showUpload).filter((upload) => [undefined, upload.photographerId].includes(photographerId));
  return { items: shown, ...(cursor !== undefined && { cursor }) };
}

export async function readUpload(photos: Photos, ref: UploadRef): Promise<UploadWithHistory> {
  const upload = await findUpload(photos.table, ref);
  if (!upload) throw noPhoto(ref.ulid);
  const history = await photos.workflow.history(executionName(upload)).catch((error: unknown) => {
    // Not started yet, or so long ago that the engine forgot it.
    if (error instanceof Problem && error.kind === "missing") return [];
    throw error;
  });
  return { ...showUpload(upload), history: history.map(showEvent) };
}

function showEvent({ at, type, state = "", error = "", cause }: HistoryEvent): UploadWithHistory["history"][number] {
  const reason = cause === undefined ? undefined : failureOf(cause);
  return {
    at: new Date(at).toISOString(),
    type,
    state: state || null,
    error: error || null,
    // What has no code of its own is of the inside.
    reason: reason && reason.code !== NO_REASON ? reason : null,
  };
}

export function showUpload(upload: UploadItem): UploadView {
  const { ulid, rawKey, status, attempt, uploadedAt, changedAt, photographerId, failure, duplicateOf } = upload;
  return {
    ulid,
    fileName: fileNameIn(rawKey),
    photographerId: photographerId ?? null,
    status,
    attempt,
    uploadedAt,
    changedAt,
    failure: failure ?? null,
    duplicateOf: duplicateOf ?? null,
  };
}
