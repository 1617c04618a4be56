/** Cuts out the ends, gaps and characters that the product sees in the tests' drawn scenes, for train.py. Usage: node draw-scenes.ts OUT FIRST_SEED SCENES KIND. */

import { writeFileSync } from "node:fs";
import { argv, exit, stderr, stdout } from "node:process";
import { holdsMiddle } from "../../bench/vision/places.ts";
import { wholeOf } from "../../src/platform/embedded/vision/areas.ts";
import { openTextModels } from "../../src/platform/embedded/vision/eye.ts";
import { detectFaces } from "../../src/platform/embedded/vision/face-detector.ts";
import { findWords } from "../../src/platform/embedded/vision/find-words.ts";
import { readModels } from "../../src/platform/embedded/vision/models.ts";
import { openPicture } from "../../src/platform/embedded/vision/picture.ts";
import { openModel } from "../../src/platform/embedded/vision/session.ts";
import type { Word } from "../../src/platform/ports.ts";
import { BIB_KINDS, type BibTruth, drawScene } from "../../tests/pictures/scene.ts";

const MIN_FACE_SCORE = 0.6;
const PLANES = 4;
const [ROWS, WIDTH] = [84, 140];
/** At how many sizes each place is seen: one is enough to learn from. */
const SIZES = { ends: 3, characters: 1 };
type Kind = keyof typeof SIZES;
const VIEW = PLANES * ROWS * WIDTH;

/** Where in the number the word's characters are; nothing where it can't be told. A hidden character may have been read as any other, once only. */
function placesOf({ text }: Word, { visible }: BibTruth): number[] | undefined {
  const read = text.toUpperCase();
  const [plain, ...others] = alignments(read, visible, 0);
  if (plain) return others.length === 0 ? plain : undefined;
  return alignments(read, visible, 1)[0];
}

/** All the ways in which the text can be what was read of the number, with so many hidden characters misread. */
function alignments(text: string, visible: string, misread: number, from = 0): number[][] {
  if (text === "") return [[]];
  return [...visible].flatMap((character, place) => {
    const isHidden = character === "?";
    if (place < from || (isHidden ? misread === 0 : character !== text[0])) return [];
    // Nothing that can be seen is left out inside.
    if (from > 0 && /[^?]/.test(visible.slice(from, place))) return [];
    const rest = alignments(text.slice(1), visible, misread - Number(isHidden), place + 1);
    return rest.map((places) => [place, ...places]);
  });
}

/** 1 where that place of the number is out of sight, 0 where the number has none there; nothing where it was seen and not read: bad luck. */
function hiddenAt({ visible }: BibTruth, place: number): number | undefined {
  const character = visible[place];
  if (character === undefined) return 0;
  return character === "?" ? 1 : undefined;
}

/** Of each place that was shown. Ends: the start, the end, then the gaps. Of gaps and characters there are views from both sides. */
function labelsOf(word: Word, bib: BibTruth): Record<Kind, (number | undefined)[]> {
  const places = placesOf(word, bib);
  if (!places) return { ends: [], characters: [] };
  const [first, last] = [places[0] as number, places.at(-1) as number];
  const gaps = word.cut?.inside ?? [];
  const isMisread = (place: number) => bib.visible[place] === "?";
  const isHiding = (gap: number) => (places[gap] as number) > (places[gap - 1] as number) + 1;
  const fromBothSides = (hidden: boolean) => [Number(hidden), Number(hidden)];
  return {
    ends: [
      isMisread(first) ? 1 : hiddenAt(bib, first - 1),
      isMisread(last) ? 1 : hiddenAt(bib, last + 1),
      ...gaps.map(isHiding).flatMap(fromBothSides),
    ],
    characters: places.map(isMisread).flatMap(fromBothSides),
  };
}

/** Planes to pixels of four values, as the other sets have them. */
function toPixels(planes: Float32Array): Uint8Array {
  const size = ROWS * WIDTH;
  return Uint8Array.from({ length: VIEW }, (_, i) =>
    Math.round(planes[(i % PLANES) * size + Math.floor(i / PLANES)] ?? 0),
  );
}

