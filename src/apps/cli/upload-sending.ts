/** Sends one file to where the server says, whole or in parts, and again where it stopped if something breaks. */

import { createReadStream } from "node:fs";
import path from "node:path";
import type { UploadAnswer } from "../../photos/request-uploads.ts";
import type { PartAnswer } from "../../photos/upload-parts.ts";
import type { SignedUpload } from "../../platform/ports.ts";
import { Problem } from "../../platform/problem.ts";
import type { Connection } from "./connection.ts";
import { checkUnchanged, type UploadFile } from "./upload-files.ts";
import type { UploadMemory } from "./upload-memory.ts";
import type { Meter } from "./upload-meter.ts";
import type { Patience } from "./upload-patience.ts";

/** A connection that takes nothing for so long is dead, though nobody says so. */
const STALLED_MS = 60_000;
/** Told no with a new URL, it is not the URL's age. */
const MOST_REFUSALS = 3;
const PIECE_BYTES = 256 * 1024;

export type CheckedFile = UploadFile & { sha256: string };
type Granted = Extract<UploadAnswer, { state: "upload" | "parts" }>;
type Done = { state: "sent"; key: string } | Exclude<UploadAnswer, Granted>;

export type Sender = {
  api: Connection;
  event: string;
  photographer?: string | undefined;
  memory: UploadMemory;
  meter: Meter;
  patience: Patience;
  signal: AbortSignal;
};

const pathOf = (event: string, more = "") => `/events/${encodeURIComponent(event)}/uploads${more}`;
/** A file system may have names that are no text. */
const nameOf = ({ file }: UploadFile) => path.basename(file).toWellFormed();

export async function askFor(sender: Sender, files: CheckedFile[]): Promise<UploadAnswer[]> {
  const { api, event, photographer, memory } = sender;
  const asked = await Promise.all(
    files.map(async (file) => {
      const { sizeBytes, sha256 } = file;
      const uploadId = await memory.recall({ name: nameOf(file), sha256 });
      return { name: nameOf(file), sizeBytes, sha256, ...(uploadId !== undefined && { uploadId }) };
    }),
  );
  const body = { files: asked, ...(photographer !== undefined && { photographerId: photographer }) };
  return (await api.call<{ items: UploadAnswer[] }>("POST", pathOf(event), body)).items;
}

/** `granted` may be too old by now. */
export async function sendFile(sender: Sender, file: CheckedFile, granted: Granted): Promise<Done> {
  let answer: UploadAnswer | undefined = isFresh(granted) ? granted : undefined;
  return sender.patience(async (wentWell) => {
    for (let refusals = 0; ; ) {
      // Perhaps it arrived, and only the answer was lost.
      const now = answer ?? (await askFor(sender, [file]))[0];
      answer = undefined;
      if (now?.state !== "upload" && now?.state !== "parts") return settledAs(now, granted);
      try {
        await send(sender, file, now, wentWell);
        return { state: "sent", key: now.key };
      } catch (error) {
        refusals += 1;
        if (!isRefusal(error) || refusals === MOST_REFUSALS) throw error;
      }
    }
  });
}

async function send(sender: Sender, file: CheckedFile, granted: Granted, wentWell: () => void): Promise<void> {
  await checkUnchanged(file);
  if (granted.state === "parts") return sendParts(sender, file, granted, wentWell);
  return put(sender, file, granted.upload, { start: 0, sizeBytes: file.sizeBytes });
}

function isFresh(answer: Granted): boolean {
  return answer.state === "parts" || Date.now() < Date.parse(answer.expiresAt);
}

/** What is known now, and was not when it was first asked for, is there because it was sent. */
function settledAs(answer: Exclude<UploadAnswer, Granted> | undefined, { key }: Granted): Done {
  if (!answer) throw new Problem("unexpected", "server.not-snaprace", "The server left a file out of its answer.");
  return answer.state === "known" ? { state: "sent", key } : answer;
}

const REFUSALS = new Set(["upload.url-refused", "upload.not-found", "blob.parts-missing"]);

