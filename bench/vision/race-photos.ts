/** Race photos whose numbers people have written down: what the folder's truth.json says of them. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { z } from "zod";

/** In pixels: left, top, width, height. */
const Place = z.tuple([z.number(), z.number(), z.number(), z.number()]);
const Truth = z.array(
  z.object({
    file: z.string(),
    event: z.string(),
    numbers: z.array(z.string()),
    alsoVisible: z.array(z.string()),
    /** Not of every number there is a place. */
    runners: z.array(z.object({ number: z.string(), bib: Place, face: Place })),
  }),
);

/** With its size, in the pixels of which the places are. */
export type RacePhoto = z.infer<typeof Truth>[number] & { path: string; width: number; height: number };

export async function readRacePhotos(folder: string): Promise<RacePhoto[]> {
  const truth = Truth.parse(JSON.parse(await readFile(join(folder, "truth.json"), "utf8")));
  const photos: RacePhoto[] = [];
  for (const photo of truth) {
    const path = join(folder, photo.file);
    const { autoOrient } = await sharp(path).metadata();
    photos.push({ ...photo, path, ...autoOrient });
  }
  return photos;
}
