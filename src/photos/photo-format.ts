/** What kind of file an upload is, by its first bytes: only what is known goes on to the decoders. */

import { Problem } from "../platform/problem.ts";
import { readTiffTags } from "./tiff-tags.ts";

const SMALLER_IMAGE = { tag: 0x00fe, flag: 1 };
const TIFF_MARKS = ["II*\0", "MM\0*", "II+\0", "MM\0+"];
const HEVC_BRANDS = new Set(["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]);
const RAW_MARKS = ["FUJIFILMCCD-RAW", "IIRO", "IIRS", "MMOR", "IIU\0"];
const MAX_BRANDS_BYTES = 256;

type Format = "jpeg" | "png" | "gif" | "webp" | "tiff" | "avif";

export function formatOf(file: Buffer): Format {
  const start = file.toString("latin1", 0, 16);
  if (start.startsWith("\xff\xd8\xff")) return "jpeg";
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (start.startsWith("GIF8")) return "gif";
  if (start.startsWith("RIFF") && start.slice(8, 12) === "WEBP") return "webp";
  if (TIFF_MARKS.some((mark) => start.startsWith(mark))) {
    if (isRawTiff(file)) throw raw();
    return "tiff";
  }
  if (start.slice(4, 8) === "ftyp") return formatOfBrands(brandsOf(file));
  if (RAW_MARKS.some((mark) => start.startsWith(mark))) throw raw();
  throw notAPicture();
}

function brandsOf(file: Buffer): string[] {
  const end = Math.min(file.readUInt32BE(0), MAX_BRANDS_BYTES, file.length);
  return (file.toString("latin1", 8, end).match(/.{4}/gs) ?? []).filter((_, n) => n !== 1);
}

function formatOfBrands(brands: string[]): Format {
  if (brands.includes("avif") || brands.includes("avis")) return "avif";
  if (brands.some((brand) => HEVC_BRANDS.has(brand))) throw heic();
  if (brands[0] === "crx ") throw raw();
  throw notAPicture();
}

/** Most raw files are TIFFs whose first picture is a thumbnail; Canon's has a mark of its own. */
function isRawTiff(file: Buffer): boolean {
  if (file.toString("latin1", 8, 10) === "CR") return true;
  const kind = readTiffTags(file)?.first.number(SMALLER_IMAGE.tag) ?? 0;
  return (kind & SMALLER_IMAGE.flag) !== 0;
}

function notAPicture(): Problem {
  const message = "This file is no picture. Upload photos as JPEG, PNG, WebP, AVIF, TIFF or GIF.";
  return new Problem("unsupported-type", "photo.not-a-picture", message);
}

export function heic(): Problem {
  const message =
    "This is a HEIC file, which can't be opened here. Export the photo as a JPEG; on an iPhone, choose \"Most Compatible\" in the camera's formats.";
  return new Problem("unsupported-type", "photo.heic", message);
}

function raw(): Problem {
  const message = "This is a camera's raw file. Develop it, and upload the photo as a JPEG.";
  return new Problem("unsupported-type", "photo.raw", message);
}
