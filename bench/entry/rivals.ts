/** What SnapRace is measured against in the same run: the floor, and the PostgreSQL way. */

import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startPostgres } from "../../tests/harness/postgres.ts";

const FLOOR = fileURLToPath(new URL("./floor-server.ts", import.meta.url));
const POSTGRES_WAY = fileURLToPath(new URL("./postgres-way-server.ts", import.meta.url));
/** Enough for all that the runs store; fsync and synchronous_commit are on, as PostgreSQL has them. */
const DURABLE = ["shared_buffers=512MB", "max_wal_size=4GB"];
/** The driver's own default. On two cores 4 to 20 were alike, since the lock lets in one at a time. */
const POOL = "10";

export type Rival = {
  port: number;
  createEvent(eventId: string, capacity: number): Promise<void>;
  close(): Promise<void>;
};

export async function openFloor(): Promise<Rival> {
  const folder = await mkdtemp(join(tmpdir(), "snaprace-bench-floor-"));
  const { port, end } = await startRival(FLOOR, [join(folder, "requests")]);
  return {
    port,
    createEvent: async () => {},
    close: async () => {
      await end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** `plain` locks the capacity for everybody; `lookFirst` no longer does once the places are gone. */
export async function openPostgresWays(): Promise<{ plain: Rival; lookFirst: Rival; close(): Promise<void> }> {
  const postgres = await startPostgres(DURABLE);
  const plain = await startPostgresWay([postgres.url, POOL]);
  const lookFirst = await startPostgresWay([postgres.url, POOL, "look-first"]);
  return {
    plain,
    lookFirst,
    close: async () => {
      await Promise.all([plain.close(), lookFirst.close()]);
      await postgres.stop();
    },
  };
}

async function startPostgresWay(args: string[]): Promise<Rival> {
  const { port, child, end } = await startRival(POSTGRES_WAY, args);
  return {
    port,
    createEvent: async (eventId, capacity) => {
      const made = once(child, "message");
      child.send({ eventId, capacity });
      await made;
    },
    close: end,
  };
}

async function startRival(script: string, args: string[]) {
  const child = fork(script, args);
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  const end = async () => {
    const ended = once(child, "exit");
    child.disconnect();
    await ended;
  };
  return { port, child, end };
}
