/** What tokens said and no longer holds: written to the database, known in memory, so that verifying reads neither. */

import { sql, type Transaction } from "kysely";
import type { Clock } from "../../platform/ports.ts";
import type { RegistryDatabase } from "../database.ts";
import type { RegistrySchema } from "../schema.ts";

/** How late another server hears of a revocation. */
const READ_EVERY_MS = 10_000;
/** Tokens end on whole seconds, and some are being made while a revocation is being written. */
const REMEMBER_LONGER_MS = 60_000;

export type Revocations = {
  revokedBefore(subject: string): number;
  /**
   * Void from now on, here at once; `lifetimeMs` is how long a token that says otherwise can still live. Within a
   * transaction it is as durable as the change it belongs to; once more after it, for tokens made in between.
   */
  revoke(subject: string, lifetimeMs: number, within?: Transaction<RegistrySchema>): Promise<void>;
  stop(): Promise<void>;
};

export async function watchRevocations(
  db: RegistryDatabase,
  clock: Clock,
  onError: (error: unknown) => void,
): Promise<Revocations> {
  let known = await readRevocations(db, clock.now());
  const stopping = new AbortController();
  const watch = async () => {
    while (!stopping.signal.aborted) {
      await clock.sleep(READ_EVERY_MS, stopping.signal);
      if (stopping.signal.aborted) return;
      const startedAt = clock.now();
      await readRevocations(db, startedAt).then((read) => {
        // What was revoked here while the rows were being read may be missing among them, or older there.
        const isFresh = (subject: string, before: number) =>
          before > startedAt - READ_EVERY_MS && before > (read.get(subject) ?? 0);
        known = new Map([...read, ...[...known].filter((each) => isFresh(...each))]);
      }, onError);
    }
  };
  const watching = watch();
  return {
    revokedBefore: (subject) => known.get(subject) ?? 0,
    revoke: async (subject, lifetimeMs, within) => {
      const now = clock.now();
      await writeRevocation(within ?? db, subject, now, now + lifetimeMs + REMEMBER_LONGER_MS);
      known.set(subject, Math.max(now, known.get(subject) ?? 0));
    },
    stop: async () => {
      stopping.abort();
      await watching;
    },
  };
}

async function readRevocations(db: RegistryDatabase, now: number): Promise<Map<string, number>> {
  const rows = await db.selectFrom("revocations").selectAll().where("forget_at", ">", new Date(now)).execute();
  return new Map(rows.map((row) => [row.subject, row.issued_before.getTime()]));
}

async function writeRevocation(db: RegistryDatabase, subject: string, before: number, forgetAt: number): Promise<void> {
  await db.deleteFrom("revocations").where("forget_at", "<=", new Date(before)).execute();
  await db
    .insertInto("revocations")
    .values({ subject, issued_before: new Date(before), forget_at: new Date(forgetAt) })
    .onConflict((conflict) =>
      conflict.column("subject").doUpdateSet({
        issued_before: sql`greatest(revocations.issued_before, excluded.issued_before)`,
        forget_at: sql`greatest(revocations.forget_at, excluded.forget_at)`,
      }),
    )
    .execute();
}
