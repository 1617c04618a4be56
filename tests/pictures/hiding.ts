/** What hides a part of a bib in a real race: a forearm, a hand, a slung belt, another runner, a fold of the paper. */

import type { Random } from "../simulation/random.ts";
import type { BibDesign } from "./bib-art.ts";
import { type Cloth, drawLimb, type Joint, type Stage, shadeUnder } from "./body.ts";
import { light } from "./canvas.ts";
import { amount } from "./noise.ts";
import { type Pin, pixelOf } from "./pinned-bib.ts";
import { drawArms, drawBody, drawFist, drawUpperArm, type RunnerLook, type RunnerPlace, runnerLook } from "./runner.ts";

export type Hiding = {
  by: "arm" | "hand" | "belt" | "runner" | "fold";
  /** The characters meant to be hidden; what really is hidden is measured on the picture. */
  first: number;
  last: number;
};

export function planHiding(random: Random, design: BibDesign, alone: boolean): Hiding {
  const length = design.number.length;
  const count = length > 3 && random.chance(0.4) ? 2 : 1;
  const by = random.pick(
    alone ? (["arm", "hand", "belt", "runner", "fold"] as const) : (["arm", "hand", "belt", "fold"] as const),
  );
  // Only a belt crosses the middle without covering an end too.
  const first =
    by === "belt" && length > count + 1 ? random.between(1, length - count - 1) : random.pick([0, length - count]);
  return { by, first, last: first + count - 1 };
}

/** The hidden characters' place over the paper, from -1 to 1. */
function stretchOf(design: BibDesign, hiding: Hiding) {
  const from = (design.spans[hiding.first]?.from ?? 0) * 2 - 1;
  const to = (design.spans[hiding.last]?.to ?? 1) * 2 - 1;
  const right = hiding.first > 0;
  return { from, to, right, t: design.line.middle * 2 - 1, tall: design.line.height };
}

/** The line at which the paper is folded so that the flap reaches to the first hidden character. */
export function foldFor(design: BibDesign, hiding: Hiding): NonNullable<Pin["fold"]> {
  const { from, to, right } = stretchOf(design, hiding);
  const inner = right ? from - 0.02 : -to - 0.02;
  const tilt = 0.12;
  return { x: right ? Math.cos(tilt) : -Math.cos(tilt), y: Math.sin(tilt), at: (1 + inner) / 2 };
}

export type Scenery = { stage: Stage; place: RunnerPlace; look: RunnerLook; pin: Pin; design: BibDesign };

/** Draws the runner's arms and what else is in front of the bib. */
export function drawHiding(random: Random, scenery: Scenery, hiding: Hiding): void {
  const uses = hiding.by === "arm" || hiding.by === "hand";
  drawArms(scenery.stage, scenery.place, scenery.look, uses ? (hiding.first > 0 ? 1 : -1) : 0);
  if (hiding.by === "arm") drawForearm(random, scenery, hiding);
  if (hiding.by === "hand") drawHand(random, scenery, hiding);
  if (hiding.by === "belt") drawBelt(random, scenery, hiding);
  if (hiding.by === "runner") drawPasser(random, scenery, hiding);
}

function targetOf({ pin, design, stage, place }: Scenery, hiding: Hiding) {
  const { from, to, right, t, tall } = stretchOf(design, hiding);
  const at = (s: number, row: number) => pixelOf(pin, design.ratio, stage.noise, s, row);
  const [left, end] = [at(from, t), at(to, t)];
  const wide = Math.hypot(end.x - left.x, end.y - left.y);
  const middle = at((from + to) / 2, t);
  return {
    left,
    end,
    middle,
    wide,
    tall: tall * pin.width * design.ratio,
    side: right ? 1 : -1,
    front: place.z + place.head,
  };
}

