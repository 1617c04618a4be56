/** Messages to other contexts: written in the transaction of the change they tell of, then carried to the queue. */

import type { Transaction } from "kysely";
import type { Clock, Queue } from "../platform/ports.ts";
import type { RegistryDatabase } from "./database.ts";
import type { RegistryMessage } from "./events.ts";
import type { RegistrySchema } from "./schema.ts";

const LOOK_EVERY_MS = 5_000;
const BATCH = 100;

export async function announce(transaction: Transaction<RegistrySchema>, messages: RegistryMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const rows = messages.map((message) => ({ body: JSON.stringify(message) }));
  await transaction.insertInto("outbox").values(rows).execute();
}

export type Outbox = {
  /** Carries what waits now; a second carrier may carry the same again, which receivers must bear. */
  carry(): Promise<number>;
  stop(): Promise<void>;
};

export function startOutbox(parts: {
  db: RegistryDatabase;
  queue: Queue;
  clock: Clock;
  onError(error: unknown): void;
}): Outbox {
  const { db, queue, clock, onError } = parts;
  const stopping = new AbortController();
  const carry = async () => {
    const rows = await db.selectFrom("outbox").selectAll().orderBy("message_id").limit(BATCH).execute();
    if (rows.length === 0) return 0;
    await queue.send(rows.map((row) => JSON.stringify(row.body)));
    const carried = rows.map((row) => row.message_id);
    await db.deleteFrom("outbox").where("message_id", "in", carried).execute();
    return rows.length;
  };
  const loop = async () => {
    while (!stopping.signal.aborted) {
      const carried = await carry().catch((error) => {
        onError(error);
        return 0;
      });
      if (carried < BATCH) await clock.sleep(LOOK_EVERY_MS, stopping.signal);
    }
  };
  const running = loop();
  return {
    carry,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
