/** A program with a process pool, for the tests of what its workers do when it ends. */

import { openSamplePool, type SampleJob } from "./process-pool.sample.ts";

const [folder = "", life] = process.argv.slice(2);
const pool = openSamplePool(folder, { workers: 2 });

if (life === "ends") {
  await pool.run({ act: "meet", count: 1 });
  console.log("done");
} else {
  const jobs = (life === "idle" ? [] : [life, life]) as Extract<
    SampleJob,
    { act: "loop" | "hang-thread-pool" }
  >["act"][];
  for (const act of jobs) void pool.run({ act });
  setInterval(() => {}, 1000);
  await pool.ready();
}
