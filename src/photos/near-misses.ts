/** For a bib without photos: how else it may be written, and which numbers much like it have photos. */

import { z } from "zod";
import type { EventForPhotos } from "../registry/events.ts";
import { type BibCountItem, bibCountKey } from "./items.ts";
import type { Photos } from "./photos.ts";

const MOST_SUGGESTED = 6;
/** One batch of DynamoDB. */
const MOST_LOOKED_UP = 100;
const LONGEST_BIB = 12;
const LONGEST_NUMBER = 6;
const DIGITS = [..."0123456789"];

export const NearMisses = z
  .object({
    onRoster: z.boolean().nullable().meta({ description: "Null where the event has no list of its runners." }),
    suggestions: z
      .array(z.object({ bib: z.string(), photos: z.int() }))
      .meta({ description: "Bibs one slip away that have photos, the likeliest first." }),
  })
  .meta({ id: "NearMisses" });
export type NearMisses = z.infer<typeof NearMisses>;

/** Answers how many photos the bib has, the same number with other zeros before it that has some, and what is like it. */
export async function lookAround(
  { table, rosters }: Pick<Photos, "table" | "rosters">,
  event: EventForPhotos,
  bib: string,
): Promise<{ photos: number; spelled: string | undefined; nearMisses: NearMisses }> {
  const roster = await rosters.read(event.eventId);
  const forms = otherZeros(bib, roster);
  const similar = listedFirst(similarBibs(bib), roster).filter((each) => !forms.includes(each));
  const asked = [bib, ...forms, ...similar].slice(0, MOST_LOOKED_UP);
  const items = (await table.batchGet(asked.map((each) => bibCountKey(event, each)))) as (BibCountItem | undefined)[];
  const counts = new Map(asked.map((each, index) => [each, items[index]?.photos ?? 0]));
  const photosOf = (each: string) => counts.get(each) ?? 0;
  const swapped = new Set(swaps(bib));
  const suggestions = similar
    .map((each) => ({ bib: each, photos: photosOf(each) }))
    .filter(({ photos }) => photos > 0)
    .sort((a, b) => Number(swapped.has(b.bib)) - Number(swapped.has(a.bib)) || b.photos - a.photos || order(a, b))
    .slice(0, MOST_SUGGESTED);
  const onRoster = roster.size === 0 ? null : [bib, ...forms].some((each) => roster.has(each));
  return {
    photos: photosOf(bib),
    spelled: forms.find((each) => photosOf(each) > 0),
    nearMisses: { onRoster, suggestions },
  };
}

export function withoutZeros(bib: string): string {
  return bib.replace(/^0+(?=\d)/, "");
}

/** Some lists have zeros before the numbers that nobody says, and some bibs have zeros that the list has not. */
function otherZeros(bib: string, roster: ReadonlySet<string>): string[] {
  const short = withoutZeros(bib);
  const forms = [short];
  if (/^\d+$/.test(bib)) {
    for (let length = short.length + 1; length <= LONGEST_NUMBER; length += 1) {
      const long = short.padStart(length, "0");
      if (roster.has(long)) forms.push(long);
    }
  }
  return forms.filter((each) => each !== bib);
}

/** One digit is another, is missing or is too many, or two are swapped. Letters stay as they are. */
export function similarBibs(bib: string): string[] {
  const found = new Set([...swaps(bib), ...others(bib), ...shorter(bib), ...longer(bib)]);
  found.delete(bib);
  return [...found];
}

function swaps(bib: string): string[] {
  return edits(bib, /\d\d/y, ([one, other]) => [`${other}${one}`]);
}

const others = (bib: string) => edits(bib, /\d/y, () => DIGITS);

function shorter(bib: string): string[] {
  return edits(bib, /\d/y, () => [""]).filter((each) => /\d/.test(each));
}

function longer(bib: string): string[] {
  if (bib.length >= LONGEST_BIB) return [];
  const before = edits(bib, /\d/y, (digit) => DIGITS.map((more) => `${more}${digit}`));
  return [...before, ...edits(bib, /\d/y, (digit) => DIGITS.map((more) => `${digit}${more}`))];
}

/** Wherever the pattern fits, each of the replacements in its place. */
function edits(bib: string, pattern: RegExp, replacements: (match: string) => string[]): string[] {
  return Array.from({ length: bib.length }, (_, at) => {
    pattern.lastIndex = at;
    const match = pattern.exec(bib)?.[0];
    if (match === undefined) return [];
    return replacements(match).map((text) => bib.slice(0, at) + text + bib.slice(at + match.length));
  }).flat();
}

/** Of long numbers not all can be looked up: first those that somebody runs with. */
function listedFirst(bibs: string[], roster: ReadonlySet<string>): string[] {
  const listed = bibs.filter((bib) => roster.has(bib));
  return [...listed, ...bibs.filter((bib) => !roster.has(bib))];
}

function order(a: { bib: string }, b: { bib: string }): number {
  return a.bib < b.bib ? -1 : 1;
}
