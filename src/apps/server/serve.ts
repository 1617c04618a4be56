/** Serves the program on a port until told to stop. */

import { setFlagsFromString } from "node:v8";
import type { Letter } from "../../platform/ports.ts";
import { type Config, localUrl } from "../config.ts";
import { exitWith } from "../exit.ts";
import { createLog } from "../log.ts";
import { hasInboxPage, openProgram, type Program } from "../program.ts";
import { writeAddress } from "./address.ts";
import { drain, listen } from "./listen.ts";
import { stopOnSignal } from "./stop-on-signal.ts";

const GRACE_MS = 10_000;

/** What the person who started it is told. */
export type Tell = { ready(url: string): void; letter(line: string): void };

const onStdout: Tell = {
  ready: (url) => void process.stdout.write(`SnapRace is ready at ${url}\n`),
  letter: (line) => void process.stdout.write(`${line}\n`),
};

export async function serve(config: Config, tell: Tell = onStdout): Promise<void> {
  // On a machine with much memory V8 lets garbage grow to several times what lives; see docs/decisions.md.
  setFlagsFromString("--heap-growing-percent=30");
  const log = createLog({ level: config.logLevel });
  process.on("uncaughtException", (error) => exitWith(error, log));

  const program = await openProgram(config, log, (letter) => tell.letter(lineAbout(letter, config)));
  const { server, models } = await begin(program, config).catch(async (error) => {
    await program.close();
    throw error;
  });
  if (models) log.info({ models }, "models for photos");
  if (config.workers) program.startWorkers();
  if (config.engines === "embedded") writeAddress(config.dataFolder, localUrl(config.host, config.port));
  stopOnSignal(async () => {
    program.entry.endLive();
    await drain(server, GRACE_MS);
    await program.close();
  }, log);
  tell.ready(config.publicUrl);
}

/** The models are read and checked now, so that it is not the first photo that finds one missing. */
async function begin(program: Program, config: Config) {
  const models = program.opened.embedded?.recognition.models();
  return { models, server: await listen(program.app, config, program.shortWay) };
}

/** For the person who started this, since the letter goes nowhere else. */
function lineAbout(letter: Letter, config: Config): string {
  const code = /\b\d{6}\b/.exec(letter.text)?.[0];
  const what = code ? `sign-in code ${code}` : `"${letter.subject}"`;
  const where = hasInboxPage(config) ? ` (see ${config.publicUrl}/inbox)` : "";
  return `Mail for ${letter.to}: ${what}${where}`;
}
