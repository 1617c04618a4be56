/** Finds and reads the words of a picture: first where bibs are, below the faces; without luck there, everywhere. */

import type { Word } from "../../ports.ts";
import { type Area, around, clip, samePlace, type TurnedArea, toBox, wholeOf } from "./areas.ts";
import { coveredCharacters } from "./covered-characters.ts";
import { hiddenParts } from "./line-ends.ts";
import type { Pyramid } from "./raster.ts";
import { seenPart } from "./seen-part.ts";
import type { Model } from "./session.ts";
import { detectTextAreas } from "./text-detector.ts";
import { type ReadCharacter, type ReadLine, readLine, type TextReader } from "./text-reader.ts";
import { vote } from "./vote.ts";

export type TextModels = { detector: Model; reader: TextReader; lineEnds: Model; coveredCharacters: Model };

/** `cut`: it reaches the border of the part that was looked at, so there may be more of it. */
type Sighting = { area: TurnedArea; reading: ReadLine; cut: boolean; part: Area; longSide: number };

const WHOLE_SIDE = 1280;
/** A bib lies within these multiples of the face's width beside its middle and of its height below its top. */
const TORSO = { beside: 2.2, from: 0.9, to: 5.5 };
const MIN_PART = 20;
const MIN_SCORE = 0.5;
const FIRST_PAD = 0.1;
const WIDE_PAD = 0.8;
/** Two readings as sure as this that agree need no more. */
const SURE = 0.97;
const CLEAR_CHARACTER = 0.8;
const MAX_WIDENINGS = 3;
const CLOSER_SIDE = 384;
const CLOSER_HEIGHTS = 6;
/** Smaller ones are guesses. */
const MIN_HEIGHT_PIXELS = 8;
/** By how much of its height the detector's rectangle is larger than the text at each end. */
const GROWN = 0.2;
/** Of digits, in heights of the rectangle. */
const WIDEST_CHARACTER = 0.68;

export async function findWords(models: TextModels, picture: Pyramid, faces: Area[]): Promise<Word[]> {
  const torsos = faces.map((face) => clip(torsoBelow(face), picture)).filter(isWorthALook);
  const sightings: Sighting[] = [];
  for (const torso of torsos) sightings.push(...(await seeTorso(models, picture, torso, sidesFor(torsos.length))));
  if (!sightings.some(isClearNumber)) sightings.push(...(await see(models, picture, wholeOf(picture), WHOLE_SIDE)));
  for (const [best] of byPlace(sightings)) {
    if (best.cut && hasDigit(best)) sightings.push(...(await seeAround(models, picture, best)));
  }
  const words: Word[] = [];
  for (const group of byPlace(sightings)) {
    const word = await readTogether(models, picture, group);
    if (word) words.push(word);
  }
  return words;
}

function torsoBelow(face: Area): Area {
  return {
    left: face.left + face.width / 2 - TORSO.beside * face.width,
    top: face.top + TORSO.from * face.height,
    width: 2 * TORSO.beside * face.width,
    height: (TORSO.to - TORSO.from) * face.height,
  };
}

function isWorthALook({ width, height }: Area): boolean {
  return width >= MIN_PART && height >= MIN_PART;
}

/** The time goes with the square of the side: among many people each gets less of it. */
function sidesFor(count: number): number[] {
  if (count <= 2) return [480, 320, 640, 800];
  return count <= 6 ? [480, 320] : [384];
}

/** Digits that fill the view, or are lost in it, escape the detector: without a number, other sizes are tried. */
async function seeTorso(models: TextModels, picture: Pyramid, torso: Area, sides: number[]): Promise<Sighting[]> {
  const sightings: Sighting[] = [];
  for (const side of sides) {
    sightings.push(...(await see(models, picture, torso, side)));
    if (sightings.some(isClearNumber)) break;
  }
  return sightings;
}

async function see(models: TextModels, picture: Pyramid, part: Area, longSide: number): Promise<Sighting[]> {
  const areas = await detectTextAreas(models.detector, picture, part, { longSide, minScore: MIN_SCORE });
  const sightings: Sighting[] = [];
  for (const area of areas) {
    const reading = await readLine(models.reader, picture, area, FIRST_PAD);
    sightings.push({ area, reading, cut: reachesBorder(area, part, picture, longSide), part, longSide });
  }
  return sightings;
}

