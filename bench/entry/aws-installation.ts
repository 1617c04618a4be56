/** SnapRace as it runs on AWS, on local doubles: an API without workers, and workers in processes of their own. */

import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { startDeployment } from "../../tests/harness/deployment.ts";
import { findFreePort } from "../../tests/harness/free-port.ts";
import { startPostgres } from "../../tests/harness/postgres.ts";
import { startServer } from "../../tests/harness/server.ts";
import { QUIET, showComplaints } from "./installation.ts";
import { openOrganizer } from "./organizer.ts";
import type { Subject } from "./scene.ts";

const WORKER = fileURLToPath(new URL("../../src/apps/server/worker.ts", import.meta.url));

export type AwsInstallation = Subject & {
  /** Kills one of the workers, each in its turn, and starts another in its place. */
  killAndRestartWorker(): Promise<void>;
  close(): Promise<void>;
};

export async function openAwsInstallation(workers: number): Promise<AwsInstallation> {
  const doubles = await startDoubles();
  const secret = randomBytes(32);
  const environment = {
    ...QUIET,
    ...doubles.environment,
    SNAPRACE_ENGINES: "aws",
    SNAPRACE_SECRET: secret.toString("hex"),
  };
  const port = await findFreePort();
  const api = { ...environment, SNAPRACE_WORKERS: "off", PORT: String(port), dataFolder: tmpdir() };
  const server = await startServer(api);
  let said = "";
  const start = () =>
    startWorker(environment, (text) => {
      said += text;
    });
  const running = await Promise.all(Array.from({ length: workers }, start));
  return {
    port,
    secret: secret.toString("hex"),
    organizer: await openOrganizer(server.url, secret),
    killAndRestartWorker: async () => {
      await end(running.shift(), "SIGKILL");
      running.push(await start());
    },
    close: async () => {
      await Promise.all(running.map((worker) => end(worker, "SIGTERM")));
      const { stdout, stderr } = await server.stop();
      showComplaints(`${stdout}${stderr}${said}`);
      await doubles.stop();
    },
  };
}

/** The registry's PostgreSQL is a real one. */
async function startDoubles() {
  const [deployment, postgres] = await Promise.all([startDeployment(), startPostgres()]);
  const environment = { ...deployment.environment, DATABASE_URL: await postgres.createDatabase() };
  const stop = () => Promise.all([deployment.stop(), postgres.stop()]);
  return { environment, stop };
}

/** Resolves when it has begun to work. */
async function startWorker(
  environment: { [name: string]: string },
  onComplaint: (text: string) => void,
): Promise<ChildProcess> {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [WORKER], {
    env: { PATH, HOME, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stderr.on("data", (chunk) => onComplaint(String(chunk)));
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
  const gone = once(child, "exit").then(([code]) => {
    throw new Error(`A worker ended with ${code} before it began.`);
  });
  await Promise.race([once(child.stdout, "data"), gone]);
  return child;
}

async function end(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}
