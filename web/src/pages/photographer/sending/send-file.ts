/** Asks the server where to send files, and sends one there, whole or in the parts that are missing. */

import { call } from "../../../api/call.ts";
import type { UploadAnswer } from "../../../api/types.ts";
import { putBytes, type Sending } from "./put-bytes.ts";
import type { QueuedFile } from "./queued-file.ts";
import { StaleGrant } from "./trouble.ts";

export type { UploadAnswer };
export type Target = { eventId: string; photographerId?: string | undefined };
export type Granted = Extract<UploadAnswer, { state: "upload" | "parts" }>;
type InParts = Extract<UploadAnswer, { state: "parts" }>;

/** A URL that ends within this time may end on the way. */
const FRESH_MS = 60_000;

export async function askFor({ eventId, photographerId }: Target, rows: QueuedFile[]): Promise<UploadAnswer[]> {
  const files = rows.map(({ file, path, sizeBytes, sha256, uploadId }) => ({
    name: (path.split("/").at(-1) ?? path).toWellFormed(),
    sizeBytes,
    ...(file?.type && { contentType: file.type }),
    ...(sha256 && { sha256 }),
    ...(uploadId && { uploadId }),
  }));
  const body = { files, ...(photographerId !== undefined && { photographerId }) };
  return (await call("POST /events/{eventId}/uploads", { path: { eventId }, body })).items;
}

export async function sendFile({ eventId }: Target, file: File, granted: Granted, sending: Sending): Promise<void> {
  if (granted.state === "parts") return sendParts(eventId, file, granted, sending);
  if (Date.parse(granted.expiresAt) < Date.now() + FRESH_MS) throw new StaleGrant();
  await putBytes(file, granted.upload, sending);
}

async function sendParts(eventId: string, file: File, { key, parts }: InParts, sending: Sending): Promise<void> {
  const { uploadId, partSizeBytes, count } = parts;
  const { signal, onProgress } = sending;
  const body = { key, uploadId, sizeBytes: file.size };
  const asked = await call("POST /events/{eventId}/uploads/parts", { path: { eventId }, body, signal });
  let sentBytes = asked.parts.reduce((sum, part) => sum + (part.state === "sent" ? part.sizeBytes : 0), 0);
  onProgress(sentBytes);
  for (const part of asked.parts) {
    if (part.state === "sent") continue;
    const start = (part.part - 1) * partSizeBytes;
    const already = sentBytes;
    const tell = (partBytes: number) => onProgress(already + partBytes);
    await putBytes(file.slice(start, start + part.sizeBytes), part.upload, { signal, onProgress: tell });
    sentBytes += part.sizeBytes;
  }
  const done = { key, uploadId, parts: count };
  await call("POST /events/{eventId}/uploads/complete", { path: { eventId }, body: done, signal });
}