/** The border of the picture itself hides no more that could be seen. */
function reachesBorder(area: TurnedArea, part: Area, picture: Pyramid, longSide: number): boolean {
  const slack = (3 * Math.max(part.width, part.height)) / longSide;
  // The detector's rectangle is larger than the text by about a quarter of its height at each side.
  const text = around({ ...area, width: area.width - area.height / 2, height: area.height / 2 });
  const right = part.left + part.width;
  const bottom = part.top + part.height;
  return (
    (part.left > 0 && text.left < part.left + slack) ||
    (part.top > 0 && text.top < part.top + slack) ||
    (right < picture.width - 1 && text.left + text.width > right - slack) ||
    (bottom < picture.height - 1 && text.top + text.height > bottom - slack)
  );
}

function seeAround(models: TextModels, picture: Pyramid, { area, part, longSide }: Sighting): Promise<Sighting[]> {
  const { width, height } = part;
  const centred = clip({ left: area.x - width / 2, top: area.y - height / 2, width, height }, picture);
  return see(models, picture, centred, longSide);
}

/** Those seen at one place together; first in each group is the one to read: whole, and the longest. */
function byPlace(sightings: Sighting[]): [Sighting, ...Sighting[]][] {
  const groups: [Sighting, ...Sighting[]][] = [];
  const digitsFirst = (each: Sighting) => (hasDigit(each) ? 0 : 1);
  const order = (a: Sighting, b: Sighting) =>
    digitsFirst(a) - digitsFirst(b) || Number(a.cut) - Number(b.cut) || b.area.width - a.area.width;
  for (const sighting of sightings.toSorted(order)) {
    const group = groups.find((known) => known.some(({ area }) => samePlace(area, sighting.area)));
    if (group) group.push(sighting);
    else groups.push([sighting]);
  }
  return groups;
}

function hasDigit({ reading }: Sighting): boolean {
  return reading.characters.some(({ text, confidence }) => text >= "0" && text <= "9" && confidence > 0.4);
}

function isClearNumber({ reading, cut }: Sighting): boolean {
  return !cut && reading.confidence > 0.9 && /^\p{L}?\d{1,6}$/u.test(reading.text);
}

/** Words without digits are read once: nobody looks for them. */
async function readTogether(
  models: TextModels,
  picture: Pyramid,
  [best, ...rest]: [Sighting, ...Sighting[]],
): Promise<Word | undefined> {
  if (!hasDigit(best)) return toWord(models, picture, best.area, [best.reading]);
  let { area, readings } = await readWhole(models.reader, picture, best);
  if (isLongerThanRead(area, readings)) {
    const closer = await seeCloser(models, picture, area);
    if (closer) ({ area, readings } = await readWhole(models.reader, picture, closer));
  }
  if (!areSure(readings)) {
    for (const view of otherViews(area)) readings.push(await readLine(models.reader, picture, view.area, view.pad));
    if (area === best.area) readings.push(...rest.slice(0, 2).map(({ reading }) => reading));
  }
  return toWord(models, picture, area, readings);
}

/** At a size that the detector likes best; the longest line at that place, if there is one with digits. */
async function seeCloser(models: TextModels, picture: Pyramid, area: TurnedArea): Promise<Sighting | undefined> {
  const side = CLOSER_HEIGHTS * area.height + area.width;
  const part = clip({ left: area.x - side / 2, top: area.y - side / 2, width: side, height: side }, picture);
  const sightings = await see(models, picture, part, CLOSER_SIDE);
  const [group] = byPlace(sightings.filter((each) => hasDigit(each) && samePlace(each.area, area)));
  return group?.[0];
}

/** The detector's rectangle may leave out an end: as long as a longer view shows more of the line, it is widened. */
async function readWhole(reader: TextReader, picture: Pyramid, sighting: Sighting) {
  let { area, reading } = sighting;
  let wide = await readLine(reader, picture, area, WIDE_PAD);
  for (let more = 0; more < MAX_WIDENINGS && showsMore(wide, reading); more += 1) {
    area = fitted(area, wide);
    reading = await readLine(reader, picture, area, FIRST_PAD);
    wide = await readLine(reader, picture, area, WIDE_PAD);
  }
  return { area, readings: [reading, wide] };
}

function showsMore(wide: ReadLine, reading: ReadLine): boolean {
  return (
    wide.text.length > reading.text.length &&
    wide.text.includes(reading.text) &&
    wide.characters.every(({ text, confidence }) => /[\p{L}\p{N}]/u.test(text) && confidence >= CLEAR_CHARACTER)
  );
}

