/** The grid's lines, and which of them are near enough to the window to be there. */

import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useMemo, useRef } from "react";
import { type GridGroup, gridLines } from "./grid-lines.ts";
import { useGridSpace } from "./use-grid-space.ts";

const OVERSCAN_LINES = 4;

export function useVirtualLines(box: RefObject<HTMLElement | null>, groups: readonly GridGroup[]) {
  const space = useGridSpace(box);
  const lines = useMemo(() => (space ? gridLines(groups, space) : []), [groups, space]);
  const topPixels = space?.topPixels ?? 0;
  const virtualizer = useWindowVirtualizer({
    count: lines.length,
    estimateSize: (index) => lines[index]?.heightPixels ?? 0,
    getItemKey: (index) => lines[index]?.key ?? index,
    gap: space?.gapPixels ?? 0,
    overscan: OVERSCAN_LINES,
    scrollMargin: topPixels,
    useFlushSync: false,
  });
  // Known heights are no guesses: those of lines that changed are forgotten at once.
  const measured = useRef(lines);
  if (measured.current !== lines) {
    measured.current = lines;
    virtualizer.measure();
  }
  return { lines, virtualizer, topPixels, isMeasured: space !== undefined };
}
