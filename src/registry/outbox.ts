/** Messages to other contexts: written in the transaction of the change they tell of, then carried to their queues. */

import type { Transaction } from "kysely";
import type { Clock, Queue } from "../platform/ports.ts";
import type { RegistryDatabase } from "./database.ts";
import type { RegistryMessage } from "./events.ts";
import type { RegistrySchema } from "./schema.ts";

/** For what nobody nudged for: a nudge is lost with its process, and another program's never comes here. */
const LOOK_EVERY_MS = 5_000;
const BATCH = 100;

export async function announce(transaction: Transaction<RegistrySchema>, messages: RegistryMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const rows = messages.map((message) => ({ body: JSON.stringify(message) }));
  await transaction.insertInto("outbox").values(rows).execute();
}

export type Receiver = { queue: Queue; types: RegistryMessage["type"][] };

export type Outbox = {
  /** Carries what waits now; a second carrier may carry the same again, which receivers must bear. */
  carry(): Promise<number>;
  /** Call after a commit: what it announced is carried at once, while the caller goes on. */
  carrySoon(): void;
  stop(): Promise<void>;
};

export function startOutbox(parts: {
  db: RegistryDatabase;
  receivers: Receiver[];
  clock: Clock;
  onError(error: unknown): void;
}): Outbox {
  const { clock, onError } = parts;
  let wake = new AbortController();
  let isStopping = false;
  const loop = async () => {
    while (!isStopping) {
      // Before it looks, so that a nudge while it carries makes it look once more.
      wake = new AbortController();
      const carried = await carryBatch(parts).catch((error) => {
        onError(error);
        return 0;
      });
      if (carried < BATCH && !isStopping) await clock.sleep(LOOK_EVERY_MS, wake.signal);
    }
  };
  const running = loop();
  return {
    carry: () => carryBatch(parts),
    carrySoon: () => wake.abort(),
    stop: async () => {
      isStopping = true;
      wake.abort();
      await running;
    },
  };
}

async function carryBatch({ db, receivers }: { db: RegistryDatabase; receivers: Receiver[] }): Promise<number> {
  const rows = await db.selectFrom("outbox").selectAll().orderBy("message_id").limit(BATCH).execute();
  if (rows.length === 0) return 0;
  // Forgotten only when every receiver has it: else all of it goes out once more.
  for (const { queue, types } of receivers) {
    const wanted = rows.filter(({ body }) => types.includes(body.type));
    await queue.send(wanted.map(({ body }) => JSON.stringify(body)));
  }
  const carried = rows.map((row) => row.message_id);
  await db.deleteFrom("outbox").where("message_id", "in", carried).execute();
  return rows.length;
}
