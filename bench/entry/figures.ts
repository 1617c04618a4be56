/** Figures of a load: rates, percentiles, and how they went over time. */

import type { Answer, Load } from "./load.ts";

export type Percentiles = { p50: number; p99: number };

/** A person counts once, when they are first told 202; repeats are no further acceptance. */
export function acceptedTimes({ answers }: Pick<Load, "answers">): Float64Array {
  const firsts = new Map<string, number>();
  for (const { userId, status, answeredAt } of answers) {
    if (status === 202) firsts.set(userId, Math.min(answeredAt, firsts.get(userId) ?? answeredAt));
  }
  return Float64Array.from(firsts.values()).sort();
}

export function acceptedPerSecond(load: Load): number {
  return (acceptedTimes(load).length * 1000) / (load.endedAt - load.startedAt);
}

export function answersPerSecond({ answers, startedAt, endedAt }: Load): number {
  return (answers.filter(({ status }) => status === 202).length * 1000) / (endedAt - startedAt);
}

export function latencyOf(answers: Answer[]): Percentiles {
  const sorted = Float64Array.from(answers, ({ latencyMs }) => latencyMs).sort();
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) };
}

/** Of numbers in order. */
export function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

export function retriesOf({ answers }: Pick<Load, "answers">): number {
  return answers.reduce((sum, { retries }) => sum + retries, 0);
}
