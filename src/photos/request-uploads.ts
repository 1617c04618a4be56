/** A photographer says which files they have; each is answered with where to send it, or why it is not wanted. */

import { randomBytes } from "node:crypto";
import type { Actor } from "../platform/actor.ts";
import type { SignedUpload } from "../platform/ports.ts";
import { Problem, type ProblemKind } from "../platform/problem.ts";
import type { EventForPhotos } from "../registry/events.ts";
import { type ContentItem, contentKey, type UploadItem, uploadKey } from "./items.ts";
import { type EventPlace, originalFileName, parseRawKey, rawKey, uniqueFileName } from "./object-keys.ts";
import { noteName } from "./other-names.ts";
import { photoIdOf } from "./photo-id.ts";
import { photographerMetadata } from "./photographer-metadata.ts";
import type { Photos } from "./photos.ts";
import { checkPhotoSize, photoType, safeName } from "./upload-names.ts";
import { partsOf } from "./upload-parts.ts";
import { photographerOf } from "./upload-photographer.ts";
import { findUpload } from "./uploads.ts";
import { noEvent } from "./visible-event.ts";

/** Larger ones go in parts. */
const LARGEST_WHOLE_BYTES = 20_000_000;
const URL_LIFE_MS = 3_600_000;
/** On AWS every one of them is a request to S3. */
const AT_ONCE = 50;
const KEY_HEX_DIGITS = 16;
/** What is wrong with the file; everything else is wrong with us. */
const REFUSALS: ReadonlySet<ProblemKind> = new Set(["invalid", "too-large", "unsupported-type"]);

export type AskedFile = {
  name: string;
  sizeBytes: number;
  contentType?: string | undefined;
  sha256?: string | undefined;
  uploadId?: string | undefined;
};
type Refused = { name: string; state: "refused"; problem: { code: string; message: string } };
type Known = { name: string; state: "known"; ulid?: string; why: string };
type Granted =
  | { name: string; state: "upload"; key: string; upload: SignedUpload; expiresAt: string }
  | { name: string; state: "parts"; key: string; parts: { uploadId: string; partSizeBytes: number; count: number } };
export type UploadAnswer = Granted | Known | Refused;

type Asked = { event: EventPlace; metadata: { [name: string]: string } };
type Content = { item: ContentItem; upload: UploadItem | undefined };

export async function requestUploads(
  photos: Photos,
  ask: { eventId: string; actor: Actor; photographerId?: string | undefined; files: AskedFile[] },
): Promise<UploadAnswer[]> {
  const event = await findEvent(photos, ask.eventId);
  const photographerId = await photographerOf(photos, event, ask.actor, ask.photographerId);
  const metadata = photographerId === undefined ? {} : photographerMetadata(photographerId);
  const contents = await findContents(photos, event, ask.files);
  const answers: UploadAnswer[] = [];
  for (let from = 0; from < ask.files.length; from += AT_ONCE) {
    const some = ask.files.slice(from, from + AT_ONCE);
    const answered = some.map((file) => answerFile(photos, { event, metadata }, file, contents.get(file.sha256 ?? "")));
    answers.push(...(await Promise.all(answered)));
  }
  return answers;
}

/** Read afresh: what is signed now can be used for an hour. */
export async function findEvent({ facts }: Pick<Photos, "facts">, eventId: string): Promise<EventForPhotos> {
  const event = await facts.eventForPhotos(eventId);
  if (!event) throw noEvent(eventId);
  return event;
}

/** The photos of the event that have the same bytes. */
async function findContents({ table }: Photos, event: EventPlace, files: AskedFile[]): Promise<Map<string, Content>> {
  const sums = [...new Set(files.flatMap(({ sha256 }) => sha256 ?? []))];
  const found = await table.batchGet(sums.map((sha256) => contentKey(event, sha256)));
  const items = found.filter((item) => item !== undefined) as ContentItem[];
  const uploads = await table.batchGet(items.map(({ ulid }) => uploadKey(event, ulid)));
  return new Map(items.map((item, n) => [item.sha256, { item, upload: uploads[n] as UploadItem | undefined }]));
}

