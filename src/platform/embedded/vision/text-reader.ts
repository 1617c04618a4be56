/** Reads one line of text: the characters, how sure each is, and what else each could be. */

import type { TurnedArea } from "./areas.ts";
import { look, type Pyramid, type View } from "./raster.ts";
import type { Model } from "./session.ts";

const HEIGHT = 48;
const STEP = 16;
const MIN_WIDTH = 48;
const MAX_WIDTH = 800;
const NORMALISE = { mean: [127.5, 127.5, 127.5], scale: [1 / 127.5, 1 / 127.5, 1 / 127.5] } as const;

/** `from` and `to` are where the character was seen, as fractions of the line. */
export type ReadCharacter = {
  text: string;
  confidence: number;
  from: number;
  to: number;
  others: { text: string; confidence: number }[];
};
/** `beyond`: how likely something else was seen before the first character and after the last, if it was too unsure to be read. */
export type ReadLine = {
  text: string;
  confidence: number;
  characters: ReadCharacter[];
  beyond: { start: number; end: number };
};

/** The letters are in the order of the model's classes; the first class is "nothing here". */
export type TextReader = { model: Model; letters: string[] };

/** `pad` adds that part of the line's height at both ends. */
export async function readLine(reader: TextReader, picture: Pyramid, area: TurnedArea, pad = 0): Promise<ReadLine> {
  const length = area.width + 2 * pad * area.height;
  const exact = (length / area.height) * HEIGHT;
  const width = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, Math.ceil(exact / STEP) * STEP));
  const view = lineView(area, length, width);
  const input = look(picture, view, width, HEIGHT, NORMALISE);
  const [probabilities] = (await reader.model.run(input, [1, 3, HEIGHT, width])) as [Float32Array];
  return decode(probabilities, reader.letters);
}

function lineView(area: TurnedArea, length: number, width: number): View {
  const cos = Math.cos(area.angle);
  const sin = Math.sin(area.angle);
  const along = length / width;
  const down = area.height / HEIGHT;
  return {
    ax: cos * along,
    ay: sin * along,
    bx: -sin * down,
    by: cos * down,
    cx: area.x - (cos * length - sin * area.height) / 2,
    cy: area.y - (sin * length + cos * area.height) / 2,
  };
}

/** A character goes on as long as it repeats. */
function decode(probabilities: Float32Array, letters: string[]): ReadLine {
  const classes = letters.length;
  const steps = probabilities.length / classes;
  const characters: ReadCharacter[] = [];
  let last = 0;
  for (let step = 0; step < steps; step += 1) {
    const row = probabilities.subarray(step * classes, (step + 1) * classes);
    let best = 0;
    for (let i = 1; i < classes; i += 1) if ((row[i] as number) > (row[best] as number)) best = i;
    const confidence = row[best] as number;
    if (best !== 0 && best !== last) {
      characters.push({
        text: letters[best] as string,
        confidence,
        from: step / steps,
        to: (step + 1) / steps,
        others: others(row, best, letters),
      });
    } else if (best !== 0) {
      const known = characters.at(-1) as ReadCharacter;
      known.to = (step + 1) / steps;
      if (confidence > known.confidence) Object.assign(known, { confidence, others: others(row, best, letters) });
    }
    last = best;
  }
  const text = characters.map((each) => each.text).join("");
  const confidence =
    characters.length === 0 ? 0 : characters.reduce((sum, each) => sum + each.confidence, 0) / characters.length;
  return { text, confidence, characters, beyond: seenBeyond(probabilities, letters, characters) };
}

function seenBeyond(probabilities: Float32Array, letters: string[], characters: ReadCharacter[]): ReadLine["beyond"] {
  const [first, last] = [characters[0], characters.at(-1)];
  if (!first || !last) return { start: 0, end: 0 };
  const classes = letters.length;
  const steps = probabilities.length / classes;
  /** Neither nothing, nor a space, nor the rest of the character itself. */
  const most = (from: number, to: number, { text }: ReadCharacter) => {
    const known = [0, letters.indexOf(text), classes - 1];
    let likely = 0;
    for (let step = from; step < to; step += 1) {
      const other = known.reduce((rest, each) => rest - (probabilities[step * classes + each] as number), 1);
      likely = Math.max(likely, other);
    }
    return likely;
  };
  return {
    start: most(0, Math.round(first.from * steps), first),
    end: most(Math.round(last.to * steps), steps, last),
  };
}

const MIN_OTHER = 0.01;
const MAX_OTHERS = 3;

function others(row: Float32Array, best: number, letters: string[]): { text: string; confidence: number }[] {
  const found: { text: string; confidence: number }[] = [];
  for (let i = 1; i < row.length; i += 1) {
    const confidence = row[i] as number;
    if (i !== best && confidence >= MIN_OTHER) found.push({ text: letters[i] as string, confidence });
  }
  return found.sort((a, b) => b.confidence - a.confidence).slice(0, MAX_OTHERS);
}
