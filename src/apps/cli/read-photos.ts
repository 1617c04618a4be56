/** Reads photos one by one for `snaprace read`, and tells what was found in each. */

import type { BibRules } from "../../photos/index.ts";
import { readBibs } from "../../photos/index.ts";
import { drawFound } from "./draw-found.ts";
import { planDrawings } from "./draw-names.ts";
import { photosAt, readPhoto } from "./read-files.ts";
import { checkFailures, failureOf, type Look, type LookOptions, lookAtAll, type Outcome } from "./read-looking.ts";
import { type RuleOptions, rulesOf } from "./read-rules.ts";
import {
  failureJson,
  failureText,
  type PhotoReading,
  readingJson,
  readingText,
  type Tally,
  tallyText,
} from "./read-wording.ts";
import { counted } from "./wording.ts";

export type ReadOptions = LookOptions & RuleOptions & { why?: boolean; draw?: string };

/** `drawing` is the file to draw it into. */
type Photo = { file: string; drawing?: string };

export async function readPhotos(places: string[], options: ReadOptions): Promise<void> {
  const rules = await rulesOf(options);
  const files = await photosAt(places);
  const drawings = options.draw === undefined ? [] : await planDrawings(files, options.draw);
  const items = files.map((file, n): Photo => ({ file, ...(drawings[n] !== undefined && { drawing: drawings[n] }) }));
  const tally: Tally = { photos: 0, bibs: 0, partial: 0, faces: 0 };
  const looking = { items, pictures: items.length, label: "Photos", options };
  const failures = await lookAtAll(looking, async (photo, look): Promise<Outcome> => {
    try {
      const reading = await readOne(photo, look, rules);
      count(tally, reading);
      const why = options.why === true;
      return { json: readingJson(reading, why), text: readingText(reading, why) };
    } catch (error) {
      const failure = failureOf(error);
      const { file } = photo;
      return { json: { file, error: failureJson(failure) }, text: failureText([file], failure), failure };
    }
  });
  if (!options.json && items.length > 1) process.stdout.write(`${tallyText(tally)}\n`);
  const sentence = `${failures.length.toLocaleString("en")} of ${counted(items.length, "photo")} could not be read.`;
  checkFailures(failures, "photos.not-read", sentence);
}

async function readOne({ file, drawing }: Photo, look: Look, rules: BibRules): Promise<PhotoReading> {
  const image = await readPhoto(file);
  const { words, faces } = await look(image);
  const found = readBibs(
    words,
    faces.map(({ box }) => box),
    rules,
  );
  const reading = { file, ...(await sizeOf(image)), ...found, faces };
  if (drawing !== undefined) await drawFound(image, reading, drawing);
  return reading;
}

/** Large photos are looked at in a smaller size, so what the workers say is not theirs. */
async function sizeOf(image: Uint8Array): Promise<{ width: number; height: number }> {
  const { default: sharp } = await import("sharp");
  const { autoOrient } = await sharp(image, { limitInputPixels: false }).metadata();
  return autoOrient;
}

function count(tally: Tally, { bibs, partial, faces }: PhotoReading): void {
  tally.photos += 1;
  tally.bibs += bibs.length;
  tally.partial += partial.length;
  tally.faces += faces.length;
}
