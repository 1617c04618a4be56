#!/usr/bin/env node
/**
 * Starts the command line on the Node 24 that comes with the packages, whichever Node the machine itself has.
 * Plain JavaScript without dependencies: it runs before node_modules is there.
 */

import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const node = fileURLToPath(new URL("../node_modules/node/bin/node", import.meta.url));
const install = fileURLToPath(new URL("../scripts/install-missing.mjs", import.meta.url));
const main = fileURLToPath(new URL("../src/apps/cli/main.ts", import.meta.url));

const cache = fileURLToPath(new URL("../node_modules/.cache/compile", import.meta.url));

if (!existsSync(node)) {
  const { status } = spawnSync(process.execPath, [install], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

// As in package.json: a server needs no young generation of 128 MB and no arena for every thread, collectors of garbage
// leave the processors to those who work, and types are stripped once instead of at every start.
const flags = ["--max-semi-space-size=32", "--v8-pool-size=1"];
const env = { MALLOC_ARENA_MAX: "2", NODE_COMPILE_CACHE: cache, ...process.env };
const child = spawn(node, [...flags, main, ...process.argv.slice(2)], { stdio: "inherit", env });
child.on("error", (error) => {
  console.error(`Node 24 can't be started (${error.message}): remove the folder node_modules and try again.`);
  process.exit(1);
});
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
const passOn = (signal) => void child.kill(signal);
for (const signal of signals) process.on(signal, passOn);
child.on("exit", (exitCode, signal) => {
  if (signal === null) process.exit(exitCode ?? 1);
  // The caller's shell is to see that a signal ended it, and which.
  for (const each of signals) process.off(each, passOn);
  process.kill(process.pid, signal);
});
