/** Decides by chance, from the seed, everything about a scene before anything is drawn. */

import { Random } from "../simulation/random.ts";
import { type BibDesign, designBib } from "./bib-art.ts";
import type { Light } from "./body.ts";
import { type Exposure, type Finish, watermark } from "./camera.ts";
import { foldFor, type Hiding, planHiding } from "./hiding.ts";
import { amount, clamp } from "./noise.ts";
import type { Pin } from "./pinned-bib.ts";
import { type RunnerLook, type RunnerPlace, runnerLook } from "./runner.ts";
import type { BibKind, SceneAsk } from "./scene.ts";
import { bibNumber } from "./words.ts";

export type PlannedRunner = {
  place: RunnerPlace;
  look: RunnerLook;
  design: BibDesign;
  pin: Pin;
  kind: BibKind;
  hiding?: Hiding;
};

export type ScenePlan = {
  width: number;
  height: number;
  horizon: number;
  softness: number;
  light: Light;
  runners: PlannedRunner[];
  smear?: { length: number; angle: number };
  exposure: Exposure;
  finish: Finish;
};

const DAYLIGHTS: Light[] = [
  { from: [-0.45, -0.62, 0.64], key: [0.78, 0.74, 0.66], sky: [0.4, 0.44, 0.5], ground: [0.24, 0.22, 0.19] },
  { from: [0.5, -0.6, 0.62], key: [0.8, 0.75, 0.65], sky: [0.36, 0.4, 0.46], ground: [0.22, 0.2, 0.18] },
  { from: [0.1, -0.75, 0.65], key: [0.3, 0.3, 0.3], sky: [0.62, 0.65, 0.69], ground: [0.34, 0.33, 0.32] },
  { from: [0.75, -0.4, 0.53], key: [0.95, 0.78, 0.55], sky: [0.3, 0.34, 0.4], ground: [0.2, 0.18, 0.16] },
];

const FLASH: Light = {
  from: [0.12, -0.16, 0.98],
  key: [0.62, 0.62, 0.64],
  sky: [0.02, 0.022, 0.03],
  ground: [0.016, 0.014, 0.012],
};

type Frame = { width: number; height: number };

export function planScene(ask: SceneAsk): ScenePlan {
  const random = new Random(ask.seed);
  const width = ask.width ?? random.pick([1600, 1600, 1600, 1920, 2400]);
  const upright = random.chance(0.2);
  const height = Math.round(upright ? width * 1.25 : width * random.pick([2 / 3, 2 / 3, 0.75]));
  const count = ask.runners ?? random.pick(upright ? [1, 1, 2] : [1, 1, 2, 2, 3, 4, 5]);
  const plan = planAround(random, ask, { width, height }, planPlaces(random.fork(), ask.kind, count, width, height));
  return random.chance(0.4) ? { ...plan, finish: { ...plan.finish, watermark: watermark(random) } } : plan;
}

/** One chest fills the picture; the head is above it. */
export function planCloseUp(ask: SceneAsk): ScenePlan {
  const width = ask.width ?? 480;
  const height = Math.round(width * 0.8);
  const head = width * 0.66;
  return planAround(new Random(ask.seed), ask, { width, height }, [
    { x: width / 2, y: height / 2 - head * 1.7, head, z: 0 },
  ]);
}

function planAround(random: Random, ask: SceneAsk, { width, height }: Frame, places: RunnerPlace[]): ScenePlan {
  const light = ask.kind === "night" ? FLASH : random.pick(DAYLIGHTS);
  const runners = places.map((place, n) => planRunner(random.fork(), ask.kind, place, n, places.length));
  const head = Math.max(...places.map((place) => place.head));
  const level = (places[0] as RunnerPlace).y + head * amount(random, 0.8, 1.6);
  const plan: ScenePlan = {
    width,
    height,
    horizon: clamp(level, height * 0.3, height * 0.7),
    softness: ask.kind === "small" ? 0.8 : amount(random, 1.2, 3),
    light,
    runners,
    exposure: planExposure(random.fork(), ask.kind),
    finish: {
      quality: ask.quality ?? random.between(72, 93),
      lens: amount(random, 0.4, 0.75),
      orientation: ask.orientation ?? 1,
    },
  };
  return ask.kind === "blurred" ? { ...plan, smear: planSmear(random, runners) } : plan;
}

