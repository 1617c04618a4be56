/**
 * Thumbnails are asked for and shown at the pace at which the page still moves smoothly: all that a thumb throws past
 * would make it stumble, and nobody sees them. What is in sight comes first.
 */

/** What passes faster is in sight for less than a quarter of a second: its colours will do. */
const FLYING_PIXELS_PER_MS = 4;
const REST_MS = 150;
/** So many are asked for, and shown, in a frame. */
const MOVING = 2;
const MOVING_LATE = 1;
const AT_REST = 3;
/** A frame that takes longer says that there is too much to do. */
const LATE_MS = 25;

const wanted = new Map<HTMLImageElement, string>();
const arrived: HTMLImageElement[] = [];
let scrolledAt = Number.NEGATIVE_INFINITY;
let lastFrame = { at: 0, y: 0 };
let isTicking = false;

window.addEventListener(
  "scroll",
  () => {
    scrolledAt = performance.now();
  },
  { passive: true },
);

/** Gives the image its address at once where nothing moves, and else when it is its turn; answers how to give up on it. */
export function askPaced(image: HTMLImageElement, address: string): () => void {
  if (isResting()) {
    image.src = address;
    return () => {};
  }
  wanted.set(image, address);
  tickOn();
  return () => wanted.delete(image);
}

/** Marks the image as one to be seen, which is when it is unpacked: that takes longer than all else. */
export function showPaced(image: HTMLImageElement): void {
  arrived.push(image);
  tickOn();
}

/** Whether the page lies still. */
export const isResting = () => performance.now() - scrolledAt > REST_MS;

function tickOn(): void {
  if (isTicking) return;
  isTicking = true;
  lastFrame = { at: performance.now(), y: window.scrollY };
  requestAnimationFrame(tick);
}

function tick(now: number): void {
  const y = window.scrollY;
  const frameMs = now - lastFrame.at;
  const isFlying = Math.abs(y - lastFrame.y) > FLYING_PIXELS_PER_MS * frameMs;
  lastFrame = { at: now, y };
  const most = isResting() ? AT_REST : frameMs > LATE_MS ? MOVING_LATE : MOVING;
  show(most);
  if (!isFlying) ask(most);
  isTicking = wanted.size > 0 || arrived.length > 0;
  if (isTicking) requestAnimationFrame(tick);
}

function show(most: number): void {
  for (let shown = 0; shown < most; ) {
    const image = arrived.shift();
    if (!image) return;
    if (!image.isConnected) continue;
    image.setAttribute("data-loaded", "");
    shown += 1;
  }
}

function ask(most: number): void {
  const middle = window.innerHeight / 2;
  const byDistance = [...wanted].map(([image, address]) => {
    const { top, bottom } = image.getBoundingClientRect();
    return { image, address, away: Math.abs((top + bottom) / 2 - middle) };
  });
  for (const { image, address } of byDistance.sort((a, b) => a.away - b.away).slice(0, most)) {
    image.src = address;
    wanted.delete(image);
  }
}
