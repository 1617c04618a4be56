/** `node tests/simulation/replay.ts SEED [BUG]` runs one seed again and prints every step. */

import { BUGS } from "./bugs.ts";
import { loadModules, runSeed } from "./run-seed.ts";

const [seed = "1", bug = ""] = process.argv.slice(2);
const modules = await loadModules(BUGS[bug]?.changes);
const { failure, ...rest } = await runSeed(Number(seed), modules, (line) => console.log(line));
console.log(JSON.stringify(rest));
console.log(failure ? failure.message : "all is well");
process.exitCode = failure ? 1 : 0;
