/** `snaprace export` and `snaprace import`: all of an installation, moved to another one. */

import { existsSync } from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import { Problem } from "../../platform/problem.ts";
import type { Manifest, Progress as Step } from "../transfer/bundle.ts";
import { dataOption, describe, print, type Result } from "./command.ts";
import { endOnSignals } from "./ending.ts";
import { type Installation, openInstallation } from "./installation.ts";
import { createProgress } from "./progress.ts";
import { configOf } from "./target.ts";
import { counted } from "./wording.ts";

type Options = { data?: string; json?: boolean };
type OnProgress = (step: Step) => void;

export function addTransfer(commands: Command): void {
  addExport(commands);
  addImport(commands);
}

function addExport(commands: Command): void {
  const write = describe(
    commands.command("export"),
    "Write all that the data folder holds into a new folder, to be imported elsewhere. The server must be stopped.",
    ["export ./moving", "export ./moving --data ./race-day"],
  );
  write
    .argument("<folder>", "a folder that is new or empty")
    .addOption(dataOption())
    .option("--force", "leave executions behind that have not finished");
  write.action(async (folder: string, options: Options & { force?: boolean }) => {
    checkThere(options);
    await onInstallation(options, async ({ program }, onProgress) => {
      const { exportData } = await import("../transfer/export-data.ts");
      const engines = program.opened.embedded;
      if (!engines) throw onlyOneMachine();
      const registry = await program.registry.openRows();
      const { force = false } = options;
      const manifest = await exportData({ engines, registry, folder: path.resolve(folder), force, onProgress });
      return { json: manifest, text: `Exported ${summaryOf(manifest)} to ${folder}.` };
    });
  });
}

function addImport(commands: Command): void {
  const read = describe(
    commands.command("import"),
    "Bring an exported folder into an installation that is empty, on one machine or on AWS (SNAPRACE_ENGINES=aws).",
    ["import ./moving --data ./race-day", "SNAPRACE_ENGINES=aws snaprace import ./moving"],
  );
  read.argument("<folder>", "what `snaprace export` wrote").addOption(dataOption());
  read.action(async (folder: string, options: Options) => {
    await onInstallation(options, async ({ program }, onProgress) => {
      const { importData } = await import("../transfer/import-data.ts");
      const { engines } = program.opened;
      const registry = await program.registry.openRows();
      const done = await importData({ engines, registry, folder: path.resolve(folder), onProgress });
      const before = `${folder} had been imported before; nothing was changed.`;
      const text = done.wasImported ? before : `Imported ${summaryOf(done.manifest)} from ${folder}.`;
      return { json: done, text };
    });
  });
}

async function onInstallation(
  options: Options,
  work: (installation: Installation, onProgress: OnProgress) => Promise<Result>,
): Promise<void> {
  endOnSignals();
  const progress = createProgress({ silent: options.json === true, stream: process.stderr });
  const installation = await openInstallation(configOf(options));
  const onProgress = ({ part, name, done, total: all }: Step) => progress.show(`${part} ${name}`, done, all);
  const result = await work(installation, onProgress).finally(async () => {
    progress.end();
    await installation.close();
  });
  print(result, options);
}

function summaryOf({ registry, items, blobs, messages }: Manifest): string {
  const parts = [
    counted(total(registry), "row"),
    counted(total(items), "item"),
    counted(total(blobs), "blob"),
    counted(total(messages), "message"),
  ];
  return parts.join(", ");
}

function total(listed: { count: number }[]): number {
  return listed.reduce((sum, { count }) => sum + count, 0);
}

/** Opening would make the folder, and an export of nothing is not what anybody wants. */
function checkThere(options: Options): void {
  const { engines, dataFolder } = configOf(options);
  if (engines === "aws") throw onlyOneMachine();
  if (existsSync(dataFolder)) return;
  throw new Problem("missing", "data.not-found", `There is no data folder ${dataFolder}. Name it with --data.`);
}

function onlyOneMachine(): Problem {
  return new Problem("invalid", "export.not-here", "Only a data folder can be exported, not what is on AWS.");
}
