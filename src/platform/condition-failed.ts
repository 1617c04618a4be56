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
