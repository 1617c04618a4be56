/** Everything with text that is no bib: arch, clock, banners, shop fronts, distance signs, as one SVG layer. */

import type { Random } from "../simulation/random.ts";
import { fitHeight, type Shape, textSvg } from "./letters.ts";
import { amount } from "./noise.ts";
import { clockTime, distance, koreanRace, raceTitle, shop, sponsor } from "./words.ts";

export type Setting = "street" | "park" | "finish";

/** The layer's size, the horizon's y, and where the road's edges meet the lower edge. */
export type Ground = { width: number; height: number; horizon: number };

export type Signs = { svg: string; texts: string[] };

const FRONTS = ["#8d8579", "#a79c8c", "#6f7680", "#b3a99d", "#7d6a5c", "#95999c", "#59616b"];
const BOARDS = ["#c22f2a", "#20539e", "#1f7a4c", "#e8e4da", "#2b2d33", "#e0a524", "#6a3a86"];

export function drawSigns(random: Random, setting: Setting, ground: Ground): Signs {
  const texts: string[] = [];
  const parts: string[] = [];
  const add = (sign: Signs) => {
    parts.push(sign.svg);
    texts.push(...sign.texts);
  };
  if (setting === "street" || random.chance(0.3)) add(street(random, ground));
  if (setting === "finish") add(arch(random, ground));
  if (setting !== "finish" || random.chance(0.5)) add(distanceSign(random, ground));
  add(barriers(random, ground, -1));
  add(barriers(random, ground, 1));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${ground.width}" height="${ground.height}">${parts.join("")}</svg>`;
  return { svg, texts };
}

function board(
  text: string,
  x: number,
  y: number,
  width: number,
  height: number,
  colours: { board: string; ink: string },
  face: Shape["face"] = "noto",
): string {
  const letters = fitHeight(text, width * 0.88, { face, height: height * 0.5 });
  const rect = `<rect x="${x - width / 2}" y="${y - height / 2}" width="${width}" height="${height}" fill="${colours.board}"/>`;
  return rect + textSvg(text, x, y, { face, height: letters }, `fill="${colours.ink}"`);
}

function inkFor(colour: string): string {
  return ["#e8e4da", "#e0a524"].includes(colour) ? "#1b1c20" : "#f6f5f0";
}

/** A row of houses behind the road, with windows and a shop sign on some. */
function street(random: Random, ground: Ground): Signs {
  const texts: string[] = [];
  let svg = "";
  const { horizon } = ground;
  for (let x = -10; x < ground.width; ) {
    const width = ground.height * amount(random, 0.22, 0.42);
    const tall = horizon * amount(random, 0.55, 0.98);
    svg += `<rect x="${x}" y="${horizon - tall}" width="${width + 1}" height="${tall + 3}" fill="${random.pick(FRONTS)}"/>`;
    svg += windows(random, x, horizon - tall, width, tall * 0.72);
    const y = horizon - horizon * 0.2;
    const text = shop(random);
    const colour = random.pick(BOARDS);
    svg += `<rect x="${x + width * 0.08}" y="${y}" width="${width * 0.84}" height="${horizon * 0.2}" fill="#20242a"/>`;
    svg += board(text, x + width / 2, y - horizon * 0.03, width * 0.8, horizon * 0.1, {
      board: colour,
      ink: inkFor(colour),
    });
    texts.push(text);
    x += width;
  }
  return { svg, texts };
}

function windows(random: Random, left: number, top: number, width: number, height: number): string {
  const columns = random.between(2, 4);
  const rows = random.between(2, 4);
  let svg = "";
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const shade = random.pick(["#2f3a46", "#3d4a57", "#566676", "#27303a"]);
      const x = left + width * (0.1 + (0.85 * column) / columns);
      const y = top + height * (0.1 + (0.85 * row) / rows);
      svg += `<rect x="${x}" y="${y}" width="${(width * 0.6) / columns}" height="${(height * 0.55) / rows}" fill="${shade}"/>`;
    }
  }
  return svg;
}

/** The finish: two posts, a title with the year, and the running clock. */
function arch(random: Random, ground: Ground): Signs {
  const { width, height } = ground;
  const colour = random.pick(["#b81f2c", "#1a4f9c", "#1c1f26", "#13704a"]);
  const title = random.chance(0.5) ? `2026 ${koreanRace(random)}` : `${raceTitle(random)} 2026`;
  const [left, right] = [width * amount(random, 0.04, 0.12), width * amount(random, 0.88, 0.96)];
  const band = { y: height * 0.075, height: height * 0.11 };
  const time = clockTime(random);
  const clock = { x: width * amount(random, 0.3, 0.7), y: band.y + band.height * 0.83 };
  const posts = [left, right].map(
    (x) => `<rect x="${x - 14}" y="0" width="28" height="${ground.horizon + height * 0.12}" fill="${colour}"/>`,
  );
  const svg =
    posts.join("") +
    board(title, (left + right) / 2, band.y, right - left, band.height, { board: colour, ink: "#ffffff" }) +
    board(time, clock.x, clock.y, height * 0.3, height * 0.075, { board: "#0c0c0d", ink: "#ff3b1f" }, "oswald");
  return { svg, texts: [title, time] };
}

function distanceSign(random: Random, ground: Ground): Signs {
  const text = distance(random);
  const x = ground.width * random.pick([amount(random, 0.04, 0.14), amount(random, 0.86, 0.96)]);
  const size = ground.height * amount(random, 0.09, 0.14);
  const y = ground.horizon - size * amount(random, 0.6, 1.4);
  const pole = `<rect x="${x - 2}" y="${y}" width="4" height="${ground.height * 0.3}" fill="#7b7f84"/>`;
  const colours = random.pick([
    { board: "#f3d21f", ink: "#15161a" },
    { board: "#f2f3f1", ink: "#c2252c" },
  ]);
  return { svg: pole + board(text, x, y, size * 1.5, size, colours), texts: [text] };
}

/** Fences along one side of the road, each hung with a sponsor's banner. */
function barriers(random: Random, ground: Ground, side: -1 | 1): Signs {
  const texts: string[] = [];
  let svg = "";
  const count = random.between(1, 3);
  for (let n = 0; n < count; n++) {
    const width = ground.width * amount(random, 0.16, 0.24);
    const x = ground.width / 2 + side * ground.width * (0.5 - 0.14 * n);
    const y = ground.horizon + ground.height * (0.13 - 0.03 * n);
    const colour = random.pick(BOARDS);
    const text = random.chance(0.2) ? "2026" : sponsor(random);
    svg = board(text, x, y, width, ground.height * (0.1 - 0.02 * n), { board: colour, ink: inkFor(colour) }) + svg;
    texts.push(text);
  }
  return { svg, texts };
}
