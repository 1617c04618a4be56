/** What can be said of a file before it is sent: the server would refuse it for the same reasons, with the same codes. */

import type { Reason } from "./queued-file.ts";

const MAX_PHOTO_BYTES = 100 * 1024 * 1024;
const PHOTO = /\.(?:jpe?g|jpe|png|webp|tiff?|avif|gif)$/i;
const HEIC = /\.hei[cf]$/i;
const EXTENSION = /[^.]\.[^.]+$/;

export function refusalOf({ name, size, type }: Pick<File, "name" | "size" | "type">): Reason | undefined {
  if (HEIC.test(name) || /^image\/hei[cf]/.test(type)) return { code: "photo.heic", message: "" };
  const isPhoto = EXTENSION.test(name) ? PHOTO.test(name) : type.startsWith("image/");
  if (!isPhoto) return { code: "photo.not-a-picture", message: "" };
  if (size === 0) return { code: "photo.empty", message: "" };
  if (size > MAX_PHOTO_BYTES) return { code: "photo.too-large", message: "" };
  return undefined;
}

/** What systems leave in folders, and nobody chose. */
export function isClutter(name: string): boolean {
  return name.startsWith(".") || /^(?:thumbs\.db|desktop\.ini)$/i.test(name);
}