function viewsOf(input: Float32Array): Float32Array[] {
  return Array.from({ length: input.length / VIEW }, (_, n) => input.subarray(n * VIEW, (n + 1) * VIEW));
}

function writeArray(file: string, shape: number[], data: Uint8Array): void {
  const about = `{'descr': '|u1', 'fortran_order': False, 'shape': (${shape.join(", ")},), }`;
  const header = `${about.padEnd(117)}\n`;
  const start = Buffer.from([0x93, ...Buffer.from("NUMPY"), 1, 0, header.length, 0]);
  writeFileSync(file, Buffer.concat([start, Buffer.from(header), data]));
}

const [out, first, scenes, trouble] = argv.slice(2);
const bibKind = BIB_KINDS.find((each) => each === trouble);
if (!out || !first || !scenes || !bibKind) {
  stderr.write(`node draw-scenes.ts OUT FIRST_SEED SCENES ${BIB_KINDS.join("|")}\n`);
  exit(2);
}
const files = readModels();
const faceDetector = await openModel(files.faceDetector.bytes);
type Shown = { kind: Kind; view: Float32Array };
let shown: Shown[] = [];
/** What they are shown is what counts. They take every gap and character for hiding something: so the words tell all that was shown, and are left as they were read. */
const noting = (kind: Kind) => ({
  run: async (input: Float32Array) => {
    const views = viewsOf(input);
    shown.push(...views.map((view) => ({ kind, view })));
    return [new Float32Array(views.length).fill(1)];
  },
});
/** Of a line the characters are asked about right after the ends. */
function takeShown({ cut }: Word): Record<Kind, Float32Array[]> {
  const ends = shown.splice(0, SIZES.ends * (2 + 2 * (cut?.inside?.length ?? 0)));
  const next = shown.findIndex(({ kind }) => kind === "ends");
  const characters = shown.splice(0, next === -1 ? shown.length : next);
  return { ends: ends.map(({ view }) => view), characters: characters.map(({ view }) => view) };
}
const models = {
  ...(await openTextModels(files)),
  lineEnds: noting("ends"),
  coveredCharacters: noting("characters"),
};
const views: Uint8Array[] = [];
const labels: number[] = [];
const kinds: Kind[] = [];
function keep(kind: Kind, seen: Float32Array[], known: (number | undefined)[]): void {
  for (const [place, label] of known.entries()) {
    const view = seen[place * SIZES[kind] + Math.floor(SIZES[kind] / 2)];
    // Those of a long line's characters are not there.
    if (label === undefined || !view) continue;
    views.push(toPixels(view));
    labels.push(label);
    kinds.push(kind);
  }
}
for (let seed = Number(first); seed < Number(first) + Number(scenes); seed += 1) {
  const { jpeg, truth } = await drawScene({ seed, kind: bibKind });
  shown = [];
  const picture = await openPicture(jpeg);
  const words = await findWords(
    models,
    picture,
    await detectFaces(faceDetector, picture, wholeOf(picture), MIN_FACE_SCORE),
  );
  for (const word of words.filter(({ text }) => /\d/.test(text))) {
    const seen = takeShown(word);
    const bib = truth.bibs.find(({ box }) => holdsMiddle(box, word.box));
    if (!bib) continue;
    const known = labelsOf(word, bib);
    for (const kind of ["ends", "characters"] as const) keep(kind, seen[kind], known[kind]);
  }
  if (seed % 50 === 0) stdout.write(`${seed}: ${labels.length} views\n`);
}
writeArray(`${out}-views.npy`, [labels.length, ROWS, WIDTH, PLANES], Buffer.concat(views));
writeArray(`${out}-labels.npy`, [labels.length], Uint8Array.from(labels));
writeArray(
  `${out}-kinds.npy`,
  [kinds.length],
  Uint8Array.from(kinds, (kind) => Number(kind === "characters")),
);
