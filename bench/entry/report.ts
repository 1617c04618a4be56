/** What the rig found: rows for the table, scenes and bars for the chart, and on the way a line for whoever waits. */

import type { Row } from "../run.ts";
import { latencyOf } from "./figures.ts";
import type { Scene } from "./scene.ts";

export type TitledScene = { title: string; scene: Scene };
export type Bar = { name: string; perSecond: number };
export type Report = { rows: Row[]; scenes: TitledScene[]; bars: Bar[] };

export function figure(measure: string, value: number, unit: string): Row {
  return { measure, value, unit };
}

export function below(measure: string, value: number, unit: string, most: number): Row {
  return { measure, value, unit, target: `< ${most}`, ok: value < most };
}

export function atLeast(measure: string, value: number, unit: string, least: number): Row {
  return { measure, value, unit, target: `≥ ${Math.round(least * 100) / 100}`, ok: value >= least };
}

function none(measure: string, value: number): Row {
  return { measure, value, unit: "", target: "0", ok: value === 0 };
}

/** For people: 12000 is 12,000. */
export const count = (value: number) => Math.round(value).toLocaleString("en");

export function progress(line: string): void {
  console.error(`  ${line}`);
}

/** Says what happened in a scene, and which invariants it broke. */
export function tellScene({ title, scene }: TitledScene): void {
  const { load, breaches, kills } = scene;
  const { p50, p99 } = latencyOf(load.answers);
  const settled = secondsUntilSettled(scene).toFixed(2);
  const killed = kills.length > 0 ? `, ${kills.length} kills` : "";
  progress(
    `${title}: ${count(load.answers.length)} clicks in ${((load.endedAt - load.startedAt) / 1000).toFixed(1)} s, ` +
      `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, settled ${settled} s after the last answer${killed}`,
  );
  for (const [status, times] of Object.entries(load.triedAgain)) progress(`answered ${status}, tried again: ${times}`);
  for (const { rule, count: times, example } of breaches) progress(`BROKEN ${times} times: ${rule}. ${example}`);
}

/** From the last answer; not a number when some never were. */
export function secondsUntilSettled({ settledAt, load }: Pick<Scene, "settledAt" | "load">): number {
  return settledAt === undefined ? Number.NaN : Math.max(0, settledAt - load.endedAt) / 1000;
}

export function checkRows(where: string, scenes: Pick<Scene, "inversions" | "breaches">[]): Row[] {
  const sum = (value: (scene: (typeof scenes)[number]) => number) => scenes.reduce((all, each) => all + value(each), 0);
  return [
    none(
      `inversions, ${where}`,
      sum(({ inversions }) => inversions),
    ),
    none(
      `broken invariants, ${where}`,
      sum(({ breaches }) => breaches.length),
    ),
  ];
}
