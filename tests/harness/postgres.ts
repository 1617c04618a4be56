/** A PostgreSQL server of its own for a test: Debian's binaries, a new cluster in a temporary folder, a free port. */

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findFreePort } from "./free-port.ts";

const run = promisify(execFile);
const READY_WITHIN_MS = 30_000;

export type Postgres = {
  url: string;
  /** A new, empty one; answers its URL. */
  createDatabase(): Promise<string>;
  stop(): Promise<void>;
};

/** Durability is what a throw-away cluster does not need. */
const THROW_AWAY = ["fsync=off"];

export async function startPostgres(settings = THROW_AWAY): Promise<Postgres> {
  const bin = findBinaries();
  const owner = await findOwner();
  const folder = await mkdtemp(join(tmpdir(), "snaprace-postgres-"));
  if (owner) await chown(folder, owner.uid, owner.gid);
  const initdb = ownedCommand(owner, [join(bin, "initdb"), ...initdbOptions(folder)]);
  await run(initdb.program, initdb.args, { cwd: folder });

  const port = await findFreePort();
  const postgres = ownedCommand(owner, [join(bin, "postgres"), ...serverOptions(folder, port, settings)]);
  const child = spawn(postgres.program, postgres.args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  await waitUntilReady(child);
  const server = `postgres://postgres@127.0.0.1:${port}`;
  return {
    url: `${server}/postgres`,
    createDatabase: async () => {
      const name = `test_${randomBytes(6).toString("hex")}`;
      await run(join(bin, "createdb"), ["-h", "127.0.0.1", "-p", String(port), "-U", "postgres", name]);
      return `${server}/${name}`;
    },
    stop: async () => {
      const ended = once(child, "exit");
      // SIGINT is PostgreSQL's fast shutdown: it does not wait for clients to leave.
      child.kill("SIGINT");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function findBinaries(): string {
  const versions = "/usr/lib/postgresql";
  const names = existsSync(versions) ? readdirSync(versions).sort((a, b) => Number(b) - Number(a)) : [];
  const bin = names.map((name) => join(versions, name, "bin")).find((folder) => existsSync(join(folder, "initdb")));
  if (!bin) throw new Error("There is no PostgreSQL server here. Run: apt-get install -y postgresql");
  return bin;
}

type Owner = { uid: number; gid: number };

/** PostgreSQL refuses to run as root, so root lends it the user Debian made for it. */
async function findOwner(): Promise<Owner | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = await Promise.all([run("id", ["-u", "postgres"]), run("id", ["-g", "postgres"])]);
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

/** `--pdeathsig` ends the server with the test process, however that one dies. */
function ownedCommand(owner: Owner | undefined, command: string[]): { program: string; args: string[] } {
  const identity = owner ? [`--reuid=${owner.uid}`, `--regid=${owner.gid}`, "--clear-groups"] : [];
  return { program: "setpriv", args: [...identity, "--pdeathsig=INT", ...command] };
}

function initdbOptions(folder: string): string[] {
  return [
    `--pgdata=${folder}/cluster`,
    "--username=postgres",
    "--auth=trust",
    "--no-sync",
    "--encoding=UTF8",
    "--locale=C",
  ];
}

function serverOptions(folder: string, port: number, settings: string[]): string[] {
  const all = [`port=${port}`, "listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`, ...settings];
  return ["-D", `${folder}/cluster`, ...all.flatMap((setting) => ["-c", setting])];
}

async function waitUntilReady(child: ChildProcess): Promise<void> {
  let printed = "";
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const late = setTimeout(() => reject(new Error(`PostgreSQL was not ready in time:\n${printed}`)), READY_WITHIN_MS);
  child.stderr?.on("data", (chunk) => {
    printed += chunk;
    if (printed.includes("database system is ready to accept connections")) resolve();
  });
  child.once("exit", (code) => reject(new Error(`PostgreSQL ended with ${code}:\n${printed}`)));
  await promise.finally(() => clearTimeout(late));
}
