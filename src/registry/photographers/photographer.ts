/** A photographer as the API takes and shows them: to the organization that registered them whole, to everybody the credit. */

import type { Selectable } from "kysely";
import { z } from "zod";
import { OrganizationId, PhotographerId } from "../../platform/ids.ts";
import type { RegistrySchema } from "../schema.ts";
import { Email, line, WebAddress } from "../settings.ts";

/** Written with or without its @; Instagram knows no capitals. */
const Handle = z
  .string()
  .trim()
  .toLowerCase()
  .overwrite((text) => text.replace(/^@/, ""))
  .regex(/^[a-z0-9_](?:[a-z0-9._]{0,28}[a-z0-9_])?$/, "An Instagram handle has 1 to 30 letters a to z, digits, . or _.")
  .meta({ example: "minji.runs" });

const credit = {
  displayName: line(100).meta({ description: "The name beside their photos.", example: "Minji Kim Photo" }),
  instagramHandle: Handle.nullable(),
  websiteUrl: WebAddress.nullable(),
  bio: z.string().normalize("NFC").trim().max(2000, "It has at most 2000 characters.").nullable(),
};

const fields = {
  ...credit,
  name: line(100).meta({ description: "For the organizers only.", example: "Kim Minji" }),
  email: Email.nullable().meta({ description: "Who signs in with this address is this photographer." }),
  active: z.boolean(),
};

export const NewPhotographer = z
  .strictObject({ photographerId: PhotographerId.optional(), ...fields })
  .partial()
  .required({ name: true });
export type NewPhotographer = z.infer<typeof NewPhotographer>;

export const PhotographerChange = z.strictObject(fields).partial();
export type PhotographerChange = z.infer<typeof PhotographerChange>;

/** What photographers may change of themselves. */
export const CreditChange = z.strictObject(credit).partial();

export const Photographer = z
  .object({
    photographerId: PhotographerId,
    orgId: OrganizationId.meta({ description: "The organization that registered them and may edit them." }),
    ...fields,
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: "Photographer" });
export type Photographer = z.infer<typeof Photographer>;

export const Credit = z.object({ photographerId: PhotographerId, ...credit }).meta({ id: "Credit" });
export type Credit = z.infer<typeof Credit>;

export type PhotographerRow = Selectable<RegistrySchema["photographers"]>;

export function showPhotographer(row: PhotographerRow): Photographer {
  return {
    ...showCredit(row),
    orgId: row.organizer_id,
    name: row.name,
    email: row.email,
    active: row.active,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

export function showCredit(
  row: Pick<PhotographerRow, "photographer_id" | "display_name" | "instagram_handle" | "website_url" | "bio">,
): Credit {
  return {
    photographerId: row.photographer_id,
    displayName: row.display_name,
    instagramHandle: row.instagram_handle,
    websiteUrl: row.website_url,
    bio: row.bio,
  };
}
