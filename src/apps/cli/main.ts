/** The command line `snaprace`: runs one command, tells what went wrong, and ends with its exit code. */

import { createCommandLine } from "./command-line.ts";
import { endOnClosedPipe, isEndingEarly } from "./ending.ts";
import { reportFailure } from "./failure.ts";

async function run(args: string[]): Promise<number> {
  try {
    await createCommandLine().parseAsync(args.length > 0 ? args : ["--help"], { from: "user" });
    return 0;
  } catch (error) {
    if (isEndingEarly()) return new Promise(() => {});
    return reportFailure(error, { json: args.includes("--json") });
  }
}

endOnClosedPipe();
const exitCode = await run(process.argv.slice(2));
// Written to the end before the process goes, also where a pipe takes its time.
await new Promise((resolve) => process.stdout.write("", resolve));
process.exit(exitCode);
