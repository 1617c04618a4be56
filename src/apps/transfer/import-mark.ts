/** Remembers in the target which bundle it gets, so that an import that crashed goes on and another is refused. */

import { z } from "zod";
import { ConditionFailed } from "../../platform/condition-failed.ts";
import { absent } from "../../platform/conditions.ts";
import type { Engines, Item, Table } from "../../platform/ports.ts";
import { Problem } from "../../platform/problem.ts";

/** It is about this installation and never moves on with the rest. */
export const MARK_TABLE = "Transfer";
const KEY = { PK: "IMPORT", SK: "IMPORT" };

const Marked = z.object({
  bundleId: z.string(),
  /** How many messages of each queue have been sent. */
  sent: z.record(z.string(), z.number()),
  finishedAt: z.number().optional(),
});

export type ImportMark = {
  /** Some of it may be there already. */
  isResumed: boolean;
  isFinished: boolean;
  sentTo(queue: string): number;
  keepSent(queue: string, count: number): Promise<void>;
  finish(): Promise<void>;
};

/** `findOtherData` tells in words where the target holds something, and is asked when no import has begun there. */
export async function beginImport(
  { table: openTable, clock }: Pick<Engines, "table" | "clock">,
  bundleId: string,
  findOtherData: () => Promise<string | undefined>,
): Promise<ImportMark> {
  const table = openTable(MARK_TABLE);
  const earlier = await table.get(KEY);
  if (!earlier) {
    const place = await findOtherData();
    if (place !== undefined) throw notEmpty(`There is data in ${place} already`);
  }
  const found = earlier ?? (await putMark(table, { ...KEY, bundleId, startedAt: clock.now(), sent: {} }));
  const marked = found && Marked.parse(found);
  if (marked && marked.bundleId !== bundleId) throw notEmpty("Another export was imported here, at least in part");
  const sent = { ...marked?.sent };
  return {
    isResumed: marked !== undefined,
    isFinished: marked?.finishedAt !== undefined,
    sentTo: (queue) => sent[queue] ?? 0,
    keepSent: async (queue, count) => {
      sent[queue] = count;
      await table.update({ update: KEY, set: { sent } });
    },
    finish: async () => {
      await table.update({ update: KEY, set: { finishedAt: clock.now() } });
    },
  };
}

/** Answers the mark that was there first: another's, or our own when the answer to an earlier try got lost. */
async function putMark(table: Table, mark: Item): Promise<Item | undefined> {
  try {
    await table.write([{ put: mark, if: absent("PK") }]);
    return undefined;
  } catch (error) {
    if (error instanceof ConditionFailed) return error.failures[0]?.item;
    throw error;
  }
}

function notEmpty(reason: string): Problem {
  return new Problem("conflict", "import.not-empty", `${reason}. Import into an installation that is empty.`);
}
