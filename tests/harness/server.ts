/** Runs the server as a process of its own, the way people do, and watches what it prints and how it ends. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { findFreePort } from "./free-port.ts";

const main = fileURLToPath(new URL("../../src/apps/server/main.ts", import.meta.url));
const READY_WITHIN_MS = 90_000;

export type Ending = { exitCode: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };

export type RunningServer = {
  url: string;
  pid: number;
  stop(signal?: NodeJS.Signals): Promise<Ending>;
};

/** Nothing of the caller's own configuration reaches the server, or a test would pass on one machine only. */
function cleanEnvironment(settings: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, ...settings };
}

/** Runs it to its end; for what is expected to stop by itself. */
export function runServer(settings: Record<string, string>): Promise<Ending> {
  return watch(spawnServer(settings)).ending;
}

export async function startServer(settings: { dataFolder: string } & Record<string, string>): Promise<RunningServer> {
  const { dataFolder, ...environment } = settings;
  const port = environment.PORT ?? String(await findFreePort());
  const child = spawnServer({ SNAPRACE_DATA: dataFolder, ...environment, PORT: port });
  const { ending, ready } = watch(child);
  const url = await ready;
  return {
    url,
    pid: child.pid ?? 0,
    stop: (signal = "SIGINT") => {
      child.kill(signal);
      return ending;
    },
  };
}

function spawnServer(environment: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [main], {
    env: cleanEnvironment(environment),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
  return child;
}

function watch(child: ChildProcess): { ending: Promise<Ending>; ready: Promise<string> } {
  const printed = { stdout: "", stderr: "" };
  const ready = Promise.withResolvers<string>();
  // Who only waits for the ending never looks at this one.
  ready.promise.catch(() => {});
  const late = setTimeout(() => ready.reject(notReady("in time", printed)), READY_WITHIN_MS);
  child.stderr?.on("data", (chunk) => {
    printed.stderr += chunk;
  });
  child.stdout?.on("data", (chunk) => {
    printed.stdout += chunk;
    const url = /^SnapRace is ready at (\S+)\n/m.exec(printed.stdout)?.[1];
    if (url) ready.resolve(url);
  });
  const ending = once(child, "close").then(([exitCode, signal]) => {
    ready.reject(notReady(`before it ended with ${signal ?? exitCode}`, printed));
    return { exitCode, signal, ...printed };
  });
  ready.promise.then(
    () => clearTimeout(late),
    () => clearTimeout(late),
  );
  return { ending, ready: ready.promise };
}

function notReady(when: string, printed: { stdout: string; stderr: string }): Error {
  return new Error(`The server was not ready ${when}. It printed:\n${printed.stdout}${printed.stderr}`);
}
