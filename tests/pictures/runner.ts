/** A runner from the front: pose, clothes and head, drawn in the order in which parts hide each other. */

import type { Random } from "../simulation/random.ts";
import { type Cloth, drawLimb, drawTrunk, type Joint, type Stage, shadeUnder } from "./body.ts";
import { type Colour, clip, light, paint } from "./canvas.ts";
import { drawHead, type HeadLook } from "./head.ts";
import { amount, mix, ramp } from "./noise.ts";

export type Arm = { elbow: { x: number; y: number }; hand: { x: number; y: number }; forward: boolean };

/** Lengths are in heads: the distance from crown to chin. */
export type RunnerLook = {
  head: HeadLook;
  yaw: number;
  roll: number;
  shoulders: number;
  belly: number;
  shirt: Colour;
  trim: Colour;
  trimAt: "sides" | "chest" | "none";
  shorts: Colour;
  shoes: Colour;
  sleeves: boolean;
  lean: number;
  arms: { left: Arm; right: Arm };
  lifted: "left" | "right";
};

/** Where the runner stands: the head's middle, its height in pixels, and how near. */
export type RunnerPlace = { x: number; y: number; head: number; z: number };

const SKINS = ["#e6bd9f", "#dba983", "#cf9a73", "#e0b08c", "#b97f58", "#8a5a3c", "#6b432c"];
const HAIRS = ["#15110f", "#1d1613", "#2a1c14", "#120f10", "#4a3524", "#6e6a66"];
const SHIRTS = [
  "#c9252d",
  "#1c5fb4",
  "#14161a",
  "#f0b81a",
  "#e8e9ea",
  "#16845a",
  "#e2662a",
  "#5c2d86",
  "#2bb3c9",
  "#d94f8c",
  "#8fce3a",
];
const SHORTS = ["#14161b", "#1a2340", "#3a3d43", "#20262b", "#7b1f28"];
const SHOES = ["#f0f1f0", "#e7402f", "#23d3a0", "#2a2c31", "#f3d22d"];

export function runnerLook(random: Random): RunnerLook {
  const lifted = random.pick(["left", "right"] as const);
  return {
    head: headLook(random),
    yaw: amount(random, -0.3, 0.3),
    roll: amount(random, -0.1, 0.1),
    shoulders: amount(random, 0.84, 0.98),
    belly: amount(random, 0.6, 0.72),
    shirt: light(random.pick(SHIRTS)),
    trim: light(random.pick(SHIRTS)),
    trimAt: random.pick(["sides", "chest", "none", "none"] as const),
    shorts: light(random.pick(SHORTS)),
    shoes: light(random.pick(SHOES)),
    sleeves: random.chance(0.7),
    lean: amount(random, -0.05, 0.05),
    // The forward arm belongs to the other side than the forward leg.
    arms: { left: swing(random, -1, lifted === "right"), right: swing(random, 1, lifted === "left") },
    lifted,
  };
}

function headLook(random: Random): HeadLook {
  const look: HeadLook = {
    skin: light(random.pick(SKINS)),
    hair: light(random.pick(HAIRS)),
    hairline: amount(random, -0.62, -0.42),
    part: amount(random, -0.25, 0.25),
    sides: random.pick([-0.1, 0, 0.1, 0.6]),
    glasses: random.chance(0.12),
    smile: random.chance(0.4) ? amount(random, 0.5, 1) : amount(random, 0, 0.25),
    jaw: amount(random, 0.72, 0.88),
    eyes: amount(random, 0.8, 1.15),
  };
  return random.chance(0.3) ? { ...look, cap: light(random.pick(["#f1f1f1", "#16181c", "#1f55a8", "#c8262c"])) } : look;
}

/** Elbows stay outside the trunk and hands at its edge, so that no arm covers the bib by accident. */
function swing(random: Random, side: number, forward: boolean): Arm {
  const elbow = { x: side * amount(random, 1.22, 1.36), y: amount(random, 1.75, 1.95) };
  const hand = forward
    ? { x: side * amount(random, 1.02, 1.16), y: amount(random, 0.95, 1.2) }
    : { x: side * amount(random, 1.12, 1.28), y: amount(random, 2.35, 2.6) };
  return { elbow, hand, forward };
}

