/** Cuts out the ends and gaps that the product sees in the tests' drawn scenes, for train.py. Usage: node draw-scenes.ts OUT FIRST_SEED SCENES. */

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
import { type BibTruth, drawScene } from "../../tests/pictures/scene.ts";

const MIN_FACE_SCORE = 0.6;
const PLANES = 4;
const [ROWS, WIDTH] = [84, 140];
/** Each place is seen at three sizes. */
const SIZES = 3;
/** That of the start and that of the end come first. */
const ENDS = 2;
const VIEW = PLANES * ROWS * WIDTH;

/** Where in the number the word's characters are; nothing where it can't be told. */
function placesOf({ text }: Word, { visible }: BibTruth): number[] | undefined {
  const places = [...visible].flatMap((character, n) => (character === "?" ? [] : [n]));
  const seen = places.map((n) => visible[n]).join("");
  const read = text.toUpperCase();
  const at = seen.indexOf(read);
  return at === -1 || seen.includes(read, at + 1) ? undefined : places.slice(at, at + read.length);
}

/** 1 where that place of the number is out of sight, 0 where the number has none there; nothing where it was seen and not read: bad luck. */
function hiddenAt({ visible }: BibTruth, place: number): number | undefined {
  const character = visible[place];
  if (character === undefined) return 0;
  return character === "?" ? 1 : undefined;
}

/** Of each place that was shown: the start, the end, and the gaps, of each of which there are views from both sides. */
function labelsOf(word: Word, bib: BibTruth): (number | undefined)[] {
  const places = placesOf(word, bib);
  if (!places) return [];
  const [first, last] = [places[0] as number, places.at(-1) as number];
  const gaps = word.cut?.inside ?? [];
  return [
    hiddenAt(bib, first - 1),
    hiddenAt(bib, last + 1),
    ...gaps.flatMap((gap) => {
      const label = (places[gap] as number) > (places[gap - 1] as number) + 1 ? 1 : 0;
      return [label, label];
    }),
  ];
}

/** Planes to pixels of four values, as the other sets have them. */
function toPixels(planes: Float32Array): Uint8Array {
  const size = ROWS * WIDTH;
  return Uint8Array.from({ length: VIEW }, (_, i) =>
    Math.round(planes[(i % PLANES) * size + Math.floor(i / PLANES)] ?? 0),
  );
}

function writeArray(file: string, shape: number[], data: Uint8Array): void {
  const about = `{'descr': '|u1', 'fortran_order': False, 'shape': (${shape.join(", ")},), }`;
  const header = `${about.padEnd(117)}\n`;
  const start = Buffer.from([0x93, ...Buffer.from("NUMPY"), 1, 0, header.length, 0]);
  writeFileSync(file, Buffer.concat([start, Buffer.from(header), data]));
}

const [out, first, scenes] = argv.slice(2);
if (!out || !first || !scenes) {
  stderr.write("node draw-scenes.ts OUT FIRST_SEED SCENES\n");
  exit(2);
}
const files = readModels();
const faceDetector = await openModel(files.faceDetector.bytes);
let shown: Float32Array[] = [];
/** What it is shown is what counts. It takes every end for whole, and all gaps for hiding something: so the words tell which were shown. */
const lineEnds = {
  run: async (input: Float32Array) => {
    shown.push(input);
    return [new Float32Array(input.length / VIEW).fill(1, ENDS * SIZES)];
  },
};
const models = { ...(await openTextModels(files)), lineEnds };
const views: Uint8Array[] = [];
const labels: number[] = [];
for (let seed = Number(first); seed < Number(first) + Number(scenes); seed += 1) {
  const { jpeg, truth } = await drawScene({ seed, kind: "hidden" });
  shown = [];
  const picture = await openPicture(jpeg);
  const words = await findWords(
    models,
    picture,
    await detectFaces(faceDetector, picture, wholeOf(picture), MIN_FACE_SCORE),
  );
  for (const [n, word] of words.filter(({ text }) => /\d/.test(text)).entries()) {
    const bib = truth.bibs.find(({ box }) => holdsMiddle(box, word.box));
    const seen = shown[n];
    if (!bib || !seen) continue;
    for (const [place, label] of labelsOf(word, bib).entries()) {
      if (label === undefined) continue;
      const view = place * SIZES + Math.floor(SIZES / 2);
      views.push(toPixels(seen.subarray(view * VIEW, (view + 1) * VIEW)));
      labels.push(label);
    }
  }
  if (seed % 50 === 0) stdout.write(`${seed}: ${labels.length} views\n`);
}
writeArray(`${out}-views.npy`, [labels.length, ROWS, WIDTH, PLANES], Buffer.concat(views));
writeArray(`${out}-labels.npy`, [labels.length], Uint8Array.from(labels));
