/** The installation on this machine: the server that runs on its data folder, or the program opened in this process. */

import { existsSync } from "node:fs";
import path from "node:path";
import { Problem } from "../../platform/problem.ts";
import type { Config } from "../config.ts";
import type { Program } from "../program.ts";
import { readAddress } from "../server/address.ts";
import { checkAnswer } from "./answer.ts";
import { closeAtEnd } from "./ending.ts";

const HEALTH_PATIENCE_MS = 3000;
/** Nobody else calls it, so that there is nobody to protect. */
const NO_RATE_LIMIT = 1_000_000;

export type Installation = { program: Program; send(request: Request): Promise<Response>; close(): Promise<void> };

/** With `alive`, only if the process that said where it is can be seen; one in a container may not be. */
export async function findServer({ engines, dataFolder }: Config, { alive = false } = {}): Promise<string | undefined> {
  const address = engines === "embedded" ? readAddress(dataFolder) : undefined;
  if (!address || (alive && !isAlive(address.pid))) return undefined;
  try {
    const answer = await fetch(`${address.url}/healthz`, { signal: AbortSignal.timeout(HEALTH_PATIENCE_MS) });
    await answer.body?.cancel();
    return answer.ok ? address.url : undefined;
  } catch {
    return undefined;
  }
}

/** Making a database takes seconds, opening one does not. */
export function isFirstStart({ engines, databaseUrl, dataFolder }: Config): boolean {
  return engines === "embedded" && !databaseUrl && !existsSync(path.join(dataFolder, "registry"));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Loaded only here, since `--help` and `token` need none of it. */
export async function openInstallation(config: Config): Promise<Installation> {
  const [{ openProgram }, { createLog }] = await Promise.all([import("../program.ts"), import("../log.ts")]);
  const said: string[] = [];
  const log = createLog({ level: "error", to: { write: (line) => void said.push(line) } });
  const opening = openProgram({ ...config, rateLimit: NO_RATE_LIMIT }, log);
  const close = closeAtEnd(async () => {
    const program = await opening.catch(() => undefined);
    await program?.close();
  });
  const program = await opening.catch(async (error) => {
    await close();
    throw error;
  });
  const send = async (request: Request) => {
    const answer = await program.app.fetch(request);
    return checkAnswer(answer, "SnapRace").catch((error) => {
      throw error.code === "internal.error" ? defect(said) : error;
    });
  };
  return { program, send, close };
}

/** A server leaves a defect's inside in its log; here the person at the terminal is the only one to see it. */
function defect(said: string[]): Problem {
  const sentence = "This is a defect of SnapRace. Report it with all that is printed here.";
  return new Problem("unexpected", "internal.error", sentence, { cause: said.join("") });
}
