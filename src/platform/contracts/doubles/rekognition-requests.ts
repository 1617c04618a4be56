/** What Rekognition demands of a request, and the errors it answers with. */

import sharp from "sharp";
import { Problem } from "../../problem.ts";

const MAX_IMAGE_BYTES = 5_242_880;
const MIN_SIDE_PIXELS = 80;

export type Input = { [field: string]: unknown };

export class RekognitionError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

export function requireId(input: Input, field: "CollectionId" | "ExternalImageId"): string {
  const pattern = field === "CollectionId" ? /^[a-zA-Z0-9_.-]{1,255}$/ : /^[a-zA-Z0-9_.:-]{1,255}$/;
  return requireText(field, input[field], pattern);
}

export function requireFaceId(value: unknown): string {
  return requireText("FaceId", value, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
}

export function requireFaceIds({ FaceIds }: Input): string[] {
  if (Array.isArray(FaceIds) && FaceIds.length >= 1 && FaceIds.length <= 4096) return FaceIds.map(requireFaceId);
  throw invalid("FaceIds", "have 1 to 4096 members");
}

export function optionalNumber(
  input: Input,
  field: string,
  [least, most]: [number, number],
  otherwise: number,
): number {
  const value = input[field] ?? otherwise;
  if (typeof value === "number" && value >= least && value <= most) return value;
  throw invalid(field, `be a number from ${least} to ${most}`);
}

export async function requireImage({ Image }: Input): Promise<Buffer> {
  const { Bytes } = (Image ?? {}) as Input;
  const image = Buffer.from(typeof Bytes === "string" ? Bytes : "", "base64");
  if (image.byteLength < 1 || image.byteLength > MAX_IMAGE_BYTES)
    throw invalid("image.bytes", "have 1 to 5242880 bytes");
  const about = await sharp(image, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined);
  if (about?.format !== "jpeg" && about?.format !== "png") {
    throw new RekognitionError("InvalidImageFormatException", "Request has invalid image format");
  }
  // Rekognition says no more than this of a picture that is too small.
  if (Math.min(about.width, about.height) < MIN_SIDE_PIXELS) throw invalidParameters();
  return image;
}

/** The error as Rekognition would put it, where it is one of Rekognition's or a refusal of the engine behind it. */
export function rekognitionErrorOf(error: unknown): RekognitionError | undefined {
  if (error instanceof RekognitionError) return error;
  switch (error instanceof Problem ? error.code : undefined) {
    case "picture.unreadable":
      return new RekognitionError("InvalidImageFormatException", "Request has invalid image format");
    case "picture.too-large":
      return new RekognitionError("ImageTooLargeException", "Image size is too large");
    case "picture.too-small":
      return invalidParameters();
    case "picture.no-face":
      return new RekognitionError(
        "InvalidParameterException",
        "There are no faces in the image. Should be at least 1.",
      );
    default:
      return undefined;
  }
}

function requireText(field: string, value: unknown, pattern: RegExp): string {
  if (typeof value === "string" && pattern.test(value)) return value;
  throw invalid(field, `satisfy regular expression pattern: ${pattern.source}`);
}

function invalid(field: string, constraint: string): RekognitionError {
  const message = `1 validation error detected: Value at '${field}' failed to satisfy constraint: Member must ${constraint}`;
  return new RekognitionError("ValidationException", message);
}

function invalidParameters(): RekognitionError {
  return new RekognitionError("InvalidParameterException", "Request has invalid parameters");
}
