/** What the grid draws, line by line: headings, and rows of photos. */

import type { ReactNode } from "react";
import type { Photo } from "../../api/types.ts";
import { type Cell, justifiedRows, type Space } from "./justified-rows.ts";

export type GridGroup = {
  key: string;
  heading?: ReactNode;
  photos: readonly Photo[];
  /** The photo from which rows are filled upwards and downwards. */
  anchor?: number;
  /** Whether no more photos follow in this group. */
  isEnd: boolean;
};

export type GridLine =
  | { kind: "heading"; key: string; heightPixels: number; heading: ReactNode }
  | { kind: "photos"; key: string; heightPixels: number; cells: Cell<Photo>[] };

const HEADING_PIXELS = 64;

export function gridLines(groups: readonly GridGroup[], space: Space): GridLine[] {
  return groups.flatMap(({ key, heading, photos, anchor = 0, isEnd }) => {
    const rows = justifiedRows(photos, space, { anchor, isEnd }).map(({ cells, heightPixels }, place): GridLine => {
      // Below the anchor a row keeps its first photo, above it its last: a row that grows is still that row.
      const keeper = cells[0] && cells[0].index < anchor ? cells.at(-1) : cells[0];
      return { kind: "photos", key: `${key} ${keeper?.photo.ulid ?? place}`, heightPixels, cells };
    });
    if (heading === undefined) return rows;
    return [{ kind: "heading", key: `${key} heading`, heightPixels: HEADING_PIXELS, heading }, ...rows];
  });
}

export function lineOf(lines: readonly GridLine[], ulid: string): number {
  return lines.findIndex((line) => line.kind === "photos" && line.cells.some(({ photo }) => photo.ulid === ulid));
}

/** The photo one goes to from this one with an arrow key; upwards and downwards the one nearest to its middle. */
export function neighbour(lines: readonly GridLine[], ulid: string, key: string): string | undefined {
  const at = lineOf(lines, ulid);
  const line = lines[at];
  if (line?.kind !== "photos") return undefined;
  const place = line.cells.findIndex(({ photo }) => photo.ulid === ulid);
  const rowAt = (step: number) => nextRow(lines, at, step);
  switch (key) {
    case "ArrowLeft":
      return (line.cells[place - 1] ?? rowAt(-1)?.at(-1))?.photo.ulid;
    case "ArrowRight":
      return (line.cells[place + 1] ?? rowAt(1)?.[0])?.photo.ulid;
    case "ArrowUp":
      return nearest(rowAt(-1), middleOf(line.cells, place));
    case "ArrowDown":
      return nearest(rowAt(1), middleOf(line.cells, place));
    default:
      return undefined;
  }
}

function nextRow(lines: readonly GridLine[], from: number, step: number): Cell<Photo>[] | undefined {
  for (let at = from + step; at >= 0 && at < lines.length; at += step) {
    const line = lines[at];
    if (line?.kind === "photos") return line.cells;
  }
  return undefined;
}

function middleOf(cells: Cell<Photo>[], place: number): number {
  const before = cells.slice(0, place).reduce((sum, { widthPixels }) => sum + widthPixels, 0);
  return before + (cells[place]?.widthPixels ?? 0) / 2;
}

function nearest(cells: Cell<Photo>[] | undefined, pixels: number): string | undefined {
  const away = (place: number) => Math.abs(middleOf(cells ?? [], place) - pixels);
  return cells?.map((cell, place) => ({ cell, away: away(place) })).sort((a, b) => a.away - b.away)[0]?.cell.photo.ulid;
}
