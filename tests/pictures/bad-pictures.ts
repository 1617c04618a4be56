/** Files that programs for pictures stumble over: broken ones, absurd sizes, and good pictures in unusual forms. */

import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { drawBib } from "./scene.ts";

export type BadPicture = {
  name: string;
  bytes: Buffer;
  /** The bib in it, where nothing but the form is unusual. */
  number?: string;
};

export async function badPictures(): Promise<BadPicture[]> {
  const { jpeg, truth } = await drawBib({ seed: 7, kind: "plain" });
  const number = truth.bibs[0]?.number ?? "";
  return [...(await brokenPictures(jpeg)), ...(await absurdPictures()), ...(await unusualPictures(jpeg, number))];
}

async function brokenPictures(jpeg: Buffer): Promise<BadPicture[]> {
  const png = await sharp(jpeg).png().toBuffer();
  return [
    { name: "empty", bytes: Buffer.alloc(0) },
    { name: "not an image", bytes: Buffer.from("bib,name\n1234,Kim\n") },
    { name: "only a JPEG's first bytes", bytes: jpeg.subarray(0, 20) },
    { name: "truncated JPEG", bytes: jpeg.subarray(0, Math.floor(jpeg.length / 2)) },
    { name: "truncated PNG", bytes: png.subarray(0, Math.floor(png.length / 2)) },
  ];
}

async function absurdPictures(): Promise<BadPicture[]> {
  const blank = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: "#8a8f94" } });
  return [
    { name: "1x1", bytes: await blank(1, 1).png().toBuffer() },
    { name: "20000x50", bytes: await blank(20_000, 50).jpeg().toBuffer() },
    { name: "30000x30000 in a few bytes", bytes: bombPng(30_000) },
  ];
}

async function unusualPictures(jpeg: Buffer, number: string): Promise<BadPicture[]> {
  const picture = () => sharp(jpeg);
  const frames = [jpeg, await picture().negate().toBuffer(), await picture().blur(20).toBuffer()];
  const animation = () => sharp(frames, { join: { animated: true } });
  const forms: { name: string; bytes: Promise<Buffer> }[] = [
    { name: "CMYK JPEG", bytes: picture().toColourspace("cmyk").jpeg().toBuffer() },
    { name: "16-bit PNG", bytes: picture().toColourspace("rgb16").png().toBuffer() },
    { name: "greyscale JPEG", bytes: picture().toColourspace("b-w").jpeg().toBuffer() },
    { name: "progressive JPEG", bytes: picture().jpeg({ progressive: true }).toBuffer() },
    { name: "palette PNG", bytes: picture().png({ palette: true, colours: 64 }).toBuffer() },
    { name: "PNG with alpha", bytes: picture().ensureAlpha(0.8).png().toBuffer() },
    { name: "animated GIF", bytes: animation().gif().toBuffer() },
    { name: "animated WebP", bytes: animation().webp().toBuffer() },
    { name: "JPEG with EXIF orientation 6", bytes: turned(jpeg) },
  ];
  return Promise.all(forms.map(async ({ name, bytes }) => ({ name, bytes: await bytes, number })));
}

/** Stored on its side, with a note that tells viewers to turn it. */
function turned(jpeg: Buffer): Promise<Buffer> {
  return sharp(jpeg).rotate(270).withMetadata({ orientation: 6 }).jpeg().toBuffer();
}

/** A header that promises a huge picture, with next to no data behind it. */
export function bombPng(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // Eight bits per channel, three channels.
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.alloc(1000))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
