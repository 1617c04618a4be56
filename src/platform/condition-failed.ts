/** What a table throws when a write's condition did not hold: which actions, and the items as they are. */

import type { Item } from "./ports.ts";

export type FailedCondition = { action: number; item?: Item };

export class ConditionFailed extends Error {
  readonly failures: FailedCondition[];

  constructor(failures: FailedCondition[]) {
    super(`condition failed for action ${failures.map((failure) => failure.action).join(", ")}`);
    this.name = "ConditionFailed";
    this.failures = failures;
  }
}

/** Whether the write went through: false when its condition failed, for who expects that somebody else may be faster. */
export async function hasHeld(write: Promise<void>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}
