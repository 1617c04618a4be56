/** Where things lie in a picture, in fractions of it. */

import type { Box } from "../../src/platform/ports.ts";

export function holdsMiddle(area: Box, { left, top, width, height }: Box): boolean {
  const [x, y] = [left + width / 2, top + height / 2];
  return x >= area.left && x <= area.left + area.width && y >= area.top && y <= area.top + area.height;
}

/** Wider by so many of its widths and heights at each side, within the picture. */
export function widened({ left, top, width, height }: Box, beside: number, above: number): Box {
  const [x, y] = [Math.max(0, left - width * beside), Math.max(0, top - height * above)];
  return {
    left: x,
    top: y,
    width: Math.min(1, left + width * (1 + beside)) - x,
    height: Math.min(1, top + height * (1 + above)) - y,
  };
}

/** A place in pixels of the picture: left, top, width, height. */
export function boxOfPlace(
  [left, top, width, height]: readonly [number, number, number, number],
  size: { width: number; height: number },
): Box {
  return { left: left / size.width, top: top / size.height, width: width / size.width, height: height / size.height };
}