/** How wide the trunk is, half of it, at a share of its height. */
function trunkWidth(look: RunnerLook): (along: number) => number {
  return (along) => {
    const shoulder = look.shoulders * Math.sqrt(along * 7 + 0.06);
    const waist = mix(look.shoulders * 0.96, look.belly, Math.min(1, along * 1.5)) + 0.14 * Math.max(0, along - 0.6);
    // The narrower of the two, without a corner where they meet.
    return (shoulder ** -8 + waist ** -8) ** (-1 / 8);
  };
}

const TRUNK = { top: 0.58, bottom: 2.85 };

/** Draws everything behind and under the bib; arms in front of the trunk come later, with `drawArms`. */
export function drawBody(stage: Stage, place: RunnerPlace, look: RunnerLook): void {
  const { head, z } = place;
  const point = (x: number, y: number, depth: number, r: number): Joint => ({
    x: place.x + x * head,
    y: place.y + y * head,
    z: z + depth * head,
    r: r * head,
  });
  const skin: Cloth = { colour: look.head.skin, folds: 0.03, shine: 0.05 };
  shadeGround(stage, place);
  drawLegs(stage, point, look, skin);
  const neck = [point(0, 0.3, 0, 0.25), point(look.lean * 0.5, 0.75, 0, 0.28)] as const;
  const width = trunkWidth(look);
  drawLimb(stage, neck[0], neck[1], skin);
  const shirt: Cloth = { colour: look.shirt, folds: 0.95, shine: 0.01, pattern: shirtPattern(look) };
  drawTrunk(stage, {
    x: place.x,
    lean: look.lean,
    top: place.y + TRUNK.top * head,
    bottom: place.y + TRUNK.bottom * head,
    z: z + 0.12 * head,
    width: (along) => width(along) * head,
    depth: 0.42 * head,
    cloth: shirt,
  });
  const collar = point(look.lean * 0.3, 0.52, 0.3, 0.25);
  drawLimb(stage, collar, { ...collar, y: collar.y + 0.08 * head }, skin, 0.9);
  shadeUnder(stage.canvas, point(0, 0.3, 0, 0.4), point(0, 0.46, 0, 0.36), z - head, 0.55);
  drawHead(
    stage,
    { x: place.x, y: place.y, z: z + 0.75 * head, tall: head, yaw: look.yaw, roll: look.roll },
    look.head,
  );
}

/** What a runner's feet leave of the light on the road. */
function shadeGround({ canvas }: Stage, { x, y, head }: RunnerPlace): void {
  const [foot, wide, deep] = [y + 6.5 * head, 1.3 * head, 0.22 * head];
  const box = clip(canvas, x - wide, foot - deep, x + wide, foot + deep);
  for (let row = box.top; row < box.bottom; row++) {
    for (let column = box.left; column < box.right; column++) {
      const away = ((column - x) / wide) ** 2 + ((row - foot) / deep) ** 2;
      paint(canvas, row * canvas.width + column, 0.01, 0.01, 0.012, 0.6 * (1 - ramp(0, 1, away)));
    }
  }
}

function shirtPattern(look: RunnerLook): NonNullable<Cloth["pattern"]> {
  return (along, across) => {
    if (look.trimAt === "sides" && Math.abs(across) > 0.8 && along > 0.1) return look.trim;
    if (look.trimAt === "chest" && along > 0.16 && along < 0.22) return look.trim;
    return undefined;
  };
}

