/** What a bib pattern would take for a bib, by the same rules as the server's reading of photos. */

export const DEFAULT_BIB_PATTERN = "[A-Z]?[0-9]{1,6}";
const MOST_CHOICES = 6;
const LONGEST_TEXT = 60;

export type Verdict = "bib" | "partial" | "other";

/** `undefined` when the pattern can't be used: the server would refuse it too. */
export function compilePattern(source: string): RegExp | undefined {
  try {
    // By itself too: "1)|(?:2" would step out of the brackets put around it.
    new RegExp(source, "u");
    const pattern = new RegExp(`^(?:${source})$`, "u");
    return isQuick(source) && !pattern.test("") ? pattern : undefined;
  } catch {
    return undefined;
  }
}

/** Small letters, full-width digits and spaces make no difference in a photo. */
export function readText(text: string): string {
  return text.slice(0, LONGEST_TEXT).normalize("NFKC").toUpperCase().replaceAll(/\s/g, "");
}

export function verdictOf(text: string, source: string, pattern: RegExp): Verdict {
  const read = readText(text);
  if (!pattern.test(read)) return "other";
  return source === DEFAULT_BIB_PATTERN && read.startsWith("0") ? "partial" : "bib";
}

/** A pattern with many ways to read a text would hold this page up. */
function isQuick(source: string): boolean {
  const plain = source.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]/gu, "x").replaceAll(/\(\?(?:<\w+>|<?[:=!])/g, "(");
  return !/\)[*+{]/.test(plain) && plain.split(/[?*+|]|\{\d+,\d*\}/).length - 1 <= MOST_CHOICES;
}
