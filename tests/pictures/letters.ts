/** Text as outlines, from font files of installed packages: a machine for tests may have no fonts. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import opentype from "opentype.js";

const FACES = {
  noto: import.meta.resolve("@fontsource/noto-sans-kr/files/noto-sans-kr-latin-700-normal.woff"),
  black: import.meta.resolve("@fontsource/noto-sans-kr/files/noto-sans-kr-latin-900-normal.woff"),
  anton: import.meta.resolve("@fontsource/anton/files/anton-latin-400-normal.woff"),
  oswald: import.meta.resolve("@fontsource/oswald/files/oswald-latin-700-normal.woff"),
  narrow: import.meta.resolve("@fontsource/roboto-condensed/files/roboto-condensed-latin-900-normal.woff"),
  slanted: import.meta.resolve("@fontsource/roboto-condensed/files/roboto-condensed-latin-900-italic.woff"),
  hangul: import.meta.resolve("@fontsource/noto-sans-kr/files/noto-sans-kr-korean-700-normal.woff"),
};

export type Face = keyof typeof FACES;
export type Shape = { face: Face; height: number; stretch?: number; slant?: number; spacing?: number };

/** Outlines on a line that starts at 0, 0, with one box per character; `transform` puts them where they belong. */
export type Outlines = { paths: string[]; left: number; right: number; top: number; bottom: number; transform: string };

const opened = new Map<Face, opentype.Font>();

function openFace(face: Face): opentype.Font {
  const known = opened.get(face);
  if (known) return known;
  const bytes = readFileSync(fileURLToPath(FACES[face]));
  const font = opentype.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  opened.set(face, font);
  return font;
}

/** The text with its middle at x, y; `height` is that of its digits or capitals. */
export function outline(text: string, x: number, y: number, shape: Shape): Outlines {
  const stretch = shape.stretch ?? 1;
  const digit = openFace(shape.face).charToGlyph("8").getPath(0, 0, 1000).getBoundingBox();
  const size = (1000 * shape.height) / (digit.y2 - digit.y1);
  const paths: string[] = [];
  let advance = 0;
  for (const character of text) {
    // The Latin files have no Hangul.
    const font = openFace(character.charCodeAt(0) > 0x2000 ? "hangul" : shape.face);
    const glyph = font.charToGlyph(character);
    paths.push(pathData(glyph.getPath(advance, 0, size)));
    advance += (glyph.advanceWidth / font.unitsPerEm) * size + (shape.spacing ?? 0) * size;
  }
  const width = (advance - (shape.spacing ?? 0) * size) * stretch;
  const [left, bottom] = [x - width / 2, y + shape.height / 2];
  const lean = Math.tan(((shape.slant ?? 0) * Math.PI) / 180);
  const transform = `matrix(${stretch} 0 ${-lean} 1 ${left.toFixed(2)} ${bottom.toFixed(2)})`;
  return { paths, left, right: left + width, top: y - shape.height / 2, bottom, transform };
}

/**
 * The library's own `toPathData` writes NaN for numbers a hair above a whole one, and some fonts leave contours open,
 * which shows where they are stroked.
 */
function pathData(path: opentype.Path): string {
  let data = "";
  for (const { type, x1, y1, x2, y2, x, y } of path.commands) {
    if (type === "M" && data && !data.endsWith("Z")) data += "Z";
    data += type + [x1, y1, x2, y2, x, y].flatMap((value) => (value === undefined ? [] : [value.toFixed(1)])).join(" ");
  }
  return data && !data.endsWith("Z") ? `${data}Z` : data;
}

/** The text as one SVG group; `paint` are attributes such as fill and stroke. */
export function textSvg(text: string, x: number, y: number, shape: Shape, paint: string): string {
  const { paths, transform } = outline(text, x, y, shape);
  return `<g transform="${transform}" ${paint}><path d="${paths.join("")}"/></g>`;
}

/** The largest height up to `height` at which the text is no wider than `room`. */
export function fitHeight(text: string, room: number, shape: Shape): number {
  const { left, right } = outline(text, 0, 0, shape);
  return right - left > room ? (shape.height * room) / (right - left) : shape.height;
}
