/** The server on one machine: reads its configuration, opens the engines, serves until told to stop. */

import type { Server } from "node:http";
import type { Hono } from "hono";
import type { Engines } from "../../platform/ports.ts";
import { Problem } from "../../platform/problem.ts";
import { type Config, parseConfig } from "../config.ts";
import { openEngines } from "../engines.ts";
import { exitWith } from "../exit.ts";
import { createLog } from "../log.ts";
import { createMetrics, watch } from "../metrics.ts";
import { createApp } from "./http.ts";
import { drain, listen } from "./listen.ts";
import { stopOnSignal } from "./stop-on-signal.ts";

const GRACE_MS = 10_000;

async function main(): Promise<void> {
  const config = parseConfig(process.env);
  const log = createLog({ level: config.logLevel });
  process.on("uncaughtException", (error) => exitWith(error, log));

  const { engines, watched, ...blobs } = await openEngines(config, log);
  const metrics = createMetrics();
  for (const each of watched) watch(metrics, each);
  const app = createApp({ config, engines, log, metrics, ...blobs });
  const server = await start(app, config, engines).catch(async (error) => {
    await engines.close();
    throw error;
  });

  stopOnSignal(async () => {
    await drain(server, GRACE_MS);
    await engines.close();
  }, log);
  process.stdout.write(`SnapRace is ready at ${config.publicUrl}\n`);
}

/** What only an operator can mend stops the start; what may pass by itself is left to /readyz. */
async function start(app: Hono, config: Config, engines: Engines): Promise<Server> {
  await engines.checkReady().catch((error: unknown) => {
    if (error instanceof Problem && error.kind === "misconfigured") throw error;
  });
  return listen(app, config);
}

main().catch((error) => exitWith(error));
