/** Cuts out the ends that the product sees in the tests' drawn scenes, for train.py. Usage: node draw-scenes.ts OUT FIRST_SEED SCENES. */

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

type Ends = [start: number, end: number];

const MIN_FACE_SCORE = 0.6;
const PLANES = 4;
const [ROWS, WIDTH] = [84, 140];
/** Of three views of the start and three of the end. */
const OF_MIDDLE_SIZE = [1, 4];
const VIEW = PLANES * ROWS * WIDTH;

/** 1 where the word goes on out of sight; nothing where it can't be told. */
function labelsOf({ text }: Word, { number, visible }: BibTruth): Ends | undefined {
  const read = text.toUpperCase();
  const at = number.indexOf(read);
  const after = at + read.length;
  if (at === -1 || number.includes(read, at + 1) || visible.slice(at, after).includes("?")) return undefined;
  const [before, next] = [visible[at - 1] ?? "", visible[after] ?? ""];
  // Seen, and not read: what the line shows there is no more than bad luck.
  if (/[^?]/.test(before + next)) return undefined;
  return [before.length, next.length];
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
/** Every end is whole to it: what it is shown is what counts. */
const lineEnds = {
  run: async (input: Float32Array) => {
    shown.push(input);
    return [new Float32Array(input.length / VIEW)];
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
    const ends = bib && labelsOf(word, bib);
    const seen = shown[n];
    if (!ends || !seen) continue;
    views.push(...OF_MIDDLE_SIZE.map((view) => toPixels(seen.subarray(view * VIEW, (view + 1) * VIEW))));
    labels.push(...ends);
  }
  if (seed % 50 === 0) stdout.write(`${seed}: ${labels.length} ends\n`);
}
writeArray(`${out}-views.npy`, [labels.length, ROWS, WIDTH, PLANES], Buffer.concat(views));
writeArray(`${out}-labels.npy`, [labels.length], Uint8Array.from(labels));
