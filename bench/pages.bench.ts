/**
 * How smoothly the pages move in a real browser. In the environment: PHOTOS=N for a wall of so many photos (2,000), RUNS=N
 * for so many runs (5), of which the median counts, ONLY=desktop or phone for one of the two.
 */

import { measureScrolling } from "./pages/scrolling.ts";
import type { Benchmark } from "./run.ts";

export async function run(): Promise<Benchmark> {
  const { PHOTOS = "2000", RUNS = "5", ONLY } = process.env;
  const screens = (["desktop", "phone"] as const).filter((screen) => ONLY === undefined || ONLY === screen);
  return { name: "pages", rows: await measureScrolling({ photos: Number(PHOTOS), runs: Number(RUNS), screens }) };
}