/** The URL has expired, or the upload in parts has ended: both begin anew. */
function isRefusal(error: unknown): boolean {
  return error instanceof Problem && REFUSALS.has(error.code);
}

/** What is wrong with one file only; everything else would go wrong with the others too. */
export function isOfFile(error: unknown): error is Problem {
  return isRefusal(error) || (error instanceof Problem && /^(file\.|upload\.not-taken$)/.test(error.code));
}

type InParts = Extract<UploadAnswer, { state: "parts" }>;

async function sendParts(
  sender: Sender,
  file: CheckedFile,
  { key, parts: { uploadId, partSizeBytes, count } }: InParts,
  wentWell: () => void,
): Promise<void> {
  const { api, event, memory, meter } = sender;
  const remembered = { name: nameOf(file), sha256: file.sha256 };
  await memory.keep(remembered, uploadId);
  const ask = { key, uploadId, sizeBytes: file.sizeBytes };
  const { parts } = await api.call<{ parts: PartAnswer[] }>("POST", pathOf(event, "/parts"), ask);
  let sentBytes = 0;
  try {
    for (const part of parts) {
      const which = { start: (part.part - 1) * partSizeBytes, sizeBytes: part.sizeBytes };
      if (part.state === "upload") await put(sender, file, part.upload, which);
      else meter.found(part.sizeBytes);
      sentBytes += part.sizeBytes;
      if (part.state === "upload") wentWell();
    }
    await api.call("POST", pathOf(event, "/complete"), { key, uploadId, parts: count });
  } catch (error) {
    // Those that are there are found there when it goes on.
    meter.found(-sentBytes);
    throw error;
  }
  await memory.forget(remembered);
}

type Range = { start: number; sizeBytes: number };

async function put(sender: Sender, { file }: UploadFile, to: SignedUpload, range: Range): Promise<void> {
  const stalled = new AbortController();
  const signal = AbortSignal.any([sender.signal, stalled.signal]);
  const watch = setTimeout(() => stalled.abort(), STALLED_MS);
  let onWayBytes = 0;
  const pieces = async function* () {
    const end = range.start + range.sizeBytes - 1;
    for await (const piece of createReadStream(file, { start: range.start, end, highWaterMark: PIECE_BYTES, signal })) {
      watch.refresh();
      yield piece as Uint8Array;
      onWayBytes += piece.length;
      sender.meter.sent(piece.length);
    }
  };
  const request = new Request(to.url, {
    method: to.method,
    headers: { ...to.headers, "content-length": String(range.sizeBytes) },
    body: ReadableStream.from(pieces()),
    duplex: "half",
    signal,
  });
  try {
    await checkTaken(await sender.api.fetchSigned(request).catch(unreachable(to.url)), to.url);
  } catch (error) {
    sender.meter.sent(-onWayBytes);
    throw error;
  } finally {
    clearTimeout(watch);
  }
}

function unreachable(url: string): (cause: unknown) => never {
  return (cause) => {
    const sentence = `The connection to ${new URL(url).origin} was lost. Check the network, and that the server runs.`;
    throw new Problem("unavailable", "server.unreachable", sentence, { cause });
  };
}

/** The answer may be S3's, which speaks XML. */
async function checkTaken(answer: Response, url: string): Promise<void> {
  const text = await answer.text().catch(unreachable(url));
  if (answer.ok) return;
  const { status } = answer;
  const said = `${new URL(url).origin} answered ${`${status} ${answer.statusText}`.trim()}`;
  if (status === 403 || status === 404) {
    throw new Problem("forbidden", "upload.url-refused", `${said}, and takes the file no more. Upload it again.`);
  }
  if (status >= 500 || status === 429 || status === 408 || text.includes("RequestTimeout")) {
    throw new Problem("unavailable", "server.busy", `${said}. Try again later.`);
  }
  throw new Problem("invalid", "upload.not-taken", `${said} to the file. Check any proxy before it.`);
}
