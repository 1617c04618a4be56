/** Which files are taken as photos, by what is said of them before they are sent, and under which name they are kept. */

import { Problem } from "../platform/problem.ts";
import { heic } from "./photo-format.ts";
import { empty, MAX_PHOTO_BYTES, tooLarge } from "./photo-size.ts";

const MAX_NAME_BYTES = 200;

const TYPES = new Map([
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["jpe", "image/jpeg"],
  ["png", "image/png"],
  ["webp", "image/webp"],
  ["tif", "image/tiff"],
  ["tiff", "image/tiff"],
  ["avif", "image/avif"],
  ["gif", "image/gif"],
]);
const PHOTO_TYPES = new Set(TYPES.values());
/** What browsers and programs say of files they know nothing about. */
const UNKNOWN_TYPES = new Set(["", "application/octet-stream", "binary/octet-stream"]);
const HEIC = /^image\/hei[cf]/;
const EXTENSION = /[^.]\.([^.]+)$/;

/** Without folders, and without characters that nobody sees or that turn the rest around. */
export function safeName(name: string): string {
  const last = name.normalize("NFC").split(/[/\\]/).at(-1) ?? "";
  const visible = last.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "").trim();
  if (!/[^.\s]/u.test(visible)) {
    throw new Problem("invalid", "photo.bad-name", "The file has no name that can be kept. Give it one.");
  }
  return shortened(visible);
}

/** A long name loses the end of its stem: the extension tells what it is. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  const extension = extensionOf(name);
  const end = extension !== undefined && TYPES.has(extension) ? name.slice(-extension.length - 1) : "";
  let room = MAX_NAME_BYTES - Buffer.byteLength(end);
  let stem = "";
  for (const character of name.slice(0, name.length - end.length)) {
    room -= Buffer.byteLength(character);
    if (room < 0) break;
    stem += character;
  }
  return stem.trimEnd() + end;
}

/** Its type, or a Problem that says what to send instead. What is in the file is looked at later. */
export function photoType(name: string, contentType = ""): string {
  const [said = ""] = contentType.toLowerCase().split(";");
  const given = UNKNOWN_TYPES.has(said.trim()) ? undefined : said.trim();
  const extension = extensionOf(name);
  if (extension === "heic" || extension === "heif" || (given !== undefined && HEIC.test(given))) throw heic();
  const byName = TYPES.get(extension ?? "");
  if (extension !== undefined && byName === undefined) throw noPhoto(`A .${extension.slice(0, 20)} file`);
  if (given !== undefined && !PHOTO_TYPES.has(given)) throw noPhoto(`A file of type ${given.slice(0, 60)}`);
  const type = given ?? byName;
  if (type === undefined) throw noPhoto("A file without an extension or a type");
  return type;
}

export function checkPhotoSize(sizeBytes: number): void {
  if (sizeBytes === 0) throw empty();
  if (sizeBytes > MAX_PHOTO_BYTES) throw tooLarge();
}

function extensionOf(name: string): string | undefined {
  return EXTENSION.exec(name)?.[1]?.toLowerCase();
}

function noPhoto(what: string): Problem {
  const sentence = `${what} is not taken as a photo. Upload photos as JPEG, PNG, WebP, AVIF, TIFF or GIF.`;
  return new Problem("unsupported-type", "photo.not-a-picture", sentence);
}
