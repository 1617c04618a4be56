/** Which of the words that an engine found were asked for. */

import type { Box, TextAsk, Word } from "./ports.ts";

export function wantedWords(words: Word[], { watermarkZones, minConfidence }: TextAsk): Word[] {
  return words.filter(
    ({ confidence, box }) => confidence >= minConfidence && !watermarkZones.some((zone) => hasMiddleOf(zone, box)),
  );
}

function hasMiddleOf(zone: Box, { left, top, width, height }: Box): boolean {
  const [x, y] = [left + width / 2, top + height / 2];
  return x >= zone.left && x <= zone.left + zone.width && y >= zone.top && y <= zone.top + zone.height;
}
