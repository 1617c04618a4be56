/** How much room the grid has, and where it begins on the page; measured again when either changes. */

import { type RefObject, useLayoutEffect, useState } from "react";
import type { Space } from "./justified-rows.ts";

export type GridSpace = Space & { topPixels: number };

const GAP_PIXELS = 4;
const WIDE_PIXELS = 700;

export function useGridSpace(box: RefObject<HTMLElement | null>): GridSpace | undefined {
  const [space, setSpace] = useState<GridSpace>();
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => {
      const { width, top } = element.getBoundingClientRect();
      const widthPixels = Math.floor(width);
      const topPixels = Math.round(top + window.scrollY);
      const targetPixels = widthPixels < WIDE_PIXELS ? 170 : 250;
      setSpace((before) =>
        before?.widthPixels === widthPixels && before.topPixels === topPixels
          ? before
          : { widthPixels, topPixels, targetPixels, gapPixels: GAP_PIXELS },
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    // What stands above the grid moves it down when it grows, and then the whole grows too.
    if (element.parentElement) observer.observe(element.parentElement);
    return () => observer.disconnect();
  }, [box]);
  return space;
}
