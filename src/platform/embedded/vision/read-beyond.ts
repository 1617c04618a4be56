/** What the reader sees beyond the ends of a line without being sure of it, such as the sliver of a character behind a hand. */

import type { TurnedArea } from "./areas.ts";
import type { Pyramid } from "./raster.ts";
import { type ReadLine, readLine, type TextReader } from "./text-reader.ts";

/** In heights of the line: by how much it is lengthened at both ends, and how high it is taken to be. */
const PADS = [0.2, 0.35, 0.5];
const TALL = [0.88, 1, 1.2];

type Beyond = ReadLine["beyond"];

/** The mean of those views that read the same. One view alone sees something in every shadow. */
export async function readBeyond(
  reader: TextReader,
  picture: Pyramid,
  { area, text }: { area: TurnedArea; text: string },
): Promise<Beyond> {
  const seen: Beyond[] = [];
  for (const tall of TALL) {
    const view = { ...area, height: area.height * tall };
    for (const pad of PADS) {
      const reading = await readLine(reader, picture, view, pad / tall);
      if (reading.text === text) seen.push(reading.beyond);
    }
  }
  const mean = (end: keyof Beyond) => seen.reduce((sum, each) => sum + each[end], 0) / Math.max(1, seen.length);
  return { start: mean("start"), end: mean("end") };
}
