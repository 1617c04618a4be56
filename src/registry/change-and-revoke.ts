/** Changes that take a right away: what tokens say of it is void with the change, not a moment later. */

import type { Transaction } from "kysely";
import { LONGEST_TOKEN_DAYS } from "../platform/access-tokens.ts";
import type { Registry } from "./registry.ts";
import type { RegistrySchema } from "./schema.ts";

const LONGEST_TOKEN_MS = LONGEST_TOKEN_DAYS * 86_400_000;

/**
 * Revoked in the transaction, so that a crash can't leave the right in a token; and once more after it, since until the
 * commit a token could still be made from what was true before.
 */
export async function changeAndRevoke<T>(
  { db, revocations }: Registry,
  change: (transaction: Transaction<RegistrySchema>, revoke: (subject: string) => Promise<void>) => Promise<T>,
): Promise<T> {
  const subjects: string[] = [];
  const result = await db.transaction().execute((transaction) =>
    change(transaction, async (subject) => {
      subjects.push(subject);
      await revocations.revoke(subject, LONGEST_TOKEN_MS, transaction);
    }),
  );
  for (const subject of subjects) await revocations.revoke(subject, LONGEST_TOKEN_MS);
  return result;
}
