/** `snaprace serve`: the server, in this terminal. */

import { type Command, Option } from "commander";
import type { Tell } from "../server/serve.ts";
import { dataOption, describe, print, wholeNumber } from "./command.ts";
import { configOf } from "./target.ts";

type Options = { port?: number; host?: string; data?: string; json?: boolean };

export function addServe(commands: Command): void {
  const serve = describe(commands.command("serve"), "Serve SnapRace until Ctrl-C.", [
    "serve",
    "serve --port 9000 --data ./race-day",
  ])
    .addOption(new Option("--port <n>", "the port (default: PORT, or 8080)").argParser(wholeNumber(1, 65_535)))
    .option("--host <name>", "the address to listen on (default: HOST, or 127.0.0.1)")
    .addOption(dataOption());
  serve.action(async () => {
    const options = serve.opts<Options>();
    const { serve: startServing } = await import("../server/serve.ts");
    const config = configOf(options, {
      ...(options.port !== undefined && { PORT: String(options.port) }),
      ...(options.host !== undefined && { HOST: options.host }),
    });
    await startServing(config, options.json ? forScripts : undefined);
    // Signals end it.
    await new Promise(() => {});
  });
}

const forScripts: Tell = {
  ready: (url) => print({ json: { url }, text: "" }, { json: true }),
  letter: (line) => void process.stderr.write(`${line}\n`),
};
