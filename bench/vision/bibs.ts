/** The numbers read in race photos against the numbers people wrote down, with and without a roster. */

import { readFile } from "node:fs/promises";
import type { BibReading } from "../../src/photos/bibs.ts";
import { atLeast, figure, progress } from "../entry/report.ts";
import type { Row } from "../run.ts";
import { describeCase, type Slip } from "./cases.ts";
import { boxOfPlace } from "./places.ts";
import { type RacePhoto, readRacePhotos } from "./race-photos.ts";
import { judgedWords, readSeen } from "./reading.ts";
import type { Case, Section } from "./report.ts";
import type { Rig } from "./rig.ts";
import { makeRoster, scoreOf, tallyPhoto } from "./score.ts";

const ROSTER_SIZE = 5000;
const ROSTER_SEED = 7;
const TELL_EVERY = 20;
const GOALS = {
  plain: { recall: 0.95, precisionWithVisible: 0.92 },
  roster: { recall: 0.95, precisionWithVisible: 0.97 },
};

type ReadPhoto = { photo: RacePhoto; plain: BibReading; roster: BibReading };
type Way = keyof typeof GOALS;

export async function measureBibs({ settings, eye, looks }: Rig): Promise<Section[]> {
  if (settings.bibsFolder === undefined) {
    progress("bibs: skipped, there are no race photos. Set SNAPRACE_BIBS to a folder with a truth.json.");
    return [];
  }
  const all = await readRacePhotos(settings.bibsFolder);
  const roster = makeRoster(
    all.flatMap(({ numbers, alsoVisible }) => [...numbers, ...alsoVisible]),
    ROSTER_SIZE,
    ROSTER_SEED,
  );
  const photos = all.filter((_, index) => index % settings.oneIn === 0);
  const read: ReadPhoto[] = [];
  for (const photo of photos) {
    const seen = await eye.look(await readFile(photo.path), "everything");
    looks.set(photo.file, seen);
    read.push({ photo, plain: readSeen(seen), roster: readSeen(seen, roster) });
    if (read.length % TELL_EVERY === 0) progress(`bibs: ${read.length} of ${photos.length} photos`);
  }
  const rows = (["plain", "roster"] as const).flatMap((way) => rowsOf(read, way));
  const about = `${photos.length} race photos. Mistakes are those without a roster, unless they say otherwise.`;
  return [{ title: "Bibs", about, rows, cases: await casesOf(read) }];
}

function rowsOf(read: ReadPhoto[], way: Way): Row[] {
  const events = [...new Set(read.map(({ photo }) => photo.event))].sort();
  const groups = events.map((event) => ({ name: event, photos: read.filter(({ photo }) => photo.event === event) }));
  const scored = [...groups, { name: "all", photos: read }].map(({ name, photos }) => ({
    name,
    score: scoreOf(photos.map((each) => tallyPhoto(numbersOf(each[way]), each.photo))),
  }));
  return scored.flatMap(({ name, score }) => {
    const of = (measure: string) => `bibs ${way === "plain" ? "without" : "with"} a roster, ${name}: ${measure}`;
    const precision = figure(of("precision, labelled only"), score.precision, "");
    const f = figure(of("F, labelled only"), score.f, "");
    const measured = [
      [of("recall"), score.recall, GOALS[way].recall],
      [of("precision, all visible"), score.precisionWithVisible, GOALS[way].precisionWithVisible],
    ] as const;
    const goals = measured.map(([measure, value, least]) =>
      name === "all" ? atLeast(measure, value, "", least) : figure(measure, value, ""),
    );
    return [...goals, precision, f];
  });
}

function numbersOf({ bibs }: BibReading): string[] {
  return bibs.map(({ bib }) => bib);
}

async function casesOf(read: ReadPhoto[]): Promise<Case[]> {
  const cases: Case[] = [];
  for (const { photo, plain, roster } of read) {
    const slips = slipsOf({ photo, plain, roster });
    if (slips.length === 0) continue;
    const image = await readFile(photo.path);
    const visible = photo.alsoVisible.length > 0 ? `, also visible ${photo.alsoVisible.join(", ")}` : "";
    const expected = photo.numbers.join(", ") + visible;
    cases.push(await describeCase({ title: photo.file, expected, image }, slips, judgedWords(plain)));
  }
  return cases;
}

function slipsOf({ photo, plain, roster }: ReadPhoto): Slip[] {
  const right = new Set([...photo.numbers, ...photo.alsoVisible]);
  const ways = { plain: new Set(numbersOf(plain)), roster: new Set(numbersOf(roster)) };
  const missed = [...new Set(photo.numbers)].flatMap((number): Slip[] => {
    const note = whenWrong(!ways.plain.has(number), !ways.roster.has(number));
    if (note === undefined) return [];
    const runner = photo.runners.find((each) => each.number === number);
    return [{ kind: "missed", number, note, ...(runner && { box: boxOfPlace(runner.bib, photo) }) }];
  });
  const found = new Map([...roster.bibs, ...plain.bibs].map((bib) => [bib.bib, bib]));
  const wrong = [...found.values()].flatMap(({ bib, box }): Slip[] => {
    const note = right.has(bib) ? undefined : whenWrong(ways.plain.has(bib), ways.roster.has(bib));
    return note === undefined ? [] : [{ kind: "wrong", number: bib, note, box }];
  });
  return [...missed, ...wrong];
}

function whenWrong(plain: boolean, roster: boolean): string | undefined {
  if (plain) return roster ? "with a roster too" : "right with a roster";
  return roster ? "only with a roster" : undefined;
}
