/**
 * Entry under load, with every invariant recomputed from the API alone. In the environment: ONLY=rivals,kills,stored,aws
 * for some parts, QUICK=1 for small ones, MILLION=1 to store a million requests, CHART=FILE for where the chart goes.
 */

import { compareWithRivals } from "./entry/against-rivals.ts";
import { writeChart } from "./entry/chart.ts";
import { measureOnAws } from "./entry/on-aws.ts";
import type { Report } from "./entry/report.ts";
import { readSettings, type Sizes } from "./entry/settings.ts";
import { measureStored } from "./entry/stored.ts";
import { measureKills } from "./entry/with-kills.ts";
import type { Benchmark } from "./run.ts";

const PARTS: { [name: string]: (report: Report, sizes: Sizes) => Promise<void> } = {
  rivals: compareWithRivals,
  kills: measureKills,
  stored: measureStored,
  aws: measureOnAws,
};

export async function run(): Promise<Benchmark> {
  const { sizes, chartFile, isWanted } = readSettings(process.env);
  const report: Report = { rows: [], scenes: [], bars: [] };
  for (const [name, measure] of Object.entries(PARTS)) if (isWanted(name)) await measure(report, sizes);
  await writeChart(chartFile, report);
  console.error(`  The chart is ${chartFile}`);
  return { name: "entry", rows: report.rows };
}
