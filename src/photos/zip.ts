/** Many photos as one ZIP, made while it is read: one object is open at a time, and nothing is kept. */

import { addAbortSignal, Readable } from "node:stream";
import { makeZip, predictLength } from "client-zip";
import { Problem } from "../platform/problem.ts";
import type { EventForPhotos } from "../registry/events.ts";
import { distinctNames, photoFileName, zipFileName } from "./download-names.ts";
import type { PhotoItem } from "./items.ts";
import type { Photos } from "./photos.ts";
import { findPhotos, searchBib } from "./search.ts";

export const MOST_ZIPPED = 500;
const HEADS_AT_ONCE = 25;
const NOTE = "This photo was deleted or changed while you downloaded the others. Download them again without it.\n";
const BLANKS = Buffer.alloc(64 * 1024, " ");
/** ZIP can't tell of earlier times. */
const FIRST_YEAR = 1980;

export type PhotosWanted = { bib: string } | { ulids: string[] };
export type Zip = { fileName: string; sizeBytes: number; stream: ReadableStream<Uint8Array> };

type Entry = { key: string; name: string; sizeBytes: number; lastModified: Date };

/** Nothing is read before the stream is, and nothing more once `gone` says so. */
export async function zipPhotos(
  photos: Pick<Photos, "table" | "rosters" | "blobs">,
  event: EventForPhotos,
  wanted: PhotosWanted,
  gone: AbortSignal,
): Promise<Zip> {
  const { bib, items } = await wantedPhotos(photos, event, wanted);
  const entries = await entriesOf(photos, event, items);
  if (entries.length === 0) {
    const sentence = "There are no such photos. Look at the gallery for those that there are.";
    throw new Problem("missing", "photo.not-found", sentence);
  }
  return {
    fileName: zipFileName(event, bib),
    sizeBytes: Number(predictLength(entries.map(({ name, sizeBytes }) => ({ name, size: sizeBytes })))),
    stream: ReadableStream.from(zipped(photos, entries, gone)),
  };
}

async function wantedPhotos(
  photos: Pick<Photos, "table" | "rosters">,
  event: EventForPhotos,
  wanted: PhotosWanted,
): Promise<{ bib?: string; items: PhotoItem[] }> {
  if ("ulids" in wanted) return { items: await findPhotos(photos, event, [...new Set(wanted.ulids)]) };
  const { bib, items, cursor } = await searchBib(photos, event, wanted, { limit: MOST_ZIPPED });
  if (cursor === undefined) return { bib, items };
  const sentence = `Bib ${bib} has more than ${MOST_ZIPPED} photos. Choose some of them and give their ids as \`ulids\`.`;
  throw new Problem("invalid", "zip.too-many", sentence);
}

/** Sizes are those of the objects: a photo's item knows that of the original only. */
async function entriesOf({ blobs }: Pick<Photos, "blobs">, event: EventForPhotos, items: PhotoItem[]) {
  const names = distinctNames(items.map((item) => photoFileName(event, item)));
  const entries: Entry[] = [];
  for (let from = 0; from < items.length; from += HEADS_AT_ONCE) {
    const some = items.slice(from, from + HEADS_AT_ONCE);
    const heads = await Promise.all(some.map(({ processedKey }) => blobs.head(processedKey)));
    for (const [index, head] of heads.entries()) {
      const item = some[index] as PhotoItem;
      const about = { name: names[from + index] as string, lastModified: timeOf(item) };
      if (head) entries.push({ key: head.key, sizeBytes: head.sizeBytes, ...about });
    }
  }
  return entries;
}

function timeOf({ takenAt, createdAt }: PhotoItem): Date {
  const taken = new Date(takenAt ?? createdAt);
  return taken.getFullYear() >= FIRST_YEAR ? taken : new Date(createdAt);
}

async function* zipped({ blobs }: Pick<Photos, "blobs">, entries: Entry[], gone: AbortSignal) {
  const ended = new AbortController();
  const signal = AbortSignal.any([gone, ended.signal]);
  const left = entries.values();
  const next = async () => {
    signal.throwIfAborted();
    const { value: entry, done } = left.next();
    return done ? { done, value: undefined } : { done: false as const, value: await openEntry(blobs, entry, signal) };
  };
  try {
    // No more than `next`: being told to throw, a generator would make cancelling the ZIP fail.
    yield* makeZip({ [Symbol.asyncIterator]: () => ({ next }) });
  } finally {
    ended.abort();
  }
}

/**
 * The length is promised by now. In the place of a photo that is gone, or is another one, comes a note of its size: the
 * ZIP stays whole, and everybody's program can open it.
 */
async function openEntry(blobs: Photos["blobs"], { key, name, sizeBytes, lastModified }: Entry, signal: AbortSignal) {
  const found = await blobs.get(key);
  const body = found && addAbortSignal(signal, asReadable(found.body));
  if (body && found.head.sizeBytes === sizeBytes) return { name, lastModified, input: body };
  body?.destroy();
  return { name: name.replace(/\.jpg$/, ".txt"), lastModified, input: noteOf(sizeBytes) };
}

function asReadable(body: AsyncIterable<Uint8Array>): Readable {
  return body instanceof Readable ? body : Readable.from(body);
}

async function* noteOf(sizeBytes: number): AsyncGenerator<Uint8Array> {
  const note = Buffer.from(NOTE).subarray(0, sizeBytes);
  yield note;
  for (let left = sizeBytes - note.length; left > 0; left -= BLANKS.length) yield BLANKS.subarray(0, left);
}