/** Runners side by side, far enough apart that nobody covers another's bib. */
function planPlaces(random: Random, kind: BibKind, count: number, width: number, height: number): RunnerPlace[] {
  const slot = width / count;
  const unit = width / 1600;
  const [least, most] = kind === "small" ? [40, 52] : [100, 250];
  const room = Math.min(slot / 2.6, height / 4.1);
  const level = height * amount(random, kind === "small" ? 0.3 : 0.2, kind === "small" ? 0.5 : 0.27);
  const places = Array.from({ length: count }, (_, n) => {
    // Small stays small however large the picture is.
    const scale = kind === "small" ? clamp(unit, 0.85, 1.2) : unit;
    const head = Math.min(room, amount(random, least * scale, most * scale));
    const play = Math.max(0, slot / 2 - head * 1.28);
    return {
      x: slot * (n + 0.5) + play * amount(random, -0.7, 0.7),
      y: level + head * amount(random, -0.1, 0.25),
      head,
      z: 0,
    };
  });
  // Who is larger is nearer.
  const order = [...places].sort((a, b) => a.head - b.head);
  return places.map((place) => ({ ...place, z: (order.indexOf(place) + 1) * 1e5 }));
}

function planRunner(random: Random, kind: BibKind, place: RunnerPlace, n: number, count: number): PlannedRunner {
  const hides = kind === "hidden" && (n === 0 || random.chance(0.5));
  const own: BibKind = kind === "hidden" && !hides ? "plain" : kind;
  const number = bibNumber(random, kind === "letter" || (kind !== "plain" && random.chance(0.12)));
  const printing =
    kind === "two-line" || kind === "korean" ? kind : random.pick(["number", "number", "two-line", "korean"] as const);
  const design = designBib(random.fork(), number, kind === "plain" || kind === "small" ? "number" : printing);
  const look = runnerLook(random.fork());
  const pin = planPin(random.fork(), own, place, look, n + 1);
  const runner: PlannedRunner = { place, look, design, pin, kind: own };
  if (!hides) return runner;
  const hiding = planHiding(random.fork(), design, count === 1);
  return { ...runner, hiding, pin: hiding.by === "fold" ? { ...pin, fold: foldFor(design, hiding) } : pin };
}

function planPin(random: Random, kind: BibKind, place: RunnerPlace, look: RunnerLook, order: number): Pin {
  const down = amount(random, 1.55, 1.85);
  const turn = kind === "rotated" ? random.pick([-1, 1]) * amount(random, 9, 30) : amount(random, -4, 4);
  const rough = kind === "wrinkled";
  return {
    place: order,
    x: place.x + place.head * (look.lean * (down - 0.6) + amount(random, -0.06, 0.06)),
    y: place.y + place.head * down,
    z: place.z + place.head * 0.62,
    width: place.head * amount(random, 1.02, 1.18),
    angle: (turn * Math.PI) / 180,
    shear: rough ? amount(random, -0.22, 0.22) : amount(random, -0.03, 0.03),
    near: {
      right: amount(random, -0.06, 0.06) * (rough ? 3 : 1),
      bottom: amount(random, -0.05, 0.05) * (rough ? 2 : 1),
    },
    bend: amount(random, 0.35, 0.6) + (rough ? 0.2 : 0),
    crease: {
      depth: rough ? amount(random, 0.65, 1.05) : amount(random, 0.08, 0.25),
      size: amount(random, 1.2, 2.2),
      seed: amount(random, 0, 200),
    },
    glare: kind === "night" ? amount(random, 0.1, 0.7) : 0,
  };
}

/** Less than half of a character's width: people can still tell the characters apart, just. */
function planSmear(random: Random, runners: PlannedRunner[]): { length: number; angle: number } {
  const widths = runners.flatMap(({ design, pin }) => design.spans.map(({ from, to }) => (to - from) * pin.width));
  return { length: Math.min(...widths) * amount(random, 0.2, 0.45), angle: amount(random, 0, Math.PI) };
}

function planExposure(random: Random, kind: BibKind): Exposure {
  if (kind !== "night")
    return {
      brightness: amount(random, 0.9, 1.3),
      vignette: amount(random, 0.2, 0.7),
      grain: amount(random, 0.006, 0.02),
    };
  const pool = { x: amount(random, 0.25, 0.75), y: amount(random, 0.3, 0.6), fall: amount(random, 4, 12) };
  return { brightness: amount(random, 0.45, 1), vignette: 0.9, grain: amount(random, 0.04, 0.08), pool };
}
