/** Entry's code as the simulation runs it: as it is, or from a copy in which a few lines are changed. */

import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** `from` must be there exactly once, so that a change of the code that passes it by is noticed. */
export type Replacement = { file: string; from: string; to: string };

export type EntryModule = Awaited<ReturnType<typeof loadEntry>>;

/** @param folder one that has `src/entry` in it. */
export async function loadEntry(folder: string = ROOT) {
  const load = (file: string) => import(pathToFileURL(join(folder, "src/entry", file)).href);
  return {
    ...((await load("participate.ts")) as typeof import("../../src/entry/participate.ts")),
    createEntry: ((await load("index.ts")) as typeof import("../../src/entry/index.ts")).createEntry,
    ...((await load("worker.ts")) as typeof import("../../src/entry/worker.ts")),
    ...((await load("cancel.ts")) as typeof import("../../src/entry/cancel.ts")),
    ...((await load("config.ts")) as typeof import("../../src/entry/config.ts")),
    ...((await load("follow-registry.ts")) as typeof import("../../src/entry/follow-registry.ts")),
    ...((await load("summary.ts")) as typeof import("../../src/entry/summary.ts")),
    ...((await load("fairness.ts")) as typeof import("../../src/entry/fairness.ts")),
    ...((await load("guard.ts")) as typeof import("../../src/entry/guard.ts")),
    ...((await load("control.ts")) as typeof import("../../src/entry/control.ts")),
    ...((await load("schedule.ts")) as typeof import("../../src/entry/schedule.ts")),
    ...((await load("requests.ts")) as typeof import("../../src/entry/requests.ts")),
  };
}

/** Answers the copy's folder. What is not copied is the same code and not only the same text: errors keep their classes. */
export function copyEntry(replacements: Replacement[]): string {
  const folder = mkdtempSync(join(tmpdir(), "snaprace-simulation-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(ROOT, "src/entry"), join(folder, "src/entry"), { recursive: true });
  for (const shared of ["node_modules", "package.json", "src/platform", "src/registry"]) {
    symlinkSync(join(ROOT, shared), join(folder, shared));
  }
  for (const { file, from, to } of replacements) {
    const path = join(folder, "src/entry", file);
    const text = readFileSync(path, "utf8");
    const parts = text.split(from);
    if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times, not once: ${from}`);
    writeFileSync(path, parts.join(to));
  }
  return folder;
}

/** Limits so low that a dozen people fill them: the same code, with its chunks and pages in use. */
export const SMALL_LIMITS: Replacement[] = [
  { file: "tickets.ts", from: "MOST_AT_ONCE = 49;", to: "MOST_AT_ONCE = 3;" },
  { file: "line-up.ts", from: "GROUPS_UNDER_WAY = 3;", to: "GROUPS_UNDER_WAY = 1;" },
  { file: "line-up.ts", from: "MOST_IN_GROUP = 10 * MOST_AT_ONCE;", to: "MOST_IN_GROUP = 5;" },
  { file: "line.ts", from: "BLOCKS_AT_ONCE = 20;", to: "BLOCKS_AT_ONCE = 2;" },
  { file: "settle.ts", from: "MOST_VOIDED_AT_ONCE = 99;", to: "MOST_VOIDED_AT_ONCE = 3;" },
  { file: "outgoing.ts", from: "AT_ONCE = 25;", to: "AT_ONCE = 2;" },
  { file: "lottery.ts", from: "WRITES_AT_ONCE = 90;", to: "WRITES_AT_ONCE = 2;" },
  { file: "follow-registry.ts", from: "DELETES_AT_ONCE = 99;", to: "DELETES_AT_ONCE = 4;" },
  { file: "requests.ts", from: "limit: 500,", to: "limit: 3," },
];
