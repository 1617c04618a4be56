/** What each JPEG quality costs in bytes and in bibs: race photos go through preprocessing and are read. Run it by hand. */

import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { preprocess } from "../../src/photos/preprocess.ts";
import { count, progress } from "../entry/report.ts";
import { type RacePhoto, readRacePhotos } from "../vision/race-photos.ts";
import { readSeen } from "../vision/reading.ts";
import { readSettings } from "../vision/settings.ts";
import { tellModels } from "../vision/tell-models.ts";
import { openTimedEye, type TimedEye } from "../vision/timed-eye.ts";

const QUALITIES = [60, 75, 80, 82, 85, 88, 90, 92];
const PHOTOS = 60;

type Outcome = { right: Set<string>; wrong: number; bytes: number; megapixels: number };
type Row = { name: string; outcomes: Outcome[] };

const { bibsFolder } = readSettings(process.env);
if (bibsFolder === undefined) {
  progress("Skipped, there are no race photos. Set SNAPRACE_BIBS to a folder with a truth.json.");
} else {
  sharp.concurrency(1);
  sharp.cache(false);
  const eye = await openTimedEye(tellModels(undefined).files);
  const rows = await measure(eye, spread(await readRacePhotos(bibsFolder)));
  console.table(rows.map((row) => describe(row, rows[0] as Row)));
}

function spread(photos: RacePhoto[]): RacePhoto[] {
  const wanted = Number(process.argv[2] ?? PHOTOS);
  return photos.filter(
    (_, n) => Math.floor((n * wanted) / photos.length) !== Math.floor(((n - 1) * wanted) / photos.length),
  );
}

async function measure(eye: TimedEye, photos: RacePhoto[]): Promise<Row[]> {
  const rows: Row[] = [
    { name: "as uploaded", outcomes: [] },
    ...QUALITIES.map((quality) => ({ name: String(quality), outcomes: [] })),
  ];
  for (const [n, photo] of photos.entries()) {
    const original = await readFile(photo.path);
    rows[0]?.outcomes.push(await look(eye, photo, original));
    for (const [place, quality] of QUALITIES.entries()) {
      const { jpeg } = await preprocess(original, quality);
      rows[place + 1]?.outcomes.push(await look(eye, photo, jpeg));
    }
    if ((n + 1) % 10 === 0) progress(`${n + 1} of ${photos.length} photos`);
  }
  return rows;
}

async function look(eye: TimedEye, photo: RacePhoto, jpeg: Buffer): Promise<Outcome> {
  const read = new Set(readSeen(await eye.look(jpeg, "everything")).bibs.map(({ bib }) => bib));
  const right = read.intersection(new Set(photo.numbers));
  const wrong = read.difference(new Set([...photo.numbers, ...photo.alsoVisible])).size;
  return { right, wrong, bytes: jpeg.length, megapixels: (photo.width * photo.height) / 1e6 };
}

function describe({ name, outcomes }: Row, first: Row): { [column: string]: string | number } {
  const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((total, outcome) => total + of(outcome), 0);
  const changed = (from: Row["outcomes"], to: Row["outcomes"]) =>
    from.reduce((total, { right }, n) => total + right.difference(to[n]?.right ?? new Set()).size, 0);
  const megapixels = sum((outcome) => outcome.megapixels);
  return {
    quality: name,
    right: sum(({ right }) => right.size),
    "lost against uploaded": changed(first.outcomes, outcomes),
    gained: changed(outcomes, first.outcomes),
    wrong: sum(({ wrong }) => wrong),
    "KB a megapixel": count(sum(({ bytes }) => bytes) / 1000 / megapixels),
  };
}
