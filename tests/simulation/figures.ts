/** What organizers are told about a line at rest is what is there. */

import type { Fairness } from "../../src/entry/fairness.ts";
import type { RequestItem } from "../../src/entry/items.ts";
import type { Summary } from "../../src/entry/summary.ts";
import { demand } from "./broken.ts";
import type { World } from "./world.ts";

export function checkSummary({ lineRules, requestRules }: World, summary: Summary): void {
  const inLine = inLineOf(requestRules.requests);
  const count = (name: "status" | "resultCode", value: string) => inLine.filter((each) => each[name] === value).length;
  for (const [status, figure] of Object.entries(summary.byStatus)) {
    const counted = count("status", status);
    demand(figure === counted, "figures-are-right", () => `the summary has ${figure} ${status}, there are ${counted}`);
  }
  for (const [result, figure] of Object.entries(summary.byResult)) {
    const counted = count("resultCode", result);
    demand(figure === counted, "figures-are-right", () => `the summary has ${figure} ${result}, there are ${counted}`);
  }
  const given = inLine.length + lineRules.voided.size;
  const isWhole = summary.tickets === given && summary.voided === lineRules.voided.size;
  demand(isWhole, "figures-are-right", () => `${summary.tickets} tickets, ${summary.voided} void, instead of ${given}`);
}

export function checkFairness({ lineRules, requestRules }: World, fairness: Fairness): void {
  const { inversions, voidedCount, oldestUnsettledTicket, checkedRequests } = fairness;
  const inLine = inLineOf(requestRules.requests);
  const isRight = inversions === 0 && oldestUnsettledTicket === null && checkedRequests === inLine.length;
  demand(isRight, "figures-are-right", () => `${inLine.length} in line, but fairness has ${JSON.stringify(fairness)}`);
  const voided = lineRules.voided.size;
  demand(voidedCount === voided, "figures-are-right", () => `fairness has ${voidedCount} void tickets, not ${voided}`);
}

function inLineOf(requests: Map<string, RequestItem>): RequestItem[] {
  return [...requests.values()].filter(({ ticket }) => ticket !== undefined);
}