async function answerFile(
  photos: Photos,
  asked: Asked,
  file: AskedFile,
  content: Content | undefined,
): Promise<UploadAnswer> {
  const { name, sizeBytes, sha256 } = file;
  try {
    const safe = safeName(name);
    const contentType = photoType(safe, file.contentType);
    checkPhotoSize(sizeBytes);
    const key = rawKey(asked.event, uniqueFileName(sha256?.slice(0, KEY_HEX_DIGITS) ?? randomDigits(), safe));
    const there = content ? knownBy(name, content.upload, content.item.rawKey) : undefined;
    if (content && there?.state === "known") await noteName(photos, asked.event, content.item.sha256, key);
    // Only a key that is made of the bytes can be there already.
    const known = there ?? (sha256 === undefined ? undefined : await knownUnder(photos, asked.event, key, name));
    if (known) return known;
    const grant = { key, contentType, metadata: asked.metadata };
    return await (sizeBytes > LARGEST_WHOLE_BYTES ? grantParts(photos, file, grant) : grantWhole(photos, file, grant));
  } catch (error) {
    if (!(error instanceof Problem) || !REFUSALS.has(error.kind)) throw error;
    return { name, state: "refused", problem: { code: error.code, message: error.message } };
  }
}

const randomDigits = () => randomBytes(KEY_HEX_DIGITS / 2).toString("hex");

/** An object that is there was sent before, whether or not the work on it has begun. */
async function knownUnder(
  photos: Photos,
  event: EventPlace,
  key: string,
  name: string,
): Promise<Known | Refused | undefined> {
  const head = await photos.blobs.head(key);
  if (!head) return undefined;
  const upload = await findUpload(photos.table, { ...event, ulid: photoIdOf(photos.bucket, head) });
  // What is sent now would go with what is being removed.
  if (upload?.status === "DELETED") return { name, state: "refused", problem: beingRemoved };
  return knownBy(name, upload, key) ?? { name, state: "known", why: "It is here already, and waits to be worked on." };
}

/** `key` is where the bytes are. */
function knownBy(name: string, upload: UploadItem | undefined, key: string): Known | Refused | undefined {
  if (!upload || upload.status === "DELETED") return undefined;
  if (upload.status === "FAILED") return { name, state: "refused", problem: upload.failure ?? notUsable };
  const ulid = upload.duplicateOf ?? upload.ulid;
  const isDone = upload.status !== "PROCESSING";
  const why = `It is here already${asIn(key, name)}${isDone ? "" : ", and is being worked on"}.`;
  return { name, state: "known", ulid, why };
}

const beingRemoved = {
  code: "photo.being-removed",
  message: "It was deleted a moment ago. To have it again, send it in a minute.",
};
const notUsable = { code: "photo.failed", message: "It is here already, and could not be worked on." };

function asIn(key: string, name: string): string {
  const kept = originalFileName(parseRawKey(key)?.fileName ?? "");
  return kept === "" || kept === safeName(name) ? "" : `, as ${kept}`;
}

type Grant = { key: string; contentType: string; metadata: { [name: string]: string } };

async function grantWhole({ blobs, clock }: Photos, { name, sizeBytes }: AskedFile, grant: Grant): Promise<Granted> {
  const expiresAt = new Date(clock.now() + URL_LIFE_MS).toISOString();
  const upload = await blobs.signUpload({ ...grant, sizeBytes, expiresInMs: URL_LIFE_MS });
  return { name, state: "upload", key: grant.key, upload, expiresAt };
}

/** Goes on with the upload that the caller remembers, if it has not ended. */
async function grantParts({ blobs }: Photos, file: AskedFile, grant: Grant): Promise<Granted> {
  const { name, sizeBytes, uploadId: before } = file;
  const { key } = grant;
  const goesOn = before !== undefined && (await blobs.listParts({ key, uploadId: before })) !== undefined;
  const uploadId = goesOn ? before : await blobs.beginParts(grant);
  const { partSizeBytes, sizes } = partsOf(sizeBytes);
  return { name, state: "parts", key, parts: { uploadId, partSizeBytes, count: sizes.length } };
}
