/** What every command has in common: its help, the options that say which installation, and how its result is printed. */

import { type Command, InvalidArgumentError, Option } from "commander";
import type { z } from "zod";
import { Problem } from "../../platform/problem.ts";
import { type Connection, openConnection } from "./connection.ts";
import { endOnSignals } from "./ending.ts";
import type { Target } from "./target.ts";

/** `json` is for scripts; `text`, without a line break at its end, for people. */
export type Result = { json: unknown; text: string };

export type Call<Args, Options> = {
  api: Connection;
  args: Args;
  options: Options & { json?: boolean };
  command: Command;
};

/** Examples leave out the command's name. */
export function describe(command: Command, description: string, examples: string[]): Command {
  const lines = examples.map((example) => `  $ snaprace ${example}`);
  return command
    .description(description)
    .option("--json", "print one JSON document for scripts")
    .addHelpText("after", `\n${examples.length === 1 ? "Example" : "Examples"}:\n${lines.join("\n")}`);
}

export function dataOption(): Option {
  return new Option("--data <folder>", "the data folder (default: SNAPRACE_DATA, or .snaprace)");
}

/** Makes the command a client of the API. */
export function onApi<Args extends unknown[], Options>(
  command: Command,
  run: (call: Call<Args, Options>) => Promise<Result | undefined>,
): void {
  command
    .addOption(dataOption())
    .addOption(
      new Option("--server <url>", "a server elsewhere, with SNAPRACE_TOKEN (default: SNAPRACE_URL)").conflicts("data"),
    )
    .action(async () => {
      endOnSignals();
      const options = command.opts<Options & Target & { json?: boolean }>();
      const api = await openConnection(options, (line) => void (options.json || process.stderr.write(`${line}\n`)));
      const result = await run({ api, args: command.processedArgs as Args, options, command }).finally(api.close);
      if (result) print(result, options);
    });
}

export function print({ json, text }: Result, options: { json?: boolean }): void {
  process.stdout.write(`${options.json ? JSON.stringify(json, undefined, 2) : text}\n`);
}

/** For what comes from the command line and goes into a path. */
export function parsedBy(schema: z.ZodType<string>): (text: string) => string {
  return (text) => {
    const parsed = schema.safeParse(text);
    if (parsed.success) return parsed.data;
    throw new InvalidArgumentError(parsed.error.issues[0]?.message ?? "");
  };
}

export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
    throw new InvalidArgumentError(`Give a whole number ${range}.`);
  };
}

export function limitOption(): Option {
  return new Option("--limit <n>", "only the first n").argParser(wholeNumber(1));
}

export function yesOption(): Option {
  return new Option("--yes", "really do it; without it, the command only says what would be removed");
}

/** What can't be undone happens only with --yes. */
export function checkMeant(options: { yes?: boolean }, whatWouldGo: string): void {
  if (options.yes) return;
  const sentence = `This would remove ${whatWouldGo}, and can't be undone. Add --yes if you mean it.`;
  throw new Problem("invalid", "remove.not-confirmed", sentence);
}
