/** What `snaprace read` says about a photo, to people in lines and to scripts as an object. */

import type { BibReading } from "../../photos/index.ts";
import type { Box } from "../../platform/ports.ts";
import type { Problem } from "../../platform/problem.ts";
import { inColumns } from "./table.ts";
import { counted } from "./wording.ts";

/** Sizes are as a viewer shows the photo. */
export type PhotoReading = BibReading & {
  file: string;
  width: number;
  height: number;
  faces: { box: Box; quality: number }[];
};

/** `why` adds the texts that were refused. */
export function readingJson(reading: PhotoReading, why: boolean): unknown {
  const { file, width, height, bibs, partial, faces, refused } = reading;
  const place = ({ confidence, box }: { confidence: number; box: Box }) => ({
    confidence: rounded(confidence),
    box: roundedBox(box),
  });
  const person = (face?: number) => face !== undefined && { face };
  return {
    file,
    width,
    height,
    bibs: bibs.map(({ bib, face, ...found }) => ({ bib, ...place(found), ...person(face) })),
    partial: partial.map(({ text, face, ...found }) => ({ text, ...place(found), ...person(face) })),
    faces: faces.map(({ box, quality }) => ({ box: roundedBox(box), quality: rounded(quality) })),
    ...(why && { refused: refused.map(({ text, reason, ...found }) => ({ text, reason, ...place(found) })) }),
  };
}

/** Places are in pixels, and faces count from 1. */
export function readingText(reading: PhotoReading, why: boolean): string {
  const { file, width, height, bibs, partial, faces, refused } = reading;
  const at = (box: Box) => placeOf(box, reading);
  const faceOf = (face?: number) => (face === undefined ? "" : `face ${face + 1}`);
  const rows = [
    ...bibs.map(({ bib, confidence, box, face }) => ["bib", bib, confidence.toFixed(2), at(box), faceOf(face)]),
    ...partial.map(({ text, confidence, box, face }) => [
      "partial",
      text,
      confidence.toFixed(2),
      at(box),
      faceOf(face),
    ]),
    ...faces.map(({ box, quality }, n) => ["face", String(n + 1), quality.toFixed(2), at(box), ""]),
    ...(why
      ? refused.map(({ text, confidence, box, reason }) => ["refused", text, confidence.toFixed(2), at(box), reason])
      : []),
  ];
  const heading = inColumns([[file, `${width} x ${height}`]]);
  return [heading, ...inColumns(rows).split("\n").filter(Boolean)].join("\n  ");
}

export function failureText(names: string[], { code, message }: Problem): string {
  return `${inColumns([names])}: ${code}: ${message}`;
}

export function failureJson({ code, message }: Problem): { code: string; message: string } {
  return { code, message };
}

export type Tally = { photos: number; bibs: number; partial: number; faces: number };

export function tallyText({ photos, bibs, partial, faces }: Tally): string {
  const found = [counted(bibs, "bib"), `${partial.toLocaleString("en")} partial`, counted(faces, "face")];
  return `${counted(photos, "photo")}: ${found.join(", ")}.`;
}

function placeOf({ left, top, width, height }: Box, size: { width: number; height: number }): string {
  const [x, y] = [Math.round(left * size.width), Math.round(top * size.height)];
  return `at ${x},${y} size ${Math.round(width * size.width)}x${Math.round(height * size.height)}`;
}

function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}

/** A hundred-thousandth is less than a pixel of any camera. */
function roundedBox({ left, top, width, height }: Box): Box {
  const short = (value: number) => Math.round(value * 1e5) / 1e5;
  return { left: short(left), top: short(top), width: short(width), height: short(height) };
}
