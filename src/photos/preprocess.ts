/** From an uploaded file to what pages and recognition use: an upright sRGB JPEG, a thumbnail, and when and with what it was taken. */

import sharp, { type Metadata, type Sharp } from "sharp";
import { rgbaToThumbHash } from "thumbhash";
import { MAX_PIXELS, STORED_SIDE_PIXELS } from "../platform/picture-limits.ts";
import { Problem } from "../platform/problem.ts";
import { type CaptureDetails, captureDetails } from "./capture-details.ts";
import { formatOf } from "./photo-format.ts";
import { empty, MAX_PHOTO_BYTES, tooLarge } from "./photo-size.ts";
import { isSrgb } from "./srgb-profile.ts";

// No photo comes twice, and several are worked on at once: more threads for one would only take turns.
sharp.cache(false);
sharp.concurrency(1);

const THUMBNAIL_SIDE = 640;
/** A ThumbHash keeps 7 waves along the longer side. Of 100 pixels, the most it takes, it comes out nearly the same in four times the time. */
const HASHED_SIDE = 48;
const MIN_SIDE_PIXELS = 32;
/** The least at which no bib was lost: see bench/photos/jpeg-quality.ts. */
const JPEG_QUALITY = 88;
const THUMBNAIL_QUALITY = 75;
const TIMEOUT_SECONDS = 60;

export type Processed = CaptureDetails & {
  jpeg: Buffer;
  /** A JPEG. */
  thumbnail: Buffer;
  /** As base64. */
  thumbhash: string;
  /** Of the JPEG, as shown. */
  dimensions: { width: number; height: number };
  /** Of the file that came. */
  format: string;
};

/** Nothing else of the file gets into the pictures: not its metadata, and so not where it was taken. */
export async function preprocess(file: Uint8Array, quality = JPEG_QUALITY): Promise<Processed> {
  const original = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (original.length === 0) throw empty();
  if (original.length > MAX_PHOTO_BYTES) throw tooLarge();
  const format = formatOf(original);
  const about = await sharp(original, { limitInputPixels: false }).metadata().catch(refuse);
  checkSize(about.autoOrient);
  const { data: jpeg, info } = await decode(original, about)
    .jpeg({ quality, optimiseCoding: false })
    .toBuffer({ resolveWithObject: true })
    .catch(refuse);
  const thumbnail = await makeThumbnail(jpeg);
  return {
    ...captureDetails(format === "tiff" ? original : (about.exif ?? new Uint8Array())),
    jpeg,
    thumbnail,
    thumbhash: await hashThumbnail(thumbnail),
    dimensions: { width: info.width, height: info.height },
    format,
  };
}

/** What is told before the picture is unpacked: a small file may claim to be a huge picture. */
function checkSize({ width, height }: { width: number; height: number }): void {
  if (width * height > MAX_PIXELS) throw tooManyPixels();
  const [long, short] = [Math.max(width, height), Math.min(width, height)];
  // A strip of many times its own height is too small once it is scaled down.
  if (short < MIN_SIDE_PIXELS || (short * STORED_SIDE_PIXELS) / long < MIN_SIDE_PIXELS) throw tooSmall();
}

function decode(original: Buffer, { icc, space }: Metadata): Sharp {
  // Converting 12 megapixels from sRGB to sRGB takes as long as all the rest.
  const ignoreIcc = icc !== undefined && isSrgb(icc);
  const source = sharp(original, { limitInputPixels: MAX_PIXELS, failOn: "truncated", ignoreIcc });
  // With 16 bits, sharp would convert to Display P3.
  const eightBits = space === "rgb16" ? source.pipelineColourspace("srgb") : source;
  return eightBits
    .autoOrient()
    .resize(STORED_SIDE_PIXELS, STORED_SIDE_PIXELS, { fit: "inside", withoutEnlargement: true, kernel: "cubic" })
    .flatten({ background: "white" })
    .toColourspace("srgb")
    .timeout({ seconds: TIMEOUT_SECONDS });
}

/** Made of the new JPEG: its quarter is unpacked in half the time that the original's takes. */
function makeThumbnail(jpeg: Buffer): Promise<Buffer> {
  return sharp(jpeg)
    .resize(THUMBNAIL_SIDE, THUMBNAIL_SIDE, { fit: "inside", withoutEnlargement: true, kernel: "cubic" })
    .jpeg({ quality: THUMBNAIL_QUALITY })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .toBuffer();
}

async function hashThumbnail(thumbnail: Buffer): Promise<string> {
  const { data, info } = await sharp(thumbnail)
    .resize(HASHED_SIDE, HASHED_SIDE, { fit: "inside", withoutEnlargement: true })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString("base64");
}

/** The file starts as a picture does, so what can't be read of it is missing or damaged. */
function refuse(cause: unknown): never {
  if (/pixel limit|security limit/i.test(String(cause))) throw tooManyPixels(cause);
  if (/timeout/.test(String(cause))) throw tooSlow(cause);
  const message = "A part of the photo is missing or damaged. Upload it again, from the camera's card if need be.";
  throw new Problem("invalid", "photo.truncated", message, { cause });
}

function tooManyPixels(cause?: unknown): Problem {
  const message = "The photo has more than 300 megapixels. Make it smaller and upload it again.";
  return new Problem("too-large", "photo.too-many-pixels", message, { cause });
}

function tooSmall(): Problem {
  const message =
    "The photo is too small to see anything in it: 32 pixels are the least on each side. Upload a larger one.";
  return new Problem("invalid", "photo.too-small", message);
}

function tooSlow(cause: unknown): Problem {
  const message = "It took too long to open the photo. Try again later, or save it as a plain JPEG and upload that.";
  return new Problem("unavailable", "photo.too-slow", message, { cause });
}