/** The part of the widened view in which the characters were seen. */
function fitted(area: TurnedArea, { characters }: ReadLine): TurnedArea {
  const length = area.width + 2 * WIDE_PAD * area.height;
  const [first, last] = [characters[0] as ReadCharacter, characters.at(-1) as ReadCharacter];
  const margin = area.height / 2;
  const from = Math.max(0, first.from * length - margin);
  const to = Math.min(length, last.to * length + margin);
  const along = (from + to - length) / 2;
  const { angle } = area;
  return { ...area, x: area.x + along * Math.cos(angle), y: area.y + along * Math.sin(angle), width: to - from };
}

async function toWord(
  models: TextModels,
  picture: Pyramid,
  area: TurnedArea,
  readings: ReadLine[],
): Promise<Word | undefined> {
  const verdict = area.height < MIN_HEIGHT_PIXELS ? undefined : vote(readings);
  if (!verdict) return undefined;
  const hidden = await hiddenIn(models, picture, area, verdict.text, readings);
  const ends = [verdict.cut, endsBeyond(picture, area, readings[0] as ReadLine, verdict.text.length), hidden];
  const cut = {
    start: ends.some(({ start }) => start),
    end: ends.some(({ end }) => end),
    ...(hidden.inside.length > 0 && { inside: hidden.inside }),
  };
  return { ...seenPart({ ...verdict, cut }, hidden.covered), box: toBox(around(area), picture) };
}

async function hiddenIn(models: TextModels, picture: Pyramid, area: TurnedArea, text: string, readings: ReadLine[]) {
  if (!/\d/.test(text)) return { start: false, end: false, inside: [], covered: [] };
  const line = { area, text, middles: middlesOf(area, text, readings) };
  const parts = await hiddenParts(models, picture, line);
  return { ...parts, covered: await coveredCharacters(models.coveredCharacters, picture, line) };
}

/** As seen in the tight view, or the wide one; where both read something else, evenly. */
function middlesOf({ width, height }: TurnedArea, text: string, readings: ReadLine[]): number[] {
  const view = [FIRST_PAD, WIDE_PAD].findIndex((_, n) => readings[n]?.text === text);
  if (view === -1) {
    const length = width - 2 * GROWN * height;
    return [...text].map((_, n) => length * ((n + 0.5) / text.length - 0.5));
  }
  const length = width + 2 * (view === 0 ? FIRST_PAD : WIDE_PAD) * height;
  return (readings[view] as ReadLine).characters.map(({ from, to }) => length * ((from + to) / 2 - 0.5));
}

/** A line goes on beyond the picture's border, or where it is longer than what was read of it. */
function endsBeyond(picture: Pyramid, area: TurnedArea, { characters }: ReadLine, count: number) {
  const text = around({ ...area, width: area.width - area.height * 2 * GROWN });
  const slack = area.height * GROWN;
  const isLonger = isLongerThan(area, count);
  const before = characters[0]?.from ?? 0;
  const after = 1 - (characters.at(-1)?.to ?? 1);
  return {
    start: text.left < slack || (isLonger && before >= after),
    end: text.left + text.width > picture.width - slack || (isLonger && after > before),
  };
}

function isLongerThan(area: TurnedArea, count: number): boolean {
  return area.width - 2 * GROWN * area.height > count * WIDEST_CHARACTER * area.height;
}

function isLongerThanRead(area: TurnedArea, readings: ReadLine[]): boolean {
  return isLongerThan(area, Math.max(...readings.map(({ characters }) => characters.length)));
}

function areSure(readings: ReadLine[]): boolean {
  const [first] = readings;
  return readings.every(({ text, confidence }) => text === first?.text && confidence >= SURE);
}

/** Turned, higher, lower and longer: a detector's rectangle is a guess, and the reader is picky about its edges. */
function otherViews(area: TurnedArea): { area: TurnedArea; pad: number }[] {
  return [
    { area, pad: 0.35 },
    { area: { ...area, height: area.height * 1.2 }, pad: 0.1 },
    { area: { ...area, height: area.height * 0.88 }, pad: 0.1 },
    ...[-0.25, -0.12, 0.12, 0.25].map((turn) => ({ area: { ...area, angle: area.angle + turn }, pad: 0.2 })),
  ];
}
