/** What can be trusted of a word: without the characters that something covers a part of, in whose places others may have been read. */

import type { Verdict } from "./vote.ts";

/** Where characters are left out, the word goes on out of sight. Of one that is covered everywhere, all is left, and nothing is sure. */
export function seenPart(word: Verdict, covered: number[]): Verdict {
  const { text, alternatives, cut } = word;
  const characters = [...text];
  const kept = characters.flatMap((_, n) => (covered.includes(n) ? [] : [n]));
  const [first, last] = [kept[0], kept.at(-1)];
  if (first === undefined || last === undefined) return { ...word, cut: { ...cut, start: true, end: true } };
  const isGap = (n: number, i: number) => i > 0 && (n > (kept[i - 1] as number) + 1 || cut.inside?.includes(n));
  const inside = kept.flatMap((n, i) => (isGap(n, i) ? [i] : []));
  return {
    ...word,
    text: kept.map((n) => characters[n]).join(""),
    alternatives: kept.map((n) => alternatives[n] ?? []),
    cut: {
      start: cut.start || first > 0,
      end: cut.end || last < characters.length - 1,
      ...(inside.length > 0 && { inside }),
    },
  };
}
