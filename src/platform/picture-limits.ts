/** Which pictures and names Recognition takes, checked in front of both engines so that both refuse alike. */

import { Problem } from "./problem.ts";

/** More than any camera takes, and still no more than a machine can hold. */
export const MAX_PIXELS = 300_000_000;
/** The longer side of stored photos at most. */
export const STORED_SIDE_PIXELS = 3840;
/** A JPEG can't have more. */
const MAX_SIDE_PIXELS = 65_500;
/** Formats of cameras, phones and browsers. Others that a library may read (SVG, PDF) are programs rather than pictures. */
const FORMATS = new Set(["jpeg", "png", "webp", "gif", "tiff", "heif"]);

/** What is told before the picture is unpacked: a small file may claim to be a huge picture. */
export function checkPicture(
  { format, width, height }: { format?: string; width?: number; height?: number },
  minSidePixels: number,
): void {
  if (format === undefined || !FORMATS.has(format) || !width || !height) throw unreadable();
  if (Math.min(width, height) < minSidePixels) throw tooSmall();
  if (width * height > MAX_PIXELS || Math.max(width, height) > MAX_SIDE_PIXELS) throw tooLarge();
}

export function unreadable(cause?: unknown): Problem {
  const message = "This is no picture that can be read, or a part of it is missing. Send it whole, best as a JPEG.";
  return new Problem("invalid", "picture.unreadable", message, { cause });
}

function tooSmall(): Problem {
  const message = "The picture is too small to see anything in it. Send a larger one.";
  return new Problem("invalid", "picture.too-small", message);
}

export function tooLarge(cause?: unknown): Problem {
  const message = "The picture is too large to be looked at. Make it smaller and send it again.";
  return new Problem("too-large", "picture.too-large", message, { cause });
}

export function noFace(cause?: unknown): Problem {
  const message =
    "There is no face in the picture. Send one that shows your face from the front, large and in good light.";
  return new Problem("invalid", "picture.no-face", message, { cause });
}

/** Rekognition's rule, without the two names that mean something else to a file system. */
export function checkCollection(name: string): void {
  if (/^[a-zA-Z0-9_.-]{1,255}$/.test(name) && name !== "." && name !== "..") return;
  const message = 'A collection\'s name has 1 to 255 letters, digits, _, . or - and is not "." or "..".';
  throw new Problem("invalid", "recognition.bad-collection", message);
}

export function checkExternalImageId(id: string): void {
  if (/^[a-zA-Z0-9_.:-]{1,255}$/.test(id)) return;
  throw new Problem("invalid", "recognition.bad-image-id", "An image's id has 1 to 255 letters, digits, _, ., : or -.");
}
