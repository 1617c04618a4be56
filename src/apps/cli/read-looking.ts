/** What `read` and `compare` share: workers that look at pictures, and a result for each thing, printed in order as it comes. */

import { availableParallelism } from "node:os";
import { type Command, Option } from "commander";
import type { Lookers } from "../../platform/embedded/vision/lookers.ts";
import { asProblem, Problem } from "../../platform/problem.ts";
import { type Result, wholeNumber } from "./command.ts";
import { closeAtEnd, endOnSignals, isEndingEarly } from "./ending.ts";
import { createProgress, type Progress } from "./progress.ts";
import { inOrder } from "./read-in-order.ts";

/** Each of them holds some 400 MB. */
const MOST_WORKERS = 64;
/** So many pictures are read from the disk, or drawn, while the workers look at others. */
const READY_AHEAD = 4;

export type LookOptions = { json?: boolean; workers?: number; models?: string };
export type Look = Lookers["look"];
export type Outcome = Result & { failure?: Problem };

/** `pictures` is how many there are to look at, `label` what progress is shown of. */
export type Looking<Item> = { items: Item[]; pictures: number; label: string; options: LookOptions };

export function describeLooking(command: Command, description: string, examples: string[]): Command {
  const lines = examples.map((example) => `  $ snaprace ${example}`);
  return command
    .description(description)
    .option("--json", "print one JSON object a line for scripts")
    .addOption(
      new Option("--workers <n>", "look at n pictures at once (default: as many as the machine has cores)").argParser(
        wholeNumber(1, MOST_WORKERS),
      ),
    )
    .option("--models <file>", "a manifest of other models than the default ones")
    .addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
}

/** Gives the failures; everything else has been printed. */
export async function lookAtAll<Item>(
  looking: Looking<Item>,
  work: (item: Item, look: Look) => Promise<Outcome>,
): Promise<Problem[]> {
  endOnSignals();
  const { pictures, options } = looking;
  const { openLookers } = await import("../../platform/embedded/vision/lookers.ts");
  const workers = Math.min(options.workers ?? availableParallelism(), pictures);
  const { models: modelsFile } = options;
  // What was not printed yet is lost anyway, so nobody needs to wait for it.
  const lookers = openLookers({ workers, closeGraceMs: 0, ...(modelsFile !== undefined && { modelsFile }) });
  const printing = Promise.withResolvers<Problem[]>();
  const close = closeAtEnd(async () => {
    await lookers.close();
    // A file that is being written is finished.
    await printing.promise.catch(() => {});
  });
  printAll(looking, workers + READY_AHEAD, lookers, work).then(printing.resolve, printing.reject);
  return printing.promise.finally(close);
}

async function printAll<Item>(
  { items, label, options }: Looking<Item>,
  atOnce: number,
  lookers: Lookers,
  work: (item: Item, look: Look) => Promise<Outcome>,
): Promise<Problem[]> {
  const silent = options.json === true && !process.stderr.isTTY;
  const progress = createProgress({ silent, stream: process.stderr });
  const failures: Problem[] = [];
  let done = 0;
  const show = () => progress.show(label, done, items.length);
  try {
    show();
    await lookers.load();
    const outcomes = inOrder(items, atOnce, async (item) => {
      const outcome = await work(item, lookers.look);
      done += 1;
      show();
      return outcome;
    });
    for await (const outcome of outcomes) {
      if (outcome.failure) failures.push(outcome.failure);
      await printOne(outcome, options, progress);
      show();
    }
    return failures;
  } finally {
    progress.end();
  }
}

/** People see what failed on stderr, as with every command; scripts have one stream to read. */
async function printOne({ json, text, failure }: Outcome, options: LookOptions, progress: Progress): Promise<void> {
  const stream = failure && !options.json ? process.stderr : process.stdout;
  if (process.stderr.isTTY) progress.end();
  const line = options.json ? JSON.stringify(json) : text;
  // That nobody reads on is heard elsewhere.
  await new Promise<void>((resolve) => stream.write(`${line}\n`, () => resolve()));
}

/** When the command ends early, everything fails, and none of it is worth a line. */
export function failureOf(error: unknown): Problem {
  if (isEndingEarly()) throw error;
  return asProblem(error);
}

/** For the end: the first failure decides the exit code, unless there is a defect, which nobody should miss. */
export function checkFailures([first, ...others]: Problem[], code: string, sentence: string): void {
  if (!first) return;
  const defect = [first, ...others].find(({ kind }) => kind === "unexpected");
  const { kind, cause } = defect ?? first;
  const inside = defect && cause instanceof Error ? `${cause.stack}\n` : undefined;
  throw new Problem(kind, code, sentence, { cause: inside });
}
