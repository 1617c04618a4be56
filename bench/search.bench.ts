/**
 * What a page of photos costs, with a thousand stored and with a million: in time on this machine, and in read capacity
 * on DynamoDB. In the environment: ONLY=time,capacity for one of them, QUICK=1 for fewer photos, PHOTOS=N for so many.
 */

import type { Benchmark, Row } from "./run.ts";
import { measureCapacity } from "./search/in-capacity.ts";
import { measureTime } from "./search/in-time.ts";
import { readSettings } from "./search/settings.ts";

export async function run(): Promise<Benchmark> {
  const { sizes, isWanted } = readSettings(process.env);
  const rows: Row[] = [];
  if (isWanted("time")) rows.push(...(await measureTime(sizes)));
  if (isWanted("capacity")) rows.push(...(await measureCapacity(sizes)));
  return { name: "search", rows };
}
