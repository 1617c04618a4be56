/** The server on one machine: reads its configuration, opens the program, serves until told to stop. */

import { parseConfig } from "../config.ts";
import { exitWith } from "../exit.ts";
import { serve } from "./serve.ts";

async function main(): Promise<void> {
  await serve(parseConfig(process.env));
}

main().catch((error) => exitWith(error));
