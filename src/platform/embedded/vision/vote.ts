/** What several readings of one line say together: the text most of them agree on, and what speaks against it. */

import type { Word } from "../../ports.ts";
import type { ReadCharacter, ReadLine } from "./text-reader.ts";

export type Verdict = Required<Omit<Word, "box">>;

const MAX_ALTERNATIVES = 3;
/** Where some read S1527 and some 61527, the S is more often the mistake. */
const LETTERS_COUNT = 0.7;
const MIN_MORE = 0.5;

export function vote(readings: ReadLine[]): Verdict | undefined {
  const agreed = mostAgreed(readings);
  if (agreed === undefined) return undefined;
  const agreeing = readings.filter((reading) => reading.text === agreed);
  const share = agreeing.reduce((sum, reading) => sum + weakest(reading), 0) / readings.length;
  return {
    text: agreed,
    // Two in three that agree are more often right than two in three.
    confidence: 1 - (1 - share) ** 2,
    alternatives: alternatives(agreed, readings),
    cut: cutEnds(agreed, readings),
  };
}

function mostAgreed(readings: ReadLine[]): string | undefined {
  const sums = new Map<string, number>();
  for (const reading of readings) {
    const { text } = reading;
    const counts = /^\d+$/.test(text) ? 1 : LETTERS_COUNT;
    if (text !== "") sums.set(text, (sums.get(text) ?? 0) + counts * weakest(reading));
  }
  const [best] = [...sums].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return best?.[0];
}

/** A line is as sure as the character it is least sure of. */
function weakest({ characters }: ReadLine): number {
  return characters.length === 0 ? 0 : Math.min(...characters.map(({ confidence }) => confidence));
}

/** Readings of the same length say which other character may stand in a place. */
function alternatives(text: string, readings: ReadLine[]): Verdict["alternatives"] {
  const alike = readings.filter(({ characters }) => characters.length === [...text].length);
  return [...text].map((character, place) => {
    const sums = new Map<string, number>();
    for (const { characters } of alike) {
      const { text: read, confidence, others } = characters[place] as ReadCharacter;
      for (const each of [{ text: read, confidence }, ...others]) {
        if (each.text !== character) sums.set(each.text, (sums.get(each.text) ?? 0) + each.confidence / alike.length);
      }
    }
    return [...sums]
      .map(([other, confidence]) => ({ text: other, confidence }))
      .sort((a, b) => b.confidence - a.confidence || (a.text < b.text ? -1 : 1))
      .slice(0, MAX_ALTERNATIVES);
  });
}

/** A reading with one more letter or digit at an end shows that something is there, if only a part of it. */
function cutEnds(text: string, readings: ReadLine[]): Verdict["cut"] {
  const longer = readings.filter((reading) => reading.text.length > text.length);
  const atStart = ({ text: read, characters }: ReadLine) =>
    read.endsWith(text) && isCharacter(characters.at(-1 - text.length));
  const atEnd = ({ text: read, characters }: ReadLine) => read.startsWith(text) && isCharacter(characters[text.length]);
  return { start: longer.some(atStart), end: longer.some(atEnd) };
}

function isCharacter(character: ReadCharacter | undefined): boolean {
  return character !== undefined && character.confidence >= MIN_MORE && /[\p{L}\p{N}]/u.test(character.text);
}
