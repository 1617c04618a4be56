/** The files to upload: those that are named, and the photos in folders however deep; and what is left out. */

import { createHash } from "node:crypto";
import { createReadStream, type Stats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { Problem } from "../../platform/problem.ts";

/** HEIC too: it is better to be told how to send them than to wonder where they are. */
const PHOTO = /\.(?:jpe?g|jpe|png|webp|tiff?|avif|gif|heic|heif)$/i;
const byName = new Intl.Collator("en", { numeric: true });

export type UploadFile = { file: string; sizeBytes: number; mtimeMs: number };
export type Skipped = { file: string; why: "hidden" | "no photo" | "no file" };
export type FailedFile = { file: string; problem: Problem };
export type FoundFiles = { files: UploadFile[]; skipped: Skipped[]; failed: FailedFile[] };

/** In the order given, what is in folders by name. A place that is not there is told at once: it is a slip. */
export async function findFiles(places: string[]): Promise<FoundFiles> {
  const found: FoundFiles = { files: [], skipped: [], failed: [] };
  const seen = new Set<string>();
  for (const place of places) {
    const about = await stat(place).catch((cause) => {
      throw unreadable(place, cause);
    });
    await add(found, seen, place, about);
  }
  return found;
}

async function add(found: FoundFiles, seen: Set<string>, place: string, about: Stats): Promise<void> {
  if (about.isDirectory()) return addFolder(found, seen, place);
  if (isAgain(seen, place)) return;
  if (about.isFile()) found.files.push({ file: place, sizeBytes: about.size, mtimeMs: about.mtimeMs });
  else found.skipped.push({ file: place, why: "no file" });
}

/** A file may be named beside its folder. */
function isAgain(seen: Set<string>, place: string): boolean {
  const whole = path.resolve(place);
  if (seen.has(whole)) return true;
  seen.add(whole);
  return false;
}

async function addFolder(found: FoundFiles, seen: Set<string>, folder: string): Promise<void> {
  if (isAgain(seen, folder)) return;
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause) => {
    found.failed.push({ file: folder, problem: unreadable(folder, cause) });
    return [];
  });
  for (const entry of entries.sort((a, b) => byName.compare(a.name, b.name))) {
    const file = path.join(folder, entry.name);
    if (entry.name.startsWith(".")) found.skipped.push({ file, why: "hidden" });
    else if (entry.isDirectory()) await addFolder(found, seen, file);
    else if (PHOTO.test(entry.name)) await addPhoto(found, seen, file);
    else found.skipped.push({ file, why: "no photo" });
  }
}

async function addPhoto(found: FoundFiles, seen: Set<string>, file: string): Promise<void> {
  try {
    const about = await stat(file);
    // A link may lead to a folder, and there in a circle.
    if (about.isDirectory()) found.skipped.push({ file, why: "no file" });
    else await add(found, seen, file, about);
  } catch (cause) {
    found.failed.push({ file, problem: unreadable(file, cause) });
  }
}

/** SHA-256 of what is in the file, in hex. */
export async function checksum({ file }: UploadFile, onBytes: (bytes: number) => void, signal: AbortSignal) {
  const hash = createHash("sha256");
  try {
    for await (const piece of createReadStream(file, { highWaterMark: 1024 * 1024, signal })) {
      hash.update(piece);
      onBytes(piece.length);
    }
  } catch (cause) {
    signal.throwIfAborted();
    throw unreadable(file, cause);
  }
  return hash.digest("hex");
}

/** What was looked at must be what is sent. */
export async function checkUnchanged({ file, sizeBytes, mtimeMs }: UploadFile): Promise<void> {
  const now = await stat(file).catch((cause) => {
    throw unreadable(file, cause);
  });
  if (now.size === sizeBytes && now.mtimeMs === mtimeMs) return;
  const sentence = `${file} was changed while it was being uploaded. Upload it again when it is finished.`;
  throw new Problem("conflict", "file.changed", sentence);
}

function unreadable(file: string, cause: unknown): Problem {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === "ENOENT") return new Problem("missing", "file.not-found", `There is no ${file}.`, { cause });
  if (code === "EACCES") return new Problem("forbidden", "file.not-readable", `You may not read ${file}.`, { cause });
  return new Problem("invalid", "file.not-readable", `${file} can't be read: ${message}.`, { cause });
}
