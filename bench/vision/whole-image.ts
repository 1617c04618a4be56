/** The plain way to compare with: text is looked for once in the whole picture, and each line is read once. */

import { around, toBox, wholeOf } from "../../src/platform/embedded/vision/areas.ts";
import type { ModelFiles } from "../../src/platform/embedded/vision/models.ts";
import { openPicture } from "../../src/platform/embedded/vision/picture.ts";
import { openModel } from "../../src/platform/embedded/vision/session.ts";
import { detectTextAreas } from "../../src/platform/embedded/vision/text-detector.ts";
import { readLine, type TextReader } from "../../src/platform/embedded/vision/text-reader.ts";
import type { Word } from "../../src/platform/ports.ts";

export const WHOLE_SIDE = 1600;

export type WholeImageWay = (image: Uint8Array) => Promise<Word[]>;

export async function openWholeImageWay(files: ModelFiles): Promise<WholeImageWay> {
  const detector = await openModel(files.textDetector.bytes);
  const letters = files.letters.bytes.toString("utf8").replace(/\n$/, "").split("\n");
  const reader: TextReader = { model: await openModel(files.textReader.bytes), letters: ["", ...letters, " "] };
  return async (image) => {
    const picture = await openPicture(image);
    const words: Word[] = [];
    for (const area of await detectTextAreas(detector, picture, wholeOf(picture), { longSide: WHOLE_SIDE })) {
      const { text, confidence } = await readLine(reader, picture, area);
      words.push({ text, confidence, box: toBox(around(area), picture) });
    }
    return words;
  };
}
