/** The printed side of a bib: paper, bands, lines of text and the number, and where each character's ink lies. */

import sharp from "sharp";
import type { Random } from "../simulation/random.ts";
import { type Face, fitHeight, outline, type Shape, textSvg } from "./letters.ts";
import { amount } from "./noise.ts";
import { distance, koreanCity, koreanName, koreanRace, latinName, raceTitle, sponsor } from "./words.ts";

export type Printing = "number" | "two-line" | "korean";

/** Sizes are shares of the paper's width. */
export type BibDesign = {
  number: string;
  /** The paper's colour, as `#rrggbb`. */
  paper: string;
  ratio: number;
  svg: string;
  ink: string;
  /** Left and right of each character, from 0 to 1 over the paper. */
  spans: { from: number; to: number }[];
  /** The number's middle and height, from 0 to 1 over the paper's height. */
  line: { middle: number; height: number };
  texts: string[];
};

export type BibArt = {
  width: number;
  height: number;
  /** Four bytes per pixel. */
  pixels: Uint8Array;
  /** 0, or 1 and the place of the character whose ink is here. */
  ink: Uint8Array;
};

type Look = { paper: string; ink: string; band: string; bandInk: string; edge?: string };
type Part = { text: string; y: number; height: number; shape: Omit<Shape, "height">; paint: string };

const WIDTH = 1000;

const LOOKS: Look[] = [
  { paper: "#fbfbf8", ink: "#101114", band: "#d8232f", bandInk: "#ffffff" },
  { paper: "#fafafa", ink: "#15171c", band: "#1556b8", bandInk: "#ffffff" },
  { paper: "#fdfcf5", ink: "#0d0d0d", band: "#f2b705", bandInk: "#20201c" },
  { paper: "#f8faf8", ink: "#131815", band: "#128a4d", bandInk: "#ffffff" },
  { paper: "#fcfbfa", ink: "#c01528", band: "#23262e", bandInk: "#ffffff" },
  { paper: "#f9fafc", ink: "#123a86", band: "#19b5d8", bandInk: "#0b2030" },
  { paper: "#16181d", ink: "#fafafa", band: "#e8a013", bandInk: "#16181d" },
  { paper: "#14357a", ink: "#ffffff", band: "#e9eef7", bandInk: "#14357a" },
  { paper: "#f5d63d", ink: "#14130e", band: "#26241b", bandInk: "#f5d63d" },
  { paper: "#fbfbfb", ink: "#f04f23", band: "#22252b", bandInk: "#ffffff", edge: "#17181b" },
  { paper: "#fafbfd", ink: "#ffffff", band: "#7b2b8f", bandInk: "#ffffff", edge: "#14151a" },
];

export function designBib(random: Random, number: string, printing: Printing): BibDesign {
  const look = random.pick(LOOKS);
  const ratio = amount(random, 0.68, 0.86);
  const height = WIDTH * ratio;
  const bandAt = printing === "number" ? random.pick(["top", "bottom", "both", "none"]) : random.pick(["top", "both"]);
  const top = bandAt === "none" || bandAt === "bottom" ? 0 : height * amount(random, 0.17, 0.23);
  const bottom = bandAt === "both" || bandAt === "bottom" ? height * amount(random, 0.12, 0.17) : 0;
  const parts = bandParts(random, look, printing, top, bottom, height);
  const room = { top, bottom: height - bottom };
  if (printing !== "number") parts.push(secondLine(random, look, printing, room));
  const shape = numberShape(random, number, room);
  const middle = (room.top + room.bottom) / 2;
  const lines = outline(number, WIDTH / 2, middle, shape);
  return {
    number,
    paper: look.paper,
    ratio,
    svg: paperSvg(look, height, top, bottom, parts, lines),
    ink: inkSvg(height, lines),
    spans: spansOf(number, shape),
    line: { middle: middle / height, height: shape.height / height },
    texts: parts.map((part) => part.text),
  };
}

function bandParts(
  random: Random,
  look: Look,
  printing: Printing,
  top: number,
  bottom: number,
  height: number,
): Part[] {
  const parts: Part[] = [];
  const title = printing === "korean" ? koreanRace(random) : `${raceTitle(random)} 2026`;
  const paint = `fill="${look.bandInk}"`;
  const shape = { face: "noto" as const };
  if (top) parts.push({ text: title, y: top / 2, height: top * 0.42, shape, paint });
  const low = printing === "korean" ? `${koreanCity(random)} ${distance(random)}` : sponsor(random);
  if (bottom) parts.push({ text: low, y: height - bottom / 2, height: bottom * 0.45, shape, paint });
  return parts.map((part) => ({
    ...part,
    height: fitHeight(part.text, WIDTH * 0.86, { ...part.shape, height: part.height }),
  }));
}

