/** SnapRace as people run it: the real server in a process of its own on a fresh data folder, killed and started again at will. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSecret } from "../../src/platform/embedded/data-folder.ts";
import { findFreePort } from "../../tests/harness/free-port.ts";
import { startServer } from "../../tests/harness/server.ts";
import { type Organizer, openOrganizer } from "./organizer.ts";
import { progress } from "./report.ts";
import { startFlags } from "./start-flags.ts";

/** As with `npm start`, but for the log and for how often one caller may ask. */
export const QUIET = { ...startFlags(), LOG_LEVEL: "warn", SNAPRACE_RATE_LIMIT: "1000000" };

export type Installation = {
  port: number;
  /** Hex. */
  secret: string;
  organizer: Organizer;
  pid(): number;
  /** As `kill -9` would; resolves when it is up again. */
  killAndRestart(): Promise<void>;
  close(): Promise<void>;
};

export async function openInstallation(): Promise<Installation> {
  const dataFolder = await mkdtemp(join(tmpdir(), "snaprace-bench-entry-"));
  const port = await findFreePort();
  const settings = { dataFolder, ...QUIET, PORT: String(port) };
  let server = await startServer(settings);
  const secret = readSecret(dataFolder);
  return {
    port,
    secret: secret.toString("hex"),
    organizer: await openOrganizer(server.url, secret),
    pid: () => server.pid,
    killAndRestart: async () => {
      const { stdout, stderr } = await server.stop("SIGKILL");
      showComplaints(`${stdout}${stderr}`);
      server = await startServer(settings);
    },
    close: async () => {
      const { stdout, stderr } = await server.stop();
      showComplaints(`${stdout}${stderr}`);
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

/** What its processes printed, but for the first words; at this level one that is well has nothing to say. */
export function showComplaints(printed: string): void {
  const lines = printed.split("\n").filter((line) => line !== "" && !line.startsWith("SnapRace is ready"));
  for (const line of lines.slice(0, 5)) progress(`the server said: ${line}`);
  if (lines.length > 5) progress(`and ${lines.length - 5} lines more`);
}
