/** Reads the bibs out of what was seen, by the product's default rules, and tells what became of every word. */

import { type BibReading, DEFAULT_MIN_CONFIDENCE, DEFAULT_WATERMARK_ZONES, readBibs } from "../../src/photos/bibs.ts";
import type { Seen } from "../../src/platform/embedded/vision/eye.ts";
import type { Box } from "../../src/platform/ports.ts";
import type { SeenWord } from "./report.ts";

export type JudgedWord = SeenWord & { box: Box };

export function readSeen({ words, faces }: Seen, roster?: ReadonlySet<string>): BibReading {
  const boxes = faces.map(({ box }) => box);
  return readBibs(words, boxes, {
    watermarkZones: DEFAULT_WATERMARK_ZONES,
    minConfidence: DEFAULT_MIN_CONFIDENCE,
    ...(roster && { roster }),
  });
}

export function judgedWords({ bibs, partial, refused }: BibReading): JudgedWord[] {
  return [
    ...bibs.map(({ bib, confidence, box }) => ({ text: bib, confidence, box, verdict: "read" })),
    ...partial.map(({ text, confidence, box }) => ({ text, confidence, box, verdict: "partial" })),
    ...refused.map(({ text, confidence, box, reason }) => ({ text, confidence, box, verdict: `refused: ${reason}` })),
  ];
}
