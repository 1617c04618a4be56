/** A PostgreSQL of its own that keeps what it acknowledges, unlike the tests' one: Debian's binaries, their defaults, a new cluster. */

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findFreePort } from "../../tests/harness/free-port.ts";

const run = promisify(execFile);
const READY_WITHIN_MS = 30_000;
/** Enough for all that the runs store; durability is left as PostgreSQL has it: fsync and synchronous_commit are on. */
const SETTINGS = ["listen_addresses=127.0.0.1", "shared_buffers=512MB", "max_wal_size=4GB"];

export async function startDurablePostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const bin = globSync("/usr/lib/postgresql/*/bin").sort().at(-1);
  if (!bin) throw new Error("There is no PostgreSQL server here. Run: apt-get install -y postgresql");
  const folder = await mkdtemp(join(tmpdir(), "snaprace-bench-postgres-"));
  const { program, options } = await ownerOf(folder);
  const cluster = join(folder, "cluster");
  const initdb = ["-D", cluster, "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C"];
  await run(program, [...options, join(bin, "initdb"), ...initdb], { cwd: folder });
  const port = await findFreePort();
  const settings = [...SETTINGS, `port=${port}`, `unix_socket_directories=${folder}`].flatMap((each) => ["-c", each]);
  const child = spawn(program, [...options, join(bin, "postgres"), "-D", cluster, ...settings], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  await waitUntilReady(child);
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop: async () => {
      const ended = once(child, "exit");
      child.kill("SIGINT");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses to run as root, so root lends it the user Debian made for it; it ends when this process does. */
async function ownerOf(folder: string): Promise<{ program: string; options: string[] }> {
  const ends = { program: "setpriv", options: ["--pdeathsig=INT"] };
  if (process.getuid?.() !== 0) return ends;
  const [uid, gid] = await Promise.all(
    ["-u", "-g"].map(async (id) => (await run("id", [id, "postgres"])).stdout.trim()),
  );
  await chown(folder, Number(uid), Number(gid));
  return { ...ends, options: [`--reuid=${uid}`, `--regid=${gid}`, "--clear-groups", ...ends.options] };
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
