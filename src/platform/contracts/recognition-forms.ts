/** One picture in the forms that cameras, phones and programs write, and what is no picture to look at. */

import sharp, { type Sharp } from "sharp";
import { bombPng } from "../../../tests/pictures/bad-pictures.ts";

/** The picture is to be black on white; of the animations it is the first frame. */
export async function formsOf(png: Buffer, laterFrame: Buffer): Promise<{ [form: string]: Buffer }> {
  const picture = () => sharp(png);
  const animation = () => sharp([png, laterFrame], { join: { animated: true } });
  return {
    JPEG: await picture().jpeg().toBuffer(),
    "progressive JPEG": await picture().jpeg({ progressive: true }).toBuffer(),
    "greyscale JPEG": await picture().greyscale().jpeg().toBuffer(),
    "CMYK JPEG": await picture().toColourspace("cmyk").jpeg().toBuffer(),
    "16-bit PNG": await picture().toColourspace("rgb16").png().toBuffer(),
    "PNG with a palette": await picture().png({ palette: true }).toBuffer(),
    "PNG with a transparent background": await picture().unflatten().png().toBuffer(),
    WebP: await picture().webp().toBuffer(),
    TIFF: await picture().tiff().toBuffer(),
    AVIF: await picture().avif().toBuffer(),
    "animated GIF": await animation().gif().toBuffer(),
    "animated WebP": await animation().webp().toBuffer(),
  };
}

const TURNS: { [orientation: number]: (picture: Sharp) => Sharp } = {
  2: (picture) => picture.flop(),
  3: (picture) => picture.rotate(180),
  6: (picture) => picture.rotate(270),
  8: (picture) => picture.rotate(90),
};

/** The picture as a camera held another way stores it: a viewer that minds the EXIF shows it as it was. */
export function turnedFor(orientation: number, picture: Buffer): Promise<Buffer> {
  const turn = TURNS[orientation];
  if (!turn) throw new RangeError(`orientation ${orientation}`);
  return turn(sharp(picture)).withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer();
}

export async function refusedPictures(): Promise<{ name: string; code: string; bytes: Buffer }[]> {
  const plain = () => sharp({ create: { width: 400, height: 300, channels: 3, background: "tan", noise: NOISE } });
  const [jpeg, png] = await Promise.all([plain().jpeg().toBuffer(), plain().png().toBuffer()]);
  const dot = await plain().resize(1, 1).png().toBuffer();
  const strip = await plain().resize(400, 1, { fit: "fill" }).png().toBuffer();
  const unreadable = { "no bytes": Buffer.alloc(0), text: Buffer.from("This is no picture.\n".repeat(50)) };
  return [
    ...Object.entries(unreadable).map(([name, bytes]) => ({ name, code: "picture.unreadable", bytes })),
    { name: "zeros", code: "picture.unreadable", bytes: Buffer.alloc(5000) },
    { name: "the start of a JPEG", code: "picture.unreadable", bytes: jpeg.subarray(0, 20) },
    { name: "half a JPEG", code: "picture.unreadable", bytes: jpeg.subarray(0, jpeg.length / 2) },
    { name: "half a PNG", code: "picture.unreadable", bytes: png.subarray(0, png.length / 2) },
    { name: "an SVG", code: "picture.unreadable", bytes: Buffer.from(SVG) },
    { name: "a single pixel", code: "picture.too-small", bytes: dot },
    { name: "a line of pixels", code: "picture.too-small", bytes: strip },
    { name: "a small file that claims to be huge", code: "picture.too-large", bytes: bombPng(30_000) },
  ];
}

const NOISE = { type: "gaussian" as const, mean: 128, sigma: 30 };
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><rect width="400" height="300"/></svg>';
