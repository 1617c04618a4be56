/** Organizations: making, showing, changing and removing them. */

import type { Selectable, Transaction } from "kysely";
import { z } from "zod";
import { revokedSubjects } from "../../platform/access-tokens.ts";
import type { Actor } from "../../platform/actor.ts";
import { encodeCursor } from "../../platform/cursor.ts";
import { cutPage, type PageRequest, readCursor } from "../../platform/http/paging.ts";
import { OrganizationId } from "../../platform/ids.ts";
import type { Clock, Page } from "../../platform/ports.ts";
import { Problem } from "../../platform/problem.ts";
import { changeAndRevoke } from "../change-and-revoke.ts";
import { announceEventsChanged } from "../events/changed.ts";
import { announceEventsRemoved } from "../events/remove.ts";
import { newId } from "../new-id.ts";
import type { Registry } from "../registry.ts";
import type { RegistrySchema } from "../schema.ts";
import { Branding, Email, line, Subdomain } from "../settings.ts";
import { refuseDuplicate } from "../violations.ts";
import { withoutUndefined } from "../without-undefined.ts";

/** What a person may act for is in each of their tokens, which must stay small enough for a header. */
const MOST_ORGANIZATIONS = 10;

export const Organization = z
  .object({
    orgId: OrganizationId,
    name: z.string(),
    subdomain: Subdomain,
    active: z.boolean().meta({ description: "The pages show nothing of an organization that is not." }),
    branding: Branding,
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: "Organization" });
export type Organization = z.infer<typeof Organization>;

export const NewOrganization = z.strictObject({
  orgId: OrganizationId.optional().meta({ description: "Made from the name if you give none." }),
  name: line(200).meta({ example: "Han River Runners" }),
  subdomain: Subdomain.optional(),
  branding: Branding.default({}),
  organizers: z.array(Email).max(20).optional().meta({ description: "Beside yourself: who else may act for it." }),
});

export const OrganizationChange = z.strictObject({
  name: line(200).optional(),
  subdomain: Subdomain.optional(),
  branding: Branding.optional(),
  active: z.boolean().optional().meta({ description: "For operators only." }),
});

type Row = Selectable<RegistrySchema["organizers"]>;

export async function createOrganization(
  { db }: Registry,
  actor: Actor,
  input: z.infer<typeof NewOrganization>,
): Promise<Organization> {
  const organizers = [...new Set([...(actor.email ? [actor.email] : []), ...(input.organizers ?? [])])];
  if (!actor.operator && !actor.email) {
    throw new Problem(
      "forbidden",
      "organization.needs-email",
      "This token has no e-mail address. Sign in by e-mail to make an organization, or let an operator make it.",
    );
  }
  const orgId = input.orgId ?? newId("organization", input.name);
  const subdomain = input.subdomain ?? Subdomain.safeParse(orgId).data ?? newId("race", "");
  return db.transaction().execute(async (transaction) => {
    for (const email of organizers) await checkCanJoin(transaction, email);
    const row = await transaction
      .insertInto("organizers")
      .values({ organizer_id: orgId, name: input.name, subdomain, branding: JSON.stringify(input.branding) })
      .returningAll()
      .executeTakeFirstOrThrow()
      .catch(refuseTaken(orgId, subdomain));
    const members = organizers.map((email) => ({ organizer_id: orgId, email }));
    if (members.length > 0) await transaction.insertInto("organizer_members").values(members).execute();
    return showOrganization(row);
  });
}

export async function checkCanJoin(db: Pick<Registry["db"], "selectFrom">, email: string): Promise<void> {
  const { count } = await db
    .selectFrom("organizer_members")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("email", "=", email)
    .executeTakeFirstOrThrow();
  if (count < MOST_ORGANIZATIONS) return;
  throw new Problem(
    "conflict",
    "organization.too-many",
    `${email} is an organizer of ${MOST_ORGANIZATIONS} organizations, which is the most there can be.`,
  );
}

