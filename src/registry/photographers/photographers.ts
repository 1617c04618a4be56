/** Photographers: registering, showing and changing them; a new handle or display name is announced. */

import { revokedSubjects } from "../../platform/access-tokens.ts";
import { encodeCursor } from "../../platform/cursor.ts";
import { cutPage, type PageRequest, readCursor } from "../../platform/http/paging.ts";
import type { Page } from "../../platform/ports.ts";
import { Problem } from "../../platform/problem.ts";
import { changeAndRevoke } from "../change-and-revoke.ts";
import type { RegistryDatabase } from "../database.ts";
import type { CreditForPhotos } from "../events.ts";
import { newId } from "../new-id.ts";
import { noOrganization } from "../organizations/organizations.ts";
import { announce } from "../outbox.ts";
import type { Registry } from "../registry.ts";
import { refuseDuplicate, refuseOrphan } from "../violations.ts";
import { withoutUndefined } from "../without-undefined.ts";
import {
  type Credit,
  type NewPhotographer,
  type Photographer,
  type PhotographerChange,
  type PhotographerRow,
  showCredit,
  showPhotographer,
} from "./photographer.ts";

export async function registerPhotographer(
  { db }: Registry,
  orgId: string,
  input: NewPhotographer,
): Promise<Photographer> {
  const photographerId = input.photographerId ?? newId("photographer", input.name);
  const row = await db
    .insertInto("photographers")
    .values({
      photographer_id: photographerId,
      organizer_id: orgId,
      email: input.email ?? null,
      name: input.name,
      display_name: input.displayName ?? input.name,
      instagram_handle: input.instagramHandle ?? null,
      website_url: input.websiteUrl ?? null,
      bio: input.bio ?? null,
      active: input.active ?? true,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(refuseOrphan(noOrganization(orgId)))
    .catch(refuseTaken(photographerId, input.instagramHandle));
  return showPhotographer(row);
}

/** Only those the organization registered, by id. */
export async function listPhotographers(
  { db }: Registry,
  orgId: string,
  page: PageRequest,
): Promise<Page<Photographer>> {
  let query = db
    .selectFrom("photographers")
    .selectAll()
    .where("organizer_id", "=", orgId)
    .orderBy("photographer_id")
    .limit(page.limit + 1);
  if (page.cursor) query = query.where("photographer_id", ">", readCursor(page.cursor, ["id"]).id);
  return cutPage(await query.execute(), page.limit, showPhotographer, (row) =>
    encodeCursor({ id: row.photographer_id }),
  );
}

export async function readPhotographer({ db }: Registry, orgId: string, photographerId: string): Promise<Photographer> {
  const row = await db
    .selectFrom("photographers")
    .selectAll()
    .where("photographer_id", "=", photographerId)
    .where("organizer_id", "=", orgId)
    .executeTakeFirst();
  if (!row) throw noPhotographer(photographerId);
  return showPhotographer(row);
}

export async function readCredit({ db }: Registry, photographerId: string): Promise<Credit> {
  const row = await db
    .selectFrom("photographers")
    .selectAll()
    .where("photographer_id", "=", photographerId)
    .where("active", "=", true)
    .executeTakeFirst();
  if (!row) throw noPhotographer(photographerId);
  return showCredit(row);
}

/** What stands beside their photos, also when they are not active any more. */
export async function creditForPhotos(
  db: RegistryDatabase,
  photographerId: string,
): Promise<CreditForPhotos | undefined> {
  const row = await db
    .selectFrom("photographers")
    .select(["instagram_handle", "display_name", "updated_at"])
    .where("photographer_id", "=", photographerId)
    .executeTakeFirst();
  if (!row) return undefined;
  const { instagram_handle: handle, display_name: displayName, updated_at: asOf } = row;
  return { photographerId, handle, displayName, asOf: asOf.toISOString() };
}

/** With an organization, only one it registered. */
export async function changePhotographer(
  registry: Registry,
  which: { photographerId: string; orgId?: string },
  change: PhotographerChange,
): Promise<Photographer> {
  const { photographerId, orgId } = which;
  const row = await changeAndRevoke(registry, async (transaction, revoke) => {
    let found = transaction.selectFrom("photographers").selectAll().where("photographer_id", "=", photographerId);
    if (orgId !== undefined) found = found.where("organizer_id", "=", orgId);
    const before = await found.forUpdate().executeTakeFirst();
    if (!before) throw noPhotographer(photographerId);
    // Whoever hears of two changes tells by the time which came last, also when two servers' clocks differ.
    const updatedAt = new Date(Math.max(registry.clock.now(), before.updated_at.getTime() + 1));
    const after = await transaction
      .updateTable("photographers")
      .set({ ...columnsOf(change), updated_at: updatedAt })
      .where("photographer_id", "=", photographerId)
      .returningAll()
      .executeTakeFirstOrThrow();
    await announce(transaction, newCredit(before, after));
    if (before.email !== after.email || !after.active) await revoke(revokedSubjects.photographer(photographerId));
    return after;
  }).catch(refuseTaken(photographerId, change.instagramHandle));
  registry.carrySoon();
  return showPhotographer(row);
}

function columnsOf(change: PhotographerChange) {
  return withoutUndefined({
    name: change.name,
    display_name: change.displayName,
    instagram_handle: change.instagramHandle,
    website_url: change.websiteUrl,
    bio: change.bio,
    email: change.email,
    active: change.active,
  });
}

/** Photos carry the handle and the display name with them, so both must follow. */
function newCredit(before: PhotographerRow, after: PhotographerRow) {
  if (before.instagram_handle === after.instagram_handle && before.display_name === after.display_name) return [];
  return [
    {
      type: "photographer.changed" as const,
      photographerId: after.photographer_id,
      handle: after.instagram_handle,
      displayName: after.display_name,
      occurredAt: after.updated_at.toISOString(),
    },
  ];
}

/** Their photos stay; only who could act as them can't any more. */
export async function removePhotographer(registry: Registry, orgId: string, photographerId: string): Promise<void> {
  await changeAndRevoke(registry, async (transaction, revoke) => {
    const removed = await transaction
      .deleteFrom("photographers")
      .where("photographer_id", "=", photographerId)
      .where("organizer_id", "=", orgId)
      .executeTakeFirst();
    if (removed.numDeletedRows === 0n) throw noPhotographer(photographerId);
    await revoke(revokedSubjects.photographer(photographerId));
  });
}

function refuseTaken(photographerId: string, handle: string | null | undefined) {
  return refuseDuplicate({
    photographers_pkey: [
      "photographer.exists",
      `There is a photographer ${photographerId} already. Choose another id.`,
    ],
    photographers_instagram_handle: ["photographer.handle-taken", `Another photographer has the handle @${handle}.`],
  });
}

export function noPhotographer(photographerId: string): Problem {
  return new Problem("missing", "photographer.not-found", `There is no photographer ${photographerId}.`);
}
