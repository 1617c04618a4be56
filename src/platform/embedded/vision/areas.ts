/** Places in a picture, in its pixels: upright rectangles, and rectangles turned as a line of text is. */

import type { Box } from "../../ports.ts";

export type Area = { left: number; top: number; width: number; height: number };

/** Its middle and sides; `angle` in radians from the x axis to the line's direction, width along the line. */
export type TurnedArea = { x: number; y: number; width: number; height: number; angle: number };

type Size = { width: number; height: number };

export function wholeOf({ width, height }: Size): Area {
  return { left: 0, top: 0, width, height };
}

/** The part of it that lies in the picture; without any its sides are not positive. */
export function clip(area: Area, { width, height }: Size): Area {
  const left = Math.max(0, area.left);
  const top = Math.max(0, area.top);
  return {
    left,
    top,
    width: Math.min(width, area.left + area.width) - left,
    height: Math.min(height, area.top + area.height) - top,
  };
}

/** The upright rectangle around a turned one. */
export function around(area: TurnedArea): Area {
  const cos = Math.abs(Math.cos(area.angle));
  const sin = Math.abs(Math.sin(area.angle));
  const width = area.width * cos + area.height * sin;
  const height = area.width * sin + area.height * cos;
  return { left: area.x - width / 2, top: area.y - height / 2, width, height };
}

export function toBox(area: Area, size: Size): Box {
  const { left, top, width, height } = clip(area, size);
  return { left: left / size.width, top: top / size.height, width: width / size.width, height: height / size.height };
}

/** What both cover, as a part of the smaller one. */
export function overlap(a: Area, b: Area): number {
  const width = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const height = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  if (width <= 0 || height <= 0) return 0;
  return (width * height) / Math.min(a.width * a.height, b.width * b.height);
}

/** The middle of one lies in the other. */
export function samePlace(a: TurnedArea, b: TurnedArea): boolean {
  return holdsMiddle(a, b) || holdsMiddle(b, a);
}

function holdsMiddle(area: TurnedArea, { x, y }: TurnedArea): boolean {
  const [dx, dy] = [x - area.x, y - area.y];
  const [cos, sin] = [Math.cos(area.angle), Math.sin(area.angle)];
  return Math.abs(dx * cos + dy * sin) < area.width / 2 && Math.abs(dy * cos - dx * sin) < area.height / 2;
}
