/** Race pictures with truth: scenes drawn from a seed, with what a perfect reader would find in them. */

import type { Box } from "../../src/platform/ports.ts";
import { Random } from "../simulation/random.ts";
import { drawBackdrop } from "./backdrop.ts";
import { printBib } from "./bib-art.ts";
import type { Stage } from "./body.ts";
import { develop, encode, expose, smear } from "./camera.ts";
import { type Canvas, makeCanvas } from "./canvas.ts";
import { drawHiding } from "./hiding.ts";
import { clamp, makeNoise } from "./noise.ts";
import { type Pinned, pinBib } from "./pinned-bib.ts";
import { type PlannedRunner, planCloseUp, planScene, type ScenePlan } from "./plan.ts";
import { drawArms, drawBody, type RunnerPlace } from "./runner.ts";

export const BIB_KINDS = [
  "plain",
  "letter",
  "two-line",
  "korean",
  "rotated",
  "blurred",
  "night",
  "hidden",
  "small",
  "wrinkled",
] as const;

/** What makes a bib hard to read. */
export type BibKind = (typeof BIB_KINDS)[number];

export type BibTruth = {
  number: string;
  /** As far as it can be seen, hidden characters as ?. */
  visible: string;
  hidden: boolean;
  /** The whole bib, without what is folded away or outside the picture. */
  box: Box;
  kind: BibKind;
  /** From hairline to chin. */
  faceBox?: Box;
};

/**
 * Sizes are as a viewer shows the picture. Runners or the edge may hide some of the other texts. People in the background
 * have faces but no bibs, and are not listed.
 */
export type SceneTruth = { width: number; height: number; bibs: BibTruth[]; otherTexts: string[] };

export type SceneAsk = {
  seed: number;
  kind: BibKind;
  runners?: number;
  width?: number;
  quality?: number;
  /** As EXIF counts: how a viewer has to turn the stored pixels. */
  orientation?: 1 | 3 | 6 | 8;
};

export type Drawn = { jpeg: Buffer; truth: SceneTruth };

/** A character with less of its ink to be seen counts as hidden. */
const READABLE_SHARE = 0.5;

/** The same ask gives the same pixels on every machine that draws text and curves alike, and the same bytes on this one. */
export function drawScene(ask: SceneAsk): Promise<Drawn> {
  return draw(ask, planScene(ask));
}

/** One bib that fills a small picture, 480 pixels wide unless asked otherwise. */
export function drawBib(ask: SceneAsk): Promise<Drawn> {
  return draw(ask, planCloseUp(ask));
}

async function draw(ask: SceneAsk, plan: ScenePlan): Promise<Drawn> {
  const { width, height } = plan;
  const random = new Random(ask.seed ^ 0x5eed);
  const noise = makeNoise(ask.seed);
  const canvas = makeCanvas(width, height);
  const night = ask.kind === "night";
  const texts = await drawBackdrop(random.fork(), noise, canvas, { ...plan, night });
  const stage: Stage = { canvas, noise, light: plan.light };
  const pinned = new Map<PlannedRunner, Pinned>();
  for (const runner of [...plan.runners].sort((a, b) => a.place.z - b.place.z)) {
    pinned.set(runner, await drawRunner(stage, random.fork(), runner));
  }
  if (plan.smear) smear(canvas, plan.smear.length, plan.smear.angle);
  expose(canvas, noise, plan.exposure);
  const pixels = await develop(canvas, plan.finish);
  const jpeg = await encode(pixels, width, height, plan.finish);
  const bibs = plan.runners.map((runner) => truthOf(canvas, runner, pinned.get(runner) as Pinned));
  return { jpeg, truth: { width, height, bibs, otherTexts: [...texts, ...textsOf(plan)] } };
}

async function drawRunner(stage: Stage, random: Random, runner: PlannedRunner): Promise<Pinned> {
  const { place, look, design, pin, hiding } = runner;
  // A little more than the bib's size in the picture: four places are read per pixel.
  const art = await printBib(design, pin.width * 1.4);
  drawBody(stage, place, look);
  const pinned = pinBib(stage, art, pin, design.number.length);
  if (hiding) drawHiding(random, { stage, place, look, pin, design }, hiding);
  else drawArms(stage, place, look);
  return pinned;
}

function truthOf(canvas: Canvas, runner: PlannedRunner, pinned: Pinned): BibTruth {
  const { number } = runner.design;
  const seen = countMarks(canvas, runner.pin.place, pinned);
  const visible = [...number]
    .map((character, n) =>
      (seen[n + 1] as number) < (pinned.expected[n] as number) * READABLE_SHARE ? "?" : character,
    )
    .join("");
  const box = boxOf(canvas, pinned.left, pinned.top, pinned.right, pinned.bottom);
  const truth: BibTruth = { number, visible, hidden: visible !== number, box, kind: runner.kind };
  const faceBox = faceOf(canvas, runner.place);
  return faceBox.height > 0 ? { ...truth, faceBox } : truth;
}

/** How many pixels of each character's ink are still to be seen; at 0, paper. */
function countMarks(canvas: Canvas, place: number, { left, top, right, bottom }: Pinned): Uint32Array {
  const seen = new Uint32Array(16);
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const mark = canvas.marks[y * canvas.width + x] as number;
      if (mark >> 4 === place) seen[mark & 15] = (seen[mark & 15] as number) + 1;
    }
  }
  return seen;
}

function faceOf(canvas: Canvas, { x, y, head }: RunnerPlace): Box {
  return boxOf(canvas, x - head * 0.38, y - head * 0.26, x + head * 0.38, y + head * 0.5);
}

/** Fractions of the picture, and no more than is in it. */
function boxOf(canvas: Canvas, left: number, top: number, right: number, bottom: number): Box {
  const at = (value: number, size: number) => clamp(value / size, 0, 1);
  const [x, y] = [at(left, canvas.width), at(top, canvas.height)];
  return { left: x, top: y, width: at(right, canvas.width) - x, height: at(bottom, canvas.height) - y };
}

function textsOf(plan: ScenePlan): string[] {
  const printed = plan.runners.flatMap((runner) => runner.design.texts);
  return plan.finish.watermark ? [...printed, plan.finish.watermark.text] : printed;
}
