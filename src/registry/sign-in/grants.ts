/** What a person may act for, by their verified e-mail address. */

import type { RegistryDatabase } from "../database.ts";

/**
 * Anybody can register photographers under somebody else's address, and all of them travel in that person's cookie,
 * which browsers take up to 4 KiB: the oldest stay.
 */
const MOST_PHOTOGRAPHERS = 20;

export type Grants = { operator: boolean; organizations: string[]; photographers: string[] };

export async function readGrants(db: RegistryDatabase, operators: string[], email: string): Promise<Grants> {
  const [organizations, photographers] = await Promise.all([
    db.selectFrom("organizer_members").select("organizer_id").where("email", "=", email).execute(),
    db
      .selectFrom("photographers")
      .select("photographer_id")
      .where("email", "=", email)
      .where("active", "=", true)
      .orderBy("created_at")
      .orderBy("photographer_id")
      .limit(MOST_PHOTOGRAPHERS)
      .execute(),
  ]);
  return {
    operator: operators.includes(email),
    organizations: organizations.map((row) => row.organizer_id),
    photographers: photographers.map((row) => row.photographer_id),
  };
}
