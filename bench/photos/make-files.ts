/** Files as cameras make them: race photos, or drawn scenes where there are none, enlarged to 12 and 24 megapixels. */

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { drawScene } from "../../tests/pictures/scene.ts";
import { Random } from "../../tests/simulation/random.ts";
import { count, progress } from "../entry/report.ts";
import { CAMERA_SIZES, enlarge } from "../vision/large-photos.ts";
import { readRacePhotos } from "../vision/race-photos.ts";
import { readSettings } from "../vision/settings.ts";

/** Drawing and enlarging one takes seconds. Files of one picture are cut from it at other places, so that no pixel is where it was. */
const PICTURES = 40;
const SEED = 11;
const SHIFT_PIXELS = 3;
const MARGIN_PIXELS = 120;
const JPEG_QUALITY = 92;
/** Most races are run by daylight. */
const KINDS = ["plain", "letter", "plain", "blurred", "plain", "plain", "letter", "plain", "plain", "night"] as const;

export type PhotoFile = { name: string; path: string };

export async function makeFiles(folder: string, files: number): Promise<PhotoFile[]> {
  const pictures: Buffer[] = [];
  for (const small of await smallPictures(Math.min(PICTURES, files))) {
    const size = CAMERA_SIZES[pictures.length % CAMERA_SIZES.length] as (typeof CAMERA_SIZES)[0];
    pictures.push(await enlarge(small, size));
  }
  const made: PhotoFile[] = [];
  let sizeBytes = 0;
  for (let index = 0; index < files; index += 1) {
    const name = `IMG_${String(index + 1).padStart(5, "0")}.jpg`;
    const shift = Math.floor(index / pictures.length) * SHIFT_PIXELS;
    const bytes = await cutFrom(pictures[index % pictures.length] as Buffer, shift % MARGIN_PIXELS);
    const path = join(folder, name);
    await writeFile(path, bytes);
    made.push({ name, path });
    sizeBytes += bytes.length;
  }
  progress(`${count(files)} files of 12 and 24 megapixels, ${(sizeBytes / files / 1e6).toFixed(1)} MB each`);
  return made;
}

/** Drawn ones have more to read in them than photos have. */
async function smallPictures(count: number): Promise<Uint8Array[]> {
  const { bibsFolder } = readSettings(process.env);
  if (bibsFolder !== undefined) {
    const photos = new Random(SEED).shuffled(await readRacePhotos(bibsFolder)).slice(0, count);
    return Promise.all(photos.map(({ path }) => readFile(path)));
  }
  const drawn = Array.from({ length: count }, async (_, seed) => {
    const { jpeg } = await drawScene({ seed, kind: KINDS[seed % KINDS.length] ?? "plain" });
    return jpeg;
  });
  progress("There are no race photos here (SNAPRACE_BIBS): scenes are drawn instead.");
  return Promise.all(drawn);
}

async function cutFrom(picture: Buffer, shift: number): Promise<Buffer> {
  const { width, height } = await sharp(picture).metadata();
  const size = { width: width - MARGIN_PIXELS, height: height - MARGIN_PIXELS };
  return sharp(picture)
    .extract({ left: shift, top: shift, ...size })
    .jpeg({ quality: JPEG_QUALITY })
    .toBuffer();
}

export const readPhoto = ({ path }: PhotoFile) => readFile(path);

/** A JPEG comment directly after its first marker: another file of the same picture. */
export function withComment(jpeg: Buffer, text: string): Buffer {
  const body = Buffer.from(text);
  const marker = Buffer.from([0xff, 0xfe, (body.length + 2) >> 8, (body.length + 2) & 255]);
  return Buffer.concat([jpeg.subarray(0, 2), marker, body, jpeg.subarray(2)]);
}