/** A line as large as names are printed; it takes its place from the room that is left for the number. */
function secondLine(random: Random, look: Look, printing: Printing, room: { top: number; bottom: number }): Part {
  const space = (room.bottom - room.top) * amount(random, 0.26, 0.33);
  const text = printing === "korean" ? koreanName(random) : random.chance(0.6) ? latinName(random) : sponsor(random);
  const above = random.chance(0.35);
  const y = above ? room.top + space * 0.58 : room.bottom - space * 0.58;
  if (above) room.top += space;
  else room.bottom -= space;
  const shape = { face: random.pick(["noto", "oswald", "narrow"] as const), spacing: 0.02 };
  const height = fitHeight(text, WIDTH * 0.8, { ...shape, height: space * 0.62 });
  return { text, y, height, shape, paint: `fill="${look.edge ?? look.ink}"` };
}

function numberShape(random: Random, number: string, room: { top: number; bottom: number }): Shape {
  const face: Face = random.pick(["black", "black", "anton", "oswald", "narrow", "slanted", "noto"]);
  const condensed = random.chance(0.25) ? amount(random, 0.72, 0.9) : 1;
  const slant = face !== "slanted" && random.chance(0.15) ? amount(random, 6, 12) : 0;
  const shape = { face, stretch: condensed, slant, spacing: amount(random, 0, 0.035) };
  const height = (room.bottom - room.top) * amount(random, 0.62, 0.76);
  return { ...shape, height: fitHeight(number, WIDTH * 0.84, { ...shape, height }) };
}

function paperSvg(
  look: Look,
  height: number,
  top: number,
  bottom: number,
  parts: Part[],
  number: { paths: string[]; transform: string },
) {
  const edge = look.edge ? `stroke="${look.edge}" stroke-width="26" stroke-linejoin="round" paint-order="stroke"` : "";
  const holes = [38, WIDTH - 38].flatMap((x) =>
    [34, height - 34].map(
      (y) =>
        `<circle cx="${x}" cy="${y}" r="13" fill="#8d8f92"/><path d="M${x - 30} ${y + 6}l60 -9" stroke="#c9ccd1" stroke-width="7"/>`,
    ),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}">
<rect width="${WIDTH}" height="${height}" fill="${look.paper}"/>
<rect width="${WIDTH}" height="${top}" fill="${look.band}"/>
<rect y="${height - bottom}" width="${WIDTH}" height="${bottom}" fill="${look.band}"/>
${parts.map((part) => textSvg(part.text, WIDTH / 2, part.y, { ...part.shape, height: part.height }, part.paint)).join("")}
<g transform="${number.transform}" fill="${look.ink}" ${edge}><path d="${number.paths.join("")}"/></g>
${holes.join("")}</svg>`;
}

function inkSvg(height: number, number: { paths: string[]; transform: string }): string {
  const paths = number.paths.map((path, n) => `<path fill="rgb(${n + 1},${n + 1},${n + 1})" d="${path}"/>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" shape-rendering="crispEdges">
<g transform="${number.transform}">${paths.join("")}</g></svg>`;
}

function spansOf(number: string, shape: Shape): { from: number; to: number }[] {
  const edges = Array.from({ length: number.length + 1 }, (_, n) => {
    const part = outline(number.slice(0, n), 0, 0, shape);
    return part.right - part.left;
  });
  const start = (WIDTH - (edges.at(-1) as number)) / 2;
  return [...number].map((_, n) => ({
    from: (start + (edges[n] as number)) / WIDTH,
    to: (start + (edges[n + 1] as number)) / WIDTH,
  }));
}

/** Prints a design so that the paper is `width` pixels wide. */
export async function printBib(design: BibDesign, width: number): Promise<BibArt> {
  const size = { width: Math.round(width), height: Math.round(width * design.ratio), fit: "fill" as const };
  const density = (72 * size.width) / WIDTH;
  const render = (svg: string) => sharp(Buffer.from(svg), { density }).resize(size);
  const [pixels, ink] = await Promise.all([
    render(design.svg).ensureAlpha().raw().toBuffer(),
    render(design.ink).flatten({ background: "#000" }).extractChannel(0).raw().toBuffer(),
  ]);
  return { width: size.width, height: size.height, pixels, ink };
}
