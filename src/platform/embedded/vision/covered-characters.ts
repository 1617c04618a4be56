/** Which characters of a line something covers a part of, so that others may have been read in their places. */

import { BOTH, judge, type Line } from "./line-views.ts";
import type { Pyramid } from "./raster.ts";
import type { Model } from "./session.ts";

/** A fold or a shadow over a character that is read well is common, a half hidden one that is read as another is rare. */
const COVERED = 0.9;
/** A longer line is a sentence on a banner, and takes its time. */
const LONGEST = 8;

export async function coveredCharacters(model: Model, picture: Pyramid, line: Line): Promise<number[]> {
  if (line.middles.length > LONGEST) return [];
  const places = line.middles.map((along) => ({ along, sides: BOTH }));
  const likely = await judge(model, picture, line, { places, sizes: "one" });
  return likely.flatMap((each, n) => (each > COVERED ? [n] : []));
}
