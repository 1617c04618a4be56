/** Rectangles on a picture, as fractions of its width and height: drawn, moved and resized without leaving it. */

export type Zone = { left: number; top: number; width: number; height: number };
export type Point = { x: number; y: number };
export type Corner = "top-left" | "top-right" | "bottom-left" | "bottom-right";

export const CORNERS: Corner[] = ["top-left", "top-right", "bottom-left", "bottom-right"];
export const MOST_ZONES = 10;
/** Smaller ones are slips of the hand, and can't be grasped again. */
const SMALLEST = 0.01;
export const STEP = 0.01;

export function between(from: Point, to: Point): Zone {
  const [left, right] = ordered(inside(from.x), inside(to.x));
  const [top, bottom] = ordered(inside(from.y), inside(to.y));
  return rounded({ left, top, width: right - left, height: bottom - top });
}

export function moved(zone: Zone, by: Point): Zone {
  const left = inside(zone.left + by.x, 1 - zone.width);
  const top = inside(zone.top + by.y, 1 - zone.height);
  return rounded({ ...zone, left, top });
}

/** The corner goes along, the opposite one stays. */
export function resized(zone: Zone, corner: Corner, by: Point): Zone {
  const right = zone.left + zone.width;
  const bottom = zone.top + zone.height;
  const left = corner.endsWith("left") ? inside(zone.left + by.x, right - SMALLEST) : zone.left;
  const top = corner.startsWith("top") ? inside(zone.top + by.y, bottom - SMALLEST) : zone.top;
  const farX = corner.endsWith("right") ? Math.max(left + SMALLEST, inside(right + by.x)) : right;
  const farY = corner.startsWith("bottom") ? Math.max(top + SMALLEST, inside(bottom + by.y)) : bottom;
  return rounded({ left, top, width: farX - left, height: farY - top });
}

/** One value typed by hand; the others give way so that the zone stays within the picture. */
export function withValue(zone: Zone, name: keyof Zone, value: number): Zone {
  const next = { ...zone, [name]: inside(value) };
  next.width = Math.max(SMALLEST, next.width);
  next.height = Math.max(SMALLEST, next.height);
  if (name === "left" || name === "top") {
    next.left = Math.min(next.left, 1 - SMALLEST);
    next.top = Math.min(next.top, 1 - SMALLEST);
    next.width = Math.min(next.width, 1 - next.left);
    next.height = Math.min(next.height, 1 - next.top);
  }
  return rounded({ ...next, left: Math.min(next.left, 1 - next.width), top: Math.min(next.top, 1 - next.height) });
}

export function isLargeEnough(zone: Zone): boolean {
  return zone.width >= SMALLEST && zone.height >= SMALLEST;
}

function inside(value: number, most = 1): number {
  return Math.min(Math.max(value, 0), Math.max(most, 0));
}

function ordered(a: number, b: number): [number, number] {
  return a < b ? [a, b] : [b, a];
}

/** To thousandths; the far edges are rounded, so that two of them never pass the picture's end together. */
function rounded({ left, top, width, height }: Zone): Zone {
  const near = { left: thousandths(left), top: thousandths(top) };
  return {
    ...near,
    width: thousandths(thousandths(left + width) - near.left),
    height: thousandths(thousandths(top + height) - near.top),
  };
}

function thousandths(value: number): number {
  return Math.round(value * 1000) / 1000;
}
