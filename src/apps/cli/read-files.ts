/** The photos that a command is given: files as they are named, and those directly inside of folders. */

import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { tooLarge } from "../../platform/picture-limits.ts";
import { Problem } from "../../platform/problem.ts";
import { openInput } from "./input-file.ts";

/** Also those that can't be read on every machine: it is better to be told than to wonder where they are. */
const PHOTO = /^[^.].*\.(?:jpe?g|png|webp|gif|tiff?|heic|heif|avif)$/i;
const LARGEST_PHOTO_BYTES = 256 * 1024 * 1024;
const byName = new Intl.Collator("en", { numeric: true });

/** In the order given, those of a folder by name. What is not there is told when its turn comes. */
export async function photosAt(places: string[]): Promise<string[]> {
  const photos = await Promise.all(places.map(async (place) => ((await isFolder(place)) ? photosIn(place) : [place])));
  return photos.flat();
}

async function isFolder(place: string): Promise<boolean> {
  const found = await stat(place).catch(() => undefined);
  return found?.isDirectory() === true;
}

async function photosIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause) => {
    throw new Problem("forbidden", "file.not-readable", `The folder ${folder} can't be read: ${cause.message}.`, {
      cause,
    });
  });
  const names = entries.filter((entry) => !entry.isDirectory() && PHOTO.test(entry.name)).map(({ name }) => name);
  if (names.length === 0) throw new Problem("missing", "photos.none", `There are no photos in the folder ${folder}.`);
  return names.sort(byName.compare).map((name) => path.join(folder, name));
}

export async function readPhoto(file: string): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  try {
    for await (const piece of (await openInput(file)).read(() => {})) {
      sizeBytes += piece.byteLength;
      if (sizeBytes > LARGEST_PHOTO_BYTES) throw tooLarge();
      pieces.push(piece);
    }
  } catch (cause) {
    if (cause instanceof Problem) throw cause;
    const { message } = cause as Error;
    throw new Problem("invalid", "file.not-readable", `${file} can't be read: ${message}.`, { cause });
  }
  return Buffer.concat(pieces);
}
