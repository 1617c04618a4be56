/** Only the background work, without a port: on AWS, as many of these as the line needs, beside servers or Lambdas. */

import { parseConfig } from "../config.ts";
import { exitWith } from "../exit.ts";
import { createLog } from "../log.ts";
import { openProgram } from "../program.ts";
import { stopOnSignal } from "./stop-on-signal.ts";

async function main(): Promise<void> {
  const config = parseConfig(process.env);
  const log = createLog({ level: config.logLevel });
  process.on("uncaughtException", (error) => exitWith(error, log));
  const program = await openProgram(config, log);
  program.startWorkers();
  stopOnSignal(program.close, log);
  process.stdout.write("SnapRace works in the background.\n");
}

main().catch((error) => exitWith(error));
