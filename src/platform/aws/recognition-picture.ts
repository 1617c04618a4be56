/** Makes of any picture one that Rekognition takes: a JPEG or PNG, upright, in plain colours, of at most 5 MiB. */

import sharp, { type Metadata } from "sharp";
import { checkPicture, MAX_PIXELS, tooLarge, unreadable } from "../picture-limits.ts";

/** For bytes in the request; an object in S3 may have 15 MB, but a selfie must not be stored. */
const MAX_BYTES = 5 * 1024 * 1024;
const MIN_SIDE_PIXELS = 80;
/** Documented for labels, silent for text and faces: more would hardly show more. */
const MAX_SIDE_PIXELS = 10_000;

/** Tried in turn until one fits; at the last even noise does. */
const SHAPES = [
  { longSidePixels: MAX_SIDE_PIXELS, quality: 92 },
  { longSidePixels: 4096, quality: 90 },
  { longSidePixels: 4096, quality: 75 },
  { longSidePixels: 3072, quality: 75 },
  { longSidePixels: 2048, quality: 75 },
];

export async function pictureForRekognition(image: Uint8Array): Promise<Uint8Array> {
  const about = await orUnreadable(() => sharp(image, { limitInputPixels: false }).metadata());
  checkPicture(about, MIN_SIDE_PIXELS);
  if (!isTakenAsItIs(image, about)) return converted(image, about);
  // What Rekognition makes of half a picture is not documented. Read at a small size, this costs little.
  await orUnreadable(() => opened(image).resize(64, 64, { fit: "inside" }).raw().toBuffer());
  return image;
}

/** Of a picture that is made for Rekognition. */
export async function heightOf(picture: Uint8Array): Promise<number> {
  return (await sharp(picture).metadata()).height;
}

/** Rekognition turns JPEGs by their EXIF, but says so of faces only; and it says nothing of CMYK, 16 bits or alpha. */
function isTakenAsItIs(image: Uint8Array, about: Metadata): boolean {
  const { format, width, height, orientation = 1, hasAlpha, space } = about;
  return (
    image.byteLength <= MAX_BYTES &&
    Math.max(width, height) <= MAX_SIDE_PIXELS &&
    (format === "jpeg" || format === "png") &&
    orientation === 1 &&
    !hasAlpha &&
    // With 16 bits they have other names.
    (space === "srgb" || space === "b-w")
  );
}

async function converted(image: Uint8Array, { width, height }: Metadata): Promise<Uint8Array> {
  const [shortSide, longSide] = [Math.min(width, height), Math.max(width, height)];
  const narrowest = Math.ceil((longSide * MIN_SIDE_PIXELS) / shortSide);
  // What is too large already will hardly be smaller at the same size.
  const shapes = image.byteLength > MAX_BYTES ? SHAPES.slice(1) : SHAPES;
  for (const { longSidePixels, quality } of shapes) {
    const side = Math.min(longSide, Math.max(longSidePixels, narrowest));
    const jpeg = await orUnreadable(() => asJpeg(image, side, quality));
    if (jpeg.byteLength <= MAX_BYTES) return jpeg;
  }
  throw tooLarge();
}

function asJpeg(image: Uint8Array, side: number, quality: number): Promise<Buffer> {
  return opened(image)
    .autoOrient()
    .resize(side, side, { fit: "inside", withoutEnlargement: true })
    .flatten({ background: "white" })
    .toColourspace("srgb")
    .jpeg({ quality })
    .toBuffer();
}

/** Of an animation this is the first frame. */
function opened(image: Uint8Array) {
  return sharp(image, { limitInputPixels: MAX_PIXELS, failOn: "truncated" });
}

async function orUnreadable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw unreadable(cause);
  }
}
