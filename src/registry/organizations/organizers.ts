/** Who may act for an organization: people by their e-mail address, from their next sign-in or within minutes. */

import { z } from "zod";
import { revokedSubjects } from "../../platform/access-tokens.ts";
import { encodeCursor } from "../../platform/cursor.ts";
import { cutPage, type PageRequest, readCursor } from "../../platform/http/paging.ts";
import type { Page } from "../../platform/ports.ts";
import { Problem } from "../../platform/problem.ts";
import { changeAndRevoke } from "../change-and-revoke.ts";
import type { Registry } from "../registry.ts";
import { checkCanJoin, noOrganization } from "./organizations.ts";

export const Organizer = z.object({ email: z.string(), addedAt: z.string() }).meta({ id: "Organizer" });
export type Organizer = z.infer<typeof Organizer>;

export async function listOrganizers({ db }: Registry, orgId: string, page: PageRequest): Promise<Page<Organizer>> {
  let query = db
    .selectFrom("organizer_members")
    .select(["email", "added_at"])
    .where("organizer_id", "=", orgId)
    .orderBy("email")
    .limit(page.limit + 1);
  if (page.cursor) query = query.where("email", ">", readCursor(page.cursor, ["email"]).email);
  const show = (row: { email: string; added_at: Date }) => ({
    email: row.email,
    addedAt: row.added_at.toISOString(),
  });
  return cutPage(await query.execute(), page.limit, show, (row) => encodeCursor({ email: row.email }));
}

/** Adding somebody twice changes nothing. */
export async function addOrganizer({ db }: Registry, orgId: string, email: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const organization = await transaction
      .selectFrom("organizers")
      .select("organizer_id")
      .where("organizer_id", "=", orgId)
      .forKeyShare()
      .executeTakeFirst();
    if (!organization) throw noOrganization(orgId);
    const member = await transaction
      .selectFrom("organizer_members")
      .select("email")
      .where("organizer_id", "=", orgId)
      .where("email", "=", email)
      .executeTakeFirst();
    if (member) return;
    await checkCanJoin(transaction, email);
    await transaction
      .insertInto("organizer_members")
      .values({ organizer_id: orgId, email })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

/** What they hold of tokens stops acting for the organization at once; the last organizer stays. */
export async function removeOrganizer(registry: Registry, orgId: string, email: string): Promise<void> {
  await changeAndRevoke(registry, async (transaction, revoke) => {
    const members = await transaction
      .selectFrom("organizer_members")
      .select("email")
      .where("organizer_id", "=", orgId)
      .forUpdate()
      .execute();
    if (!members.some((member) => member.email === email)) throw noOrganizer(email);
    if (members.length === 1) throw lastOrganizer();
    await transaction
      .deleteFrom("organizer_members")
      .where("organizer_id", "=", orgId)
      .where("email", "=", email)
      .execute();
    const user = await transaction.selectFrom("users").select("id").where("email", "=", email).executeTakeFirst();
    if (user) await revoke(revokedSubjects.organizer(orgId, user.id));
  });
}

function noOrganizer(email: string): Problem {
  return new Problem("missing", "organizer.not-found", `${email} is no organizer of this organization.`);
}

function lastOrganizer(): Problem {
  return new Problem(
    "conflict",
    "organizer.last",
    "This is the last organizer. Add another first, or remove the organization.",
  );
}
