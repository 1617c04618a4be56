/** Forgets, once an hour, what has expired and nobody will ask for again. */

import type { Clock } from "../../platform/ports.ts";
import type { RegistryDatabase } from "../database.ts";

const EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;

export function startHousekeeping(
  db: RegistryDatabase,
  clock: Clock,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const loop = async () => {
    while (!stopping.signal.aborted) {
      await forgetExpired(db, clock.now()).catch(onError);
      await clock.sleep(EVERY_MS, stopping.signal);
    }
  };
  const running = loop();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

export async function forgetExpired(db: RegistryDatabase, nowMs: number): Promise<void> {
  const now = new Date(nowMs);
  await db.deleteFrom("verifications").where("expires_at", "<", now).execute();
  await db.deleteFrom("sessions").where("expires_at", "<", now).execute();
  await db.deleteFrom("script_tokens").where("expires_at", "<", now).execute();
  await db.deleteFrom("revocations").where("forget_at", "<", now).execute();
  await db
    .deleteFrom("attempts")
    .where("window_start", "<", new Date(nowMs - DAY_MS))
    .execute();
}
