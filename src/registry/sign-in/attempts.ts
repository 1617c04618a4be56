/** Counts what must not be tried too often, in the database, so that neither a restart nor a second server forgets. */

import { sql } from "kysely";
import { Problem } from "../../platform/problem.ts";
import type { RegistryDatabase } from "../database.ts";

export type AttemptLimit = { subject: string; max: number; windowMs: number };

/** Counts one attempt; throws a Problem that says when to try again once there were too many. */
export async function countAttempt(db: RegistryDatabase, limit: AttemptLimit): Promise<void> {
  const window = sql<Date>`now() - make_interval(secs => ${limit.windowMs / 1000})`;
  const expired = sql<boolean>`attempts.window_start < ${window}`;
  const { count, window_start } = await db
    .insertInto("attempts")
    .values({ subject: limit.subject, window_start: sql<Date>`now()`, count: 1 })
    .onConflict((conflict) =>
      conflict.column("subject").doUpdateSet({
        count: sql<number>`case when ${expired} then 1 else attempts.count + 1 end`,
        window_start: sql<Date>`case when ${expired} then now() else attempts.window_start end`,
      }),
    )
    .returning(["count", "window_start"])
    .executeTakeFirstOrThrow();
  if (count <= limit.max) return;
  const retryInMs = Math.max(1000, window_start.getTime() + limit.windowMs - Date.now());
  const minutes = Math.ceil(retryInMs / 60_000);
  throw new Problem(
    "too-many",
    "sign-in.too-many-attempts",
    `These were too many attempts. Try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`,
    { retryInMs },
  );
}

/** For what turned out right: only what is wrong uses an address up, behind which may be a whole race. */
export async function takeBackAttempt(db: RegistryDatabase, subject: string): Promise<void> {
  await db
    .updateTable("attempts")
    .set({ count: sql<number>`greatest(count - 1, 0)` })
    .where("subject", "=", subject)
    .execute();
}
