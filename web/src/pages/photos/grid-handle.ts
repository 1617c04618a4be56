/** What others may ask of a grid: to bring a photo into the window, and which element shows it. */

import type { RefObject } from "react";
import { type GridLine, lineOf } from "./grid-lines.ts";

export type GridHandle = {
  reveal(ulid: string, focus?: boolean): void;
  thumbnail(ulid: string): HTMLElement | null;
};

type Scroller = { scrollToIndex(index: number, options: { align: "center" }): void };

export function gridHandle(
  box: RefObject<HTMLElement | null>,
  lines: readonly GridLine[],
  scroller: Scroller,
): GridHandle {
  const thumbnail = (ulid: string) =>
    box.current?.querySelector<HTMLElement>(`[data-ulid="${CSS.escape(ulid)}"]`) ?? null;
  const reveal = (ulid: string, focus = false) => {
    const line = lineOf(lines, ulid);
    if (line < 0) return;
    if (!isInWindow(thumbnail(ulid))) scroller.scrollToIndex(line, { align: "center" });
    if (focus) focusWhenThere(() => thumbnail(ulid));
  };
  return { reveal, thumbnail };
}

function isInWindow(element: HTMLElement | null): boolean {
  const box = element?.getBoundingClientRect();
  return box !== undefined && box.top >= 0 && box.bottom <= window.innerHeight;
}

const FRAMES = 30;

/** Its line comes with the next frames, once it was scrolled to. */
function focusWhenThere(find: () => HTMLElement | null, frames = FRAMES): void {
  const found = find();
  if (found) found.focus({ preventScroll: true });
  else if (frames > 0) requestAnimationFrame(() => focusWhenThere(find, frames - 1));
}
