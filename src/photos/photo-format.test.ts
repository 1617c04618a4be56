/** Files are told apart by their first bytes, and those that are no photos are refused by what they are. */

import assert from "node:assert/strict";
import { test } from "node:test";
import sharp from "sharp";
import { formatOf } from "./photo-format.ts";

const blank = () => sharp({ create: { width: 40, height: 40, channels: 3, background: "white" } });

function fileType(major: string, others: string[]): Buffer {
  const brands = Buffer.from([major, "\0\0\0\0", ...others].join(""), "latin1");
  const size = Buffer.alloc(4);
  size.writeUInt32BE(brands.length + 8);
  return Buffer.concat([size, Buffer.from("ftyp"), brands, Buffer.from("\0\0\0\x08mdat", "latin1")]);
}

/** A TIFF whose first picture is called a smaller one, as Nikon's, Sony's and Adobe's raw files begin. */
function rawTiff(): Buffer {
  return Buffer.from("49492a00080000000100fe0004000100000001000000" + "00000000", "hex");
}

test("what sharp writes is known", async () => {
  const formats = ["jpeg", "png", "gif", "webp", "tiff", "avif"] as const;
  for (const format of formats) assert.equal(formatOf(await blank().toFormat(format).toBuffer()), format);
});

test("every brand of HEIC is told, and AVIF is none", () => {
  const apple = fileType("heic", ["mif1", "MiHB", "heic"]);
  const canon = fileType("heix", ["mif1", "heix"]);
  const nested = fileType("mif1", ["mif1", "heic"]);
  for (const file of [apple, canon, nested]) assert.throws(() => formatOf(file), { code: "photo.heic" });
  assert.equal(formatOf(fileType("mif1", ["avif", "miaf"])), "avif");
});

test("raw files are told, instead of taking the thumbnail in them for the photo", () => {
  const canon = Buffer.from("II*\0\x10\0\0\0CR\x02\0", "latin1");
  const files = [rawTiff(), canon, fileType("crx ", ["isom"]), Buffer.from("FUJIFILMCCD-RAW 0201")];
  for (const file of files) assert.throws(() => formatOf(file), { code: "photo.raw", kind: "unsupported-type" });
});

test("what is no picture is refused, whatever its name was", () => {
  const texts = [
    "%PDF-1.7\n",
    "bib,name\n1,Kim\n",
    "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "PK\x03\x04",
    "\0",
    "RIFF1234WAVE",
  ];
  const files = [...texts.map((text) => Buffer.from(text, "latin1")), fileType("isom", ["mp41"])];
  for (const file of files) {
    assert.throws(() => formatOf(file), { code: "photo.not-a-picture", kind: "unsupported-type" });
  }
});
