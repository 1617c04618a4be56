/** Runs the command line as people do, as a process of its own, and gives what it printed and how it ended. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const launcher = fileURLToPath(new URL("../../bin/snaprace.mjs", import.meta.url));

export type Ended = { exitCode: number | null; stdout: string; stderr: string };

export type CommandLine = {
  /** Runs to the end; `input` is its standard input. */
  run(args: string[], settings?: { env?: Record<string, string>; input?: string }): Promise<Ended>;
  /** Runs with --json, and must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer has whatever form the test expects of it.
  json(...args: string[]): Promise<any>;
  start(args: string[]): ChildProcess;
};

/** Nothing of the caller's own configuration reaches it. */
export function commandLine(dataFolder: string): CommandLine {
  const start = (args: string[], env: Record<string, string> = {}) => {
    const { PATH, HOME } = process.env;
    const child = spawn(process.execPath, [launcher, ...args], {
      env: { PATH, HOME, SNAPRACE_DATA: dataFolder, ...env },
    });
    const kill = () => child.kill("SIGKILL");
    process.once("exit", kill);
    child.once("exit", () => process.off("exit", kill));
    return child;
  };
  const run: CommandLine["run"] = async (args, { env, input = "" } = {}) => {
    const child = start(args, env);
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    const [stdout, stderr, [exitCode]] = await Promise.all([
      buffer(child.stdout),
      buffer(child.stderr),
      once(child, "close") as Promise<[number | null]>,
    ]);
    // Decoding as a stream would take the byte order mark away.
    return { exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
  };
  return {
    run,
    json: async (...args) => {
      const ended = await run([...args, "--json"]);
      if (ended.exitCode !== 0 || ended.stderr !== "") {
        throw new Error(`snaprace ${args.join(" ")} ended with ${ended.exitCode}: ${ended.stderr}`);
      }
      return JSON.parse(ended.stdout);
    },
    start: (args) => start(args),
  };
}
