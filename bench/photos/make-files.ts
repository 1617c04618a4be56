/** Files as cameras make them: drawn scenes enlarged to 12 and 24 megapixels, each file with bytes of its own. */

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { drawScene } from "../../tests/pictures/scene.ts";
import { count, progress } from "../entry/report.ts";
import { CAMERA_SIZES, enlarge } from "../vision/large-photos.ts";

/** Drawing and enlarging one takes seconds; what tells the files of one picture apart is a comment in the JPEG. */
const PICTURES = 20;
const KINDS = ["plain", "plain", "letter", "blurred", "night"] as const;

export type PhotoFile = { name: string; path: string };

export async function makeFiles(folder: string, files: number): Promise<PhotoFile[]> {
  const pictures: Buffer[] = [];
  for (let seed = 1; seed <= Math.min(PICTURES, files); seed += 1) {
    const { jpeg } = await drawScene({ seed, kind: KINDS[seed % KINDS.length] ?? "plain" });
    pictures.push(await enlarge(jpeg, CAMERA_SIZES[seed % CAMERA_SIZES.length] as (typeof CAMERA_SIZES)[0]));
  }
  const made: PhotoFile[] = [];
  let sizeBytes = 0;
  for (let index = 0; index < files; index += 1) {
    const name = `IMG_${String(index + 1).padStart(5, "0")}.jpg`;
    const bytes = withComment(pictures[index % pictures.length] as Buffer, name);
    const path = join(folder, name);
    await writeFile(path, bytes);
    made.push({ name, path });
    sizeBytes += bytes.length;
  }
  progress(`${count(files)} files of 12 and 24 megapixels, ${(sizeBytes / files / 1e6).toFixed(1)} MB each`);
  return made;
}

export const readPhoto = ({ path }: PhotoFile) => readFile(path);

/** A JPEG comment directly after its first marker. */
export function withComment(jpeg: Buffer, text: string): Buffer {
  const body = Buffer.from(text);
  const marker = Buffer.from([0xff, 0xfe, (body.length + 2) >> 8, (body.length + 2) & 255]);
  return Buffer.concat([jpeg.subarray(0, 2), marker, body, jpeg.subarray(2)]);
}
