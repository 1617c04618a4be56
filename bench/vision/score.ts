/** How right the numbers read in photos are, against the numbers that are in them. */

import { Random } from "../../tests/simulation/random.ts";

/** `alsoVisible` are numbers nobody asks for, but that can be read. */
export type Expected = { numbers: string[]; alsoVisible: string[] };
export type Tally = { read: number; labelled: number; right: number; rightOrVisible: number };
export type Score = { recall: number; precision: number; precisionWithVisible: number; f: number };

const LONGEST_NUMBER = 5;

export function tallyPhoto(bibs: string[], { numbers, alsoVisible }: Expected): Tally {
  const read = new Set(bibs);
  const labelled = new Set(numbers);
  return {
    read: read.size,
    labelled: labelled.size,
    right: read.intersection(labelled).size,
    rightOrVisible: read.intersection(labelled.union(new Set(alsoVisible))).size,
  };
}

/** Of nothing read, and of nothing to read, the shares are not numbers. */
export function scoreOf(photos: Tally[]): Score {
  const sum = (key: keyof Tally) => photos.reduce((total, tally) => total + tally[key], 0);
  const recall = sum("right") / sum("labelled");
  const precision = sum("right") / sum("read");
  return {
    recall,
    precision,
    precisionWithVisible: sum("rightOrVisible") / sum("read"),
    f: (2 * precision * recall) / (precision + recall),
  };
}

/** Every length is as likely, so that nearly all short numbers are in it: what is left of a hidden one often is. */
export function makeRoster(known: string[], size: number, seed: number): Set<string> {
  const random = new Random(seed);
  const roster = new Set(known);
  while (roster.size < size) {
    const least = 10 ** (random.between(1, LONGEST_NUMBER) - 1);
    roster.add(String(random.between(least, least * 10 - 1)));
  }
  return roster;
}
