/** A few blurred colours in place of a photo that is on its way, made from its thumbhash and kept for a while. */

import { thumbHashToAverageRGBA, thumbHashToDataURL } from "thumbhash";

const MOST_KEPT = 600;
const kept = new Map<string, string>();

/** As CSS wants a picture; nothing where the hash can't be read. */
export function placeholderOf(thumbhash: string): string | undefined {
  const known = kept.get(thumbhash);
  if (known !== undefined) return known;
  try {
    const made = `url("${thumbHashToDataURL(bytesOf(thumbhash))}")`;
    const oldest = kept.keys().next();
    if (kept.size >= MOST_KEPT && !oldest.done) kept.delete(oldest.value);
    kept.set(thumbhash, made);
    return made;
  } catch {
    return undefined;
  }
}

/** Its one colour, which is made in no time. */
export function averageOf(thumbhash: string): string | undefined {
  try {
    const { r, g, b } = thumbHashToAverageRGBA(bytesOf(thumbhash));
    return `rgb(${[r, g, b].map((share) => Math.round(share * 255)).join(" ")})`;
  } catch {
    return undefined;
  }
}

function bytesOf(thumbhash: string): Uint8Array {
  return Uint8Array.from(atob(thumbhash), (letter) => letter.charCodeAt(0));
}