/** The runner's own forearm swings across: elbow low and outside, wrist above the bib. */
function drawForearm(random: Random, scenery: Scenery, hiding: Hiding): void {
  const { stage, place, look } = scenery;
  const { head } = place;
  const target = targetOf(scenery, hiding);
  const r = Math.max(0.15 * head, target.wide * 0.56);
  const slope = amount(random, 0.15, 0.4) * target.side;
  const reach = 0.55 * head + target.tall * 0.5;
  // Outward from the hidden end, so that the next character stays clear.
  const x = target.middle.x + target.side * r * 0.2;
  const elbow: Joint = { x: x + slope * reach, y: target.middle.y + reach, z: target.front, r: r * 1.1 };
  const wrist: Joint = {
    x: x - slope * reach * 0.3,
    y: target.middle.y - reach * 0.75,
    z: target.front + 0.2 * head,
    r,
  };
  const skin: Cloth = { colour: look.head.skin, folds: 0.05, shine: 0.05 };
  shadeUnder(stage.canvas, elbow, wrist, place.z, 0.35);
  drawUpperArm(stage, place, look, target.side, elbow);
  drawLimb(stage, elbow, wrist, skin);
  drawFist(stage, wrist, head * Math.max(0.9, (r / head) * 6), skin);
}

function drawHand(random: Random, scenery: Scenery, hiding: Hiding): void {
  const { stage, place, look } = scenery;
  const { head } = place;
  const target = targetOf(scenery, hiding);
  const size = Math.max(head, (target.wide / 0.3) * 1.05, (target.tall / 0.34) * 1.05);
  const gloved = random.chance(0.35);
  const cloth: Cloth = { colour: gloved ? light("#22242a") : look.head.skin, folds: 0.08, shine: 0.04 };
  const wrist: Joint = {
    x: target.middle.x + target.side * 0.05 * size,
    y: target.middle.y + 0.05 * size,
    z: target.front + 0.2 * head,
    r: 0.13 * size,
  };
  const elbow: Joint = {
    x: place.x + target.side * 1.3 * head,
    y: place.y + amount(random, 2.3, 2.6) * head,
    z: target.front - 0.3 * head,
    r: 0.16 * head,
  };
  const skin: Cloth = { colour: look.head.skin, folds: 0.05, shine: 0.05 };
  shadeUnder(stage.canvas, elbow, wrist, place.z, 0.35);
  drawUpperArm(stage, place, look, target.side, elbow);
  drawLimb(stage, elbow, wrist, skin);
  drawFist(stage, wrist, size, cloth);
}

/** A flat belt slung over the shoulder, across the hidden characters. */
function drawBelt(random: Random, scenery: Scenery, hiding: Hiding): void {
  const { stage, place } = scenery;
  const { head } = place;
  const target = targetOf(scenery, hiding);
  const slope = amount(random, -0.22, 0.22);
  const cloth: Cloth = {
    colour: light(random.pick(["#15171b", "#2c3d2f", "#7a1d22", "#d9a51f"])),
    folds: 0.12,
    shine: 0.02,
  };
  const r = target.wide * 0.54;
  const bottom = place.y + 2.85 * head;
  const high = place.y + 0.75 * head;
  const at = (y: number): Joint => ({
    x: target.middle.x + (target.middle.y - y) * slope,
    y,
    z: place.z + 0.66 * head,
    r,
  });
  shadeUnder(stage.canvas, at(high), at(bottom), place.z, 0.3);
  drawLimb(stage, at(high), at(bottom), cloth, 0.15);
}

/** Another runner passes in front, with the near arm close to the body. */
function drawPasser(random: Random, scenery: Scenery, hiding: Hiding): void {
  const { stage, place } = scenery;
  const target = targetOf(scenery, hiding);
  const look = runnerLook(random.fork());
  const head = place.head * amount(random, 1.02, 1.12);
  const near = { elbow: { x: -target.side * 1.02, y: 1.75 }, hand: { x: -target.side * 0.98, y: 2.5 }, forward: false };
  look.arms = target.side > 0 ? { ...look.arms, left: near } : { ...look.arms, right: near };
  const inner = target.side > 0 ? target.left.x : target.end.x;
  const passer = { x: inner + target.side * 1.15 * head, y: place.y + 0.2 * head, head, z: place.z + 5e4 };
  drawBody(stage, passer, look);
  drawArms(stage, passer, look);
}
