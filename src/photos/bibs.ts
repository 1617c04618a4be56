/** Which of the words in a picture are bibs, whose they are, and why the other words are not. */

import type { Box, Word } from "../platform/ports.ts";
import { faceAbove } from "./face-above.ts";

export { DEFAULT_WATERMARK_ZONES } from "../registry/events.ts";

export type BibRules = {
  /** What a bib looks like, with `^` and `$`. Without one: up to six digits, one letter may come before. */
  pattern?: RegExp;
  watermarkZones: Box[];
  minConfidence: number;
  /** The event's numbers, where it has a list of them. */
  roster?: ReadonlySet<string>;
};

/** `face` is the place in the list of faces, if one is above the bib. */
type Found = { box: Box; confidence: number; face?: number };
export type Bib = Found & { bib: string };
/** What can be seen of a number that is partly hidden: `12?` begins with 12, in `1?2` something between is hidden. */
export type PartialBib = Found & { text: string };
export type Refusal = { text: string; box: Box; confidence: number; reason: RefusalReason };
export type RefusalReason = "pattern" | "watermark" | "confidence" | "too-small" | "roster";
export type BibReading = { bibs: Bib[]; partial: PartialBib[]; refused: Refusal[] };

const DEFAULT_PATTERN = /^[A-Z]?\d{1,6}$/;
export const DEFAULT_MIN_CONFIDENCE = 0.6;
const MIN_HEIGHT_TO_FACE = 0.25;
/** Of the height of another number on the same bib. */
const SMALL_PRINT = 0.6;
/** In heights of the number, how far above and below it its bib goes on. */
const PAPER_BEYOND = 1.2;

export function readBibs(words: Word[], faces: Box[], rules: BibRules): BibReading {
  const reading: BibReading = { bibs: [], partial: [], refused: [] };
  for (const word of words) {
    const { confidence, box } = word;
    const text = numberOf(plain(word.text), word, rules);
    const face = faceAbove(box, faces);
    const reason = refusal(text, word, rules) ?? (isTooSmall(box, faces[face ?? -1]) ? "too-small" : undefined);
    const found = { box, confidence, ...(face !== undefined && { face }) };
    if (reason) reading.refused.push({ text, box, confidence, reason });
    else if (isPartial(text, word, rules)) reading.partial.push({ ...found, text: asSeen(word) });
    else if (rules.roster && !rules.roster.has(text)) reading.refused.push({ text, box, confidence, reason: "roster" });
    else reading.bibs.push({ ...found, bib: text });
  }
  return withoutSmallPrint(reading);
}

/** A bib shows no other number half the size of its own: that is a year, a distance, a sponsor's. */
function withoutSmallPrint({ bibs, partial, refused }: BibReading): BibReading {
  const numbers = [...bibs, ...partial];
  const isSmallPrint = (bib: Bib) =>
    numbers.some((other) => bib.box.height < SMALL_PRINT * other.box.height && areOnOneBib(bib, other));
  const small = bibs
    .filter(isSmallPrint)
    .map(({ bib, box, confidence }): Refusal => ({ text: bib, box, confidence, reason: "too-small" }));
  return { bibs: onceEach(bibs.filter((bib) => !isSmallPrint(bib))), partial, refused: [...refused, ...small] };
}

/** Below one face; of a print below nobody's face its distance from the number tells. */
function areOnOneBib(print: Found, number: Found): boolean {
  if (print.face !== undefined) return print.face === number.face;
  const { left, top, width, height } = number.box;
  const [x, y] = [print.box.left + print.box.width / 2, print.box.top + print.box.height / 2];
  // A bib goes on at the sides for no more than its number's width, which is a share of the same side of the picture.
  const beside = width;
  const beyond = PAPER_BEYOND * height;
  return x > left - beside && x < left + width + beside && y > top - beyond && y < top + height + beyond;
}

/** Full-width digits and small letters mean the same number. */
function plain(text: string): string {
  return text.normalize("NFKC").toUpperCase().replaceAll(/\s/g, "");
}

/** Some bibs are printed with zeros before the number. They are no part of it unless the event says so. */
function numberOf(text: string, { cut }: Word, { roster, pattern }: BibRules): string {
  if (roster?.has(text)) return text;
  const short = text.replace(/^0+(?=\d)/, "");
  if (roster?.has(short)) return short;
  return cut?.start === false && pattern === undefined && !roster ? short : text;
}

function refusal(text: string, { confidence, box }: Word, rules: BibRules): RefusalReason | undefined {
  if (!(rules.pattern ?? DEFAULT_PATTERN).test(text)) return "pattern";
  if (rules.watermarkZones.some((zone) => holdsMiddle(zone, box))) return "watermark";
  if (confidence < rules.minConfidence) return "confidence";
  return undefined;
}

/** A line on a shirt or a badge is not as high as the number on a bib. */
function isTooSmall(box: Box, face: Box | undefined): boolean {
  return face !== undefined && box.height < MIN_HEIGHT_TO_FACE * face.height;
}

function holdsMiddle(zone: Box, box: Box): boolean {
  const x = box.left + box.width / 2;
  const y = box.top + box.height / 2;
  return x >= zone.left && x <= zone.left + zone.width && y >= zone.top && y <= zone.top + zone.height;
}

/** Nobody runs with the number 0123 unless the event says so: if nobody saw that it starts there, the digit before the 0 is hidden. */
function isPartial(text: string, { cut }: Word, { pattern, roster }: BibRules): boolean {
  if (cut?.start || cut?.end || cut?.inside?.length) return true;
  return text.startsWith("0") && pattern === undefined && !roster?.has(text);
}

function asSeen({ text, cut }: Word): string {
  const gaps = new Set(cut?.inside);
  const seen = plain([...text].map((character, n) => (gaps.has(n) ? `?${character}` : character)).join(""));
  const start = cut?.start || (seen.startsWith("0") && !cut?.end);
  return `${start ? "?" : ""}${seen}${cut?.end ? "?" : ""}`;
}

/** The same number twice in one picture is one bib: the surer reading. */
function onceEach(bibs: Bib[]): Bib[] {
  const best = new Map<string, Bib>();
  for (const bib of bibs) {
    const known = best.get(bib.bib);
    if (!known || bib.confidence > known.confidence) best.set(bib.bib, bib);
  }
  return [...best.values()];
}