export async function readOrganization({ db }: Registry, orgId: string): Promise<Organization> {
  const row = await db.selectFrom("organizers").selectAll().where("organizer_id", "=", orgId).executeTakeFirst();
  if (!row) throw noOrganization(orgId);
  return showOrganization(row);
}

/** An organizer's own, an operator's all, by id. */
export async function listOrganizations(
  { db }: Registry,
  actor: Actor,
  page: PageRequest,
): Promise<Page<Organization>> {
  if (!actor.operator && actor.organizations.length === 0) return { items: [] };
  let query = db
    .selectFrom("organizers")
    .selectAll()
    .orderBy("organizer_id")
    .limit(page.limit + 1);
  if (!actor.operator) query = query.where("organizer_id", "in", actor.organizations);
  if (page.cursor) query = query.where("organizer_id", ">", readCursor(page.cursor, ["orgId"]).orgId);
  const rows = await query.execute();
  return cutPage(rows, page.limit, showOrganization, (row) => encodeCursor({ orgId: row.organizer_id }));
}

export async function changeOrganization(
  registry: Registry,
  actor: Actor,
  orgId: string,
  change: z.infer<typeof OrganizationChange>,
): Promise<Organization> {
  if (change.active !== undefined && !actor.operator) {
    throw new Problem("forbidden", "access.forbidden", "Only operators of this installation may change `active`.");
  }
  const { branding, ...fields } = change;
  const changing = registry.db.transaction().execute(async (transaction) => {
    const row = await transaction
      .updateTable("organizers")
      .set({
        ...withoutUndefined(fields),
        ...(branding && { branding: JSON.stringify(branding) }),
        updated_at: new Date(),
      })
      .where("organizer_id", "=", orgId)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw noOrganization(orgId);
    if (change.active !== undefined) await announceHidden(transaction, orgId, registry.clock);
    return row;
  });
  const row = await changing.catch(refuseTaken(orgId, change.subdomain ?? ""));
  registry.carrySoon();
  return showOrganization(row);
}

/** A hidden organization's events take no entries. */
async function announceHidden(transaction: Transaction<RegistrySchema>, orgId: string, clock: Clock): Promise<void> {
  const events = await transaction
    .selectFrom("events")
    .select("event_id")
    .where("organizer_id", "=", orgId)
    .where("entry_settings", "is not", null)
    .execute();
  const eventIds = events.map((row) => row.event_id);
  await announceEventsChanged(transaction, eventIds, clock);
}

/** Takes its events, runners and photographers along, and every token's word that it may act for them. */
export async function removeOrganization(registry: Registry, orgId: string): Promise<void> {
  await changeAndRevoke(registry, async (transaction, revoke) => {
    const found = await transaction
      .selectFrom("organizers")
      .select("organizer_id")
      .where("organizer_id", "=", orgId)
      // An event that somebody is just making would go with the organization unannounced; so it is waited for.
      .forUpdate()
      .executeTakeFirst();
    if (!found) throw noOrganization(orgId);
    await announceEventsRemoved(transaction, { orgId });
    const photographers = await transaction
      .selectFrom("photographers")
      .select("photographer_id")
      .where("organizer_id", "=", orgId)
      .execute();
    await transaction.deleteFrom("organizers").where("organizer_id", "=", orgId).execute();
    // Whoever makes an organization or a photographer of the same id later must not find old tokens fit it.
    await revoke(revokedSubjects.organization(orgId));
    for (const row of photographers) await revoke(revokedSubjects.photographer(row.photographer_id));
  });
  registry.carrySoon();
}

function refuseTaken(orgId: string, subdomain: string) {
  return refuseDuplicate({
    organizers_pkey: ["organization.exists", `There is an organization ${orgId} already. Choose another id.`],
    organizers_subdomain: ["organization.subdomain-taken", `The subdomain ${subdomain} is taken. Choose another.`],
  });
}

export function noOrganization(orgId: string): Problem {
  return new Problem("missing", "organization.not-found", `There is no organization ${orgId}.`);
}

function showOrganization(row: Row): Organization {
  return {
    orgId: row.organizer_id,
    name: row.name,
    subdomain: row.subdomain,
    active: row.active,
    branding: row.branding,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
