/** `snaprace compare`: how alike the largest faces of two pictures are, for one pair or for many. */

import path from "node:path";
import type { Command } from "commander";
import { similarityOf } from "../../platform/embedded/vision/similarity.ts";
import { noFace } from "../../platform/picture-limits.ts";
import { Problem } from "../../platform/problem.ts";
import { type Pair, readPairs } from "./compare-pairs.ts";
import { readPhoto } from "./read-files.ts";
import {
  checkFailures,
  describeLooking,
  failureOf,
  type Look,
  type LookOptions,
  lookAtAll,
  type Outcome,
} from "./read-looking.ts";
import { failureJson, failureText } from "./read-wording.ts";
import { inColumns } from "./table.ts";
import { counted } from "./wording.ts";

type Options = LookOptions & { pairs?: string };
type Embedded = { embedding: Float32Array } | { failure: Problem };

export function addCompare(commands: Command): void {
  const compare = describeLooking(
    commands.command("compare"),
    "Tell how alike the largest faces of two pictures are, from 0 to 1. Nothing is kept.",
    ["compare selfie.jpg finish/IMG_0123.jpg", "compare --pairs pairs.txt --json > similarities.jsonl"],
  );
  compare
    .argument("[pictures...]", "two pictures")
    .option("--pairs <file>", "a file with two paths a line instead; # begins a comment, - is standard input");
  compare.action(async (pictures: string[], options: Options) => {
    await comparePairs(await pairsOf(pictures, options), options);
  });
}

async function pairsOf(pictures: string[], { pairs }: Options): Promise<Pair[]> {
  const [a, b, ...more] = pictures;
  if (pairs !== undefined && a === undefined) return readPairs(pairs);
  if (pairs === undefined && a !== undefined && b !== undefined && more.length === 0) return [{ a, b }];
  throw new Problem("invalid", "usage.two-pictures", "Give either two pictures or --pairs.");
}

async function comparePairs(pairs: Pair[], options: Options): Promise<void> {
  const pictures = new Set(pairs.flatMap(({ a, b }) => [path.resolve(a), path.resolve(b)])).size;
  const embedded = new Map<string, Promise<Embedded>>();
  const looking = { items: pairs, pictures, label: "Pairs", options };
  const failures = await lookAtAll(looking, async (pair, look) => {
    const once = (file: string) => {
      const known = embedded.get(path.resolve(file)) ?? embedLargest(file, look);
      embedded.set(path.resolve(file), known);
      return known;
    };
    return outcomeOf(pair, await Promise.all([once(pair.a), once(pair.b)]));
  });
  const sentence = `${failures.length.toLocaleString("en")} of ${counted(pairs.length, "pair")} could not be compared.`;
  checkFailures(failures, "pairs.not-compared", sentence);
}

async function embedLargest(file: string, look: Look): Promise<Embedded> {
  try {
    const [face] = (await look(await readPhoto(file), "largest-face")).faces;
    return face ? { embedding: face.embedding } : { failure: noFace() };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

function outcomeOf({ a, b }: Pair, [first, second]: [Embedded, Embedded]): Outcome {
  if ("failure" in first) return failed({ a, b }, a, first.failure);
  if ("failure" in second) return failed({ a, b }, b, second.failure);
  const similarity = similarityOf(product(first.embedding, second.embedding));
  return { json: { a, b, similarity }, text: inColumns([[similarity.toFixed(4), a, b]]) };
}

/** `file` is the one of the two to blame. */
function failed({ a, b }: Pair, file: string, failure: Problem): Outcome {
  const json = { a, b, error: { ...failureJson(failure), file } };
  return { json, text: `${inColumns([[a, b]])}: ${failureText([file], failure)}`, failure };
}

/** Embeddings have length one, so it is their cosine. */
function product(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, n) => sum + value * (b[n] as number), 0);
}