function drawLegs(
  stage: Stage,
  point: (x: number, y: number, depth: number, r: number) => Joint,
  look: RunnerLook,
  skin: Cloth,
): void {
  const shorts: Cloth = { colour: look.shorts, folds: 0.28, shine: 0.02 };
  const shoe: Cloth = { colour: look.shoes, folds: 0.1, shine: 0.06 };
  for (const [name, side] of [
    ["left", -1],
    ["right", 1],
  ] as const) {
    const lifted = look.lifted === name;
    const hip = point(side * 0.32, 2.8, -0.1, 0.38);
    const knee = lifted ? point(side * 0.36, 4.1, 0.6, 0.3) : point(side * 0.34, 4.5, 0, 0.29);
    const ankle = lifted ? point(side * 0.3, 5.0, -0.9, 0.17) : point(side * 0.26, 6.15, 0, 0.16);
    const foot = lifted ? { ...ankle, y: ankle.y + ankle.r } : point(side * 0.32, 6.42, 0.3, 0.2);
    drawLimb(stage, ankle, foot, shoe);
    drawLimb(stage, knee, ankle, skin);
    drawLimb(stage, hip, knee, skin);
    const hem = {
      x: mix(hip.x, knee.x, 0.72),
      y: mix(hip.y, knee.y, 0.72),
      z: mix(hip.z, knee.z, 0.72) + 2,
      r: hip.r * 0.94,
    };
    drawLimb(stage, { ...hip, z: hip.z + 2 }, hem, shorts);
  }
}

/** `without` leaves out the arm of one side, which does something else. */
export function drawArms(stage: Stage, place: RunnerPlace, look: RunnerLook, without = 0): void {
  if (without !== -1) drawArm(stage, place, look, -1, look.arms.left);
  if (without !== 1) drawArm(stage, place, look, 1, look.arms.right);
}

function drawArm(stage: Stage, place: RunnerPlace, look: RunnerLook, side: number, arm: Arm): void {
  const { head, z } = place;
  const skin: Cloth = { colour: look.head.skin, folds: 0.04, shine: 0.06 };
  const depth = arm.forward ? 0.5 : 0.05;
  const point = (x: number, y: number, deep: number, r: number): Joint => ({
    x: place.x + x * head,
    y: place.y + y * head,
    z: z + deep * head,
    r: r * head,
  });
  const elbow = point(arm.elbow.x, arm.elbow.y, depth, 0.16);
  const hand = point(arm.hand.x, arm.hand.y, depth + (arm.forward ? 0.7 : 0), 0.12);
  shadeUnder(stage.canvas, elbow, hand, z - head, 0.3);
  drawUpperArm(stage, place, look, side, elbow);
  drawLimb(stage, elbow, hand, skin);
  drawFist(stage, hand, head, skin);
}

/** From the shoulder to an elbow, with its sleeve. */
export function drawUpperArm(stage: Stage, place: RunnerPlace, look: RunnerLook, side: number, elbow: Joint): void {
  const { head } = place;
  const shoulder: Joint = {
    x: place.x + side * (look.shoulders - 0.15) * head,
    y: place.y + 0.84 * head,
    z: place.z + 0.15 * head,
    r: 0.24 * head,
  };
  drawLimb(stage, shoulder, elbow, { colour: look.head.skin, folds: 0.04, shine: 0.06 });
  if (!look.sleeves) return;
  const at = (share: number) => ({
    x: mix(shoulder.x, elbow.x, share),
    y: mix(shoulder.y, elbow.y, share),
    z: mix(shoulder.z, elbow.z, share) + 2,
  });
  const shirt: Cloth = { colour: look.shirt, folds: 0.4, shine: 0.01 };
  drawLimb(stage, { ...at(0), r: shoulder.r * 1.1 }, { ...at(0.6), r: shoulder.r * 0.92 }, shirt);
}

export function drawFist(stage: Stage, wrist: Joint, head: number, skin: Cloth): void {
  const palm = { ...wrist, y: wrist.y - 0.05 * head, z: wrist.z + 0.02 * head, r: 0.16 * head };
  drawLimb(stage, wrist, palm, skin);
  for (let finger = -1.5; finger <= 1.5; finger++) {
    const knuckle = {
      x: palm.x + finger * 0.075 * head,
      y: palm.y - 0.07 * head,
      z: palm.z + 0.12 * head,
      r: 0.052 * head,
    };
    const tip = { ...knuckle, y: palm.y + 0.08 * head };
    shadeUnder(stage.canvas, knuckle, tip, wrist.z - head, 0.25);
    drawLimb(stage, knuckle, tip, skin);
  }
}
