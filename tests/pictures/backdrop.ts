/** What is behind the runners: sky, trees or houses, road and spectators, out of focus as a long lens shows them. */

import sharp from "sharp";
import type { Random } from "../simulation/random.ts";
import type { Light, Stage } from "./body.ts";
import { type Canvas, type Colour, fromBytes, light, makeCanvas, paint, toBytes } from "./canvas.ts";
import { amount, clamp, mix, type Noise, ramp } from "./noise.ts";
import { drawArms, drawBody, runnerLook } from "./runner.ts";
import { drawSigns, type Setting } from "./signs.ts";

/** Nobody sees that it is drawn at half the size: it is out of focus. */
const SHARE = 0.5;

export type BackdropAsk = {
  width: number;
  height: number;
  horizon: number;
  night: boolean;
  softness: number;
  light: Light;
};

/** Draws it into the canvas and answers with the texts in it; runners may stand in front of some. */
export async function drawBackdrop(random: Random, noise: Noise, canvas: Canvas, ask: BackdropAsk): Promise<string[]> {
  const [width, height] = [Math.round(ask.width * SHARE), Math.round(ask.height * SHARE)];
  const horizon = ask.horizon * SHARE;
  const small = makeCanvas(width, height);
  const setting: Setting = random.pick(["street", "park", "finish"]);
  drawLand(random.fork(), noise, small, horizon);
  const signs = drawSigns(random.fork(), setting, { width, height, horizon });
  const raw = { width, height, channels: 3 as const };
  const signed = await sharp(toBytes(small.light), { raw })
    .composite([{ input: Buffer.from(signs.svg) }])
    .removeAlpha()
    .raw()
    .toBuffer();
  fromBytes(signed, small.light);
  drawSpectators(random.fork(), { canvas: small, light: ask.light, noise }, horizon);
  if (ask.night) darken(random.fork(), small, horizon);
  const soft = await sharp(toBytes(small.light), { raw })
    .blur(ask.softness)
    .resize(ask.width, ask.height, { kernel: "cubic" })
    .raw()
    .toBuffer();
  fromBytes(soft, canvas.light);
  return signs.texts;
}

type Land = { horizon: number; trees: number; vanish: number; high: Colour; low: Colour; leaf: Colour; verge: Colour };

function drawLand(random: Random, noise: Noise, canvas: Canvas, horizon: number): void {
  const land: Land = {
    horizon,
    trees: horizon * amount(random, 0.35, 0.75),
    vanish: canvas.width * amount(random, 0.35, 0.65),
    high: light(random.pick(["#6f9fd0", "#8fb2d6", "#a9bccb", "#5f8fc8"])),
    low: light(random.pick(["#d5e2ec", "#e4e2da", "#cfd8df"])),
    leaf: light(random.pick(["#5a7d36", "#4a6f3a", "#7d8a3f", "#8b7a3e"])),
    verge: light(random.pick(["#8f8b84", "#6c7d45", "#9a9488"])),
  };
  for (let y = 0; y < canvas.height; y++) {
    for (let x = 0; x < canvas.width; x++) {
      if (y < horizon) paintAbove(noise, canvas, x, y, land);
      else paintRoad(noise, canvas, x, y, land);
    }
  }
}

/** Sky with clouds, and trees in front of it. */
function paintAbove(
  noise: Noise,
  canvas: Canvas,
  x: number,
  y: number,
  { horizon, trees, high, low, leaf }: Land,
): void {
  const pixel = y * canvas.width + x;
  const scale = 6 / canvas.width;
  const line = horizon - trees * (1 + 0.5 * noise.rough(x * scale * 2.5, 7, 3));
  if (y > line) {
    const clump =
      noise.rough(x * scale * 5, y * scale * 7, 2) * 0.5 + noise.rough(x * scale * 30, y * scale * 34, 2) * 0.55;
    const shine = clamp(0.75 + clump - ((y - line) / trees) * 0.4, 0.1, 1.6);
    paint(canvas, pixel, leaf[0] * shine, leaf[1] * shine, leaf[2] * shine * 0.9, 1);
    return;
  }
  const cloud = 0.8 * ramp(0.05, 0.5, noise.rough(x * scale, y * scale * 2.2, 4));
  const share = y / horizon;
  paint(canvas, pixel, mix(high[0], low[0], share), mix(high[1], low[1], share), mix(high[2], low[2], share), 1);
  paint(canvas, pixel, 0.92, 0.92, 0.92, cloud);
}

function paintRoad(noise: Noise, canvas: Canvas, x: number, y: number, { horizon, vanish, verge }: Land): void {
  const near = (y - horizon + 4) / (canvas.height - horizon);
  const across = (x - vanish) / (near * canvas.height);
  const grit = 1 + 0.16 * noise.rough(across * 26, 6 / near, 3) + 0.1 * noise.at(x * 0.9, y * 0.9);
  const pixel = y * canvas.width + x;
  if (Math.abs(across) > 1.5) {
    paint(canvas, pixel, verge[0] * grit, verge[1] * grit, verge[2] * grit, 1);
    return;
  }
  const lane = Math.abs(Math.abs(across) - 0.5) < 0.025 && (across > 0 || Math.sin(9 / near) > 0);
  const grey = (lane ? 0.62 : 0.15) * grit;
  paint(canvas, pixel, grey, grey * 1.01, grey * 1.04, 1);
}

/** A few people beside the road, some of them runners further back, too far to read anything. */
function drawSpectators(random: Random, stage: Stage, horizon: number): void {
  const { width, height } = stage.canvas;
  const heads = Array.from({ length: random.between(6, 14) }, () => height * amount(random, 0.025, 0.05)).sort(
    (a, b) => a - b,
  );
  for (const [n, head] of heads.entries()) {
    const beside = random.chance(0.75);
    const x =
      width * (beside ? random.pick([amount(random, 0, 0.3), amount(random, 0.7, 1)]) : amount(random, 0.3, 0.7));
    const place = { x, y: horizon - head * amount(random, 0.4, 1.2), head, z: n * 1e4 };
    const look = runnerLook(random.fork());
    drawBody(stage, place, look);
    drawArms(stage, place, look);
  }
}

/** Night: what is left of the light, and lamps with their glow. */
function darken(random: Random, canvas: Canvas, horizon: number): void {
  const { width, height } = canvas;
  const left = amount(random, 0.025, 0.06);
  for (let n = 0; n < canvas.light.length; n++) canvas.light[n] = (canvas.light[n] as number) * left;
  const lamps = Array.from({ length: random.between(3, 8) }, () => ({
    x: width * random.fraction(),
    y: horizon * amount(random, 0.15, 0.9),
    size: height * amount(random, 0.008, 0.02),
    colour: random.pick([light("#ffc46b"), light("#fff1d6"), light("#ff9d4a")]),
  }));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3;
      for (const lamp of lamps) {
        const away = Math.hypot(x - lamp.x, y - lamp.y) / lamp.size;
        const glow = (away < 1 ? 0.8 : 0) + 0.25 / (1 + away * away * 0.25);
        for (let n = 0; n < 3; n++)
          canvas.light[at + n] = (canvas.light[at + n] as number) + glow * (lamp.colour[n] as number) * 0.7;
      }
    }
  }
}
