/** A file of pairs of pictures: two paths a line. */

import { text } from "node:stream/consumers";
import { Problem } from "../../platform/problem.ts";
import { openInput } from "./input-file.ts";
import { counted } from "./wording.ts";

export type Pair = { a: string; b: string };

const MOST_ERRORS = 1000;

export async function readPairs(file: string): Promise<Pair[]> {
  const { read } = await openInput(file);
  return parsePairs(await text(read(() => {})), file);
}

/** Empty lines and those that begin with # are skipped. */
export function parsePairs(content: string, file: string): Pair[] {
  const pairs: Pair[] = [];
  const errors: { line: number; reason: string }[] = [];
  for (const [position, line] of content.split(/\r\n|\r|\n/).entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const [a, b, ...more] = pathsOf(line);
    if (a && b && more.length === 0) pairs.push({ a, b });
    else errors.push({ line: position + 1, reason: "Give two paths, with a space, a tab or a comma between them." });
  }
  if (errors.length > 0) {
    const sentence = `${file} has ${counted(errors.length, "line")} that can't be read as a pair. Correct them.`;
    const details = { errorCount: errors.length, errors: errors.slice(0, MOST_ERRORS) };
    throw new Problem("invalid", "pairs.bad-rows", sentence, { details });
  }
  if (pairs.length === 0) throw new Problem("invalid", "pairs.empty", `${file} has no pairs.`);
  return pairs;
}

/** Where tabs or commas separate, paths may have spaces in them. */
function pathsOf(line: string): string[] {
  const separator = ["\t", ","].find((each) => line.includes(each));
  return separator ? line.split(separator).map((part) => part.trim()) : line.trim().split(/\s+/);
}
