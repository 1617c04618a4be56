/** The routes of organizations and their organizers. */

import { z } from "zod";
import { endAccessCookie } from "../../platform/http/caller.ts";
import { PageQuery, pageOf } from "../../platform/http/paging.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { OrganizationId } from "../../platform/ids.ts";
import { ConfirmQuery, checkConfirmed } from "../confirm.ts";
import type { Registry } from "../registry.ts";
import { Email } from "../settings.ts";
import {
  changeOrganization,
  createOrganization,
  listOrganizations,
  NewOrganization,
  Organization,
  OrganizationChange,
  readOrganization,
  removeOrganization,
} from "./organizations.ts";
import { addOrganizer, listOrganizers, Organizer, removeOrganizer } from "./organizers.ts";

const tag = "Organizations";
const params = z.object({ orgId: OrganizationId });
const taken = { status: 409, code: "organization.subdomain-taken", when: "Another organization has the subdomain." };

export function organizationRoutes(registry: Registry): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/admin/organizations",
        access: "signedIn",
        tag,
        summary: "List my organizations",
        description: "An operator gets all there are.",
        query: PageQuery,
        answers: { 200: { description: "A page, by id.", schema: pageOf(Organization) } },
      },
      async ({ actor, query }) => ({ body: await listOrganizations(registry, actor, query) }),
    ),
    route(
      {
        method: "post",
        path: "/admin/organizations",
        access: "signedIn",
        tag,
        summary: "Make an organization",
        description: "Who makes it becomes its first organizer. A script's token acts for it only if made afterwards.",
        body: NewOrganization,
        answers: { 201: { description: "The organization.", schema: Organization } },
        problems: [
          {
            status: 403,
            code: "organization.needs-email",
            when: "The token has no e-mail address and is no operator's.",
          },
          { status: 409, code: "organization.exists", when: "There is one with this id." },
          { status: 409, code: "organization.too-many", when: "You are an organizer of ten already." },
          taken,
        ],
      },
      async ({ actor, body }) => {
        const organization = await createOrganization(registry, actor, body);
        const location = `/api/admin/organizations/${encodeURIComponent(organization.orgId)}`;
        return { status: 201, body: organization, headers: { location, "set-cookie": endAccessCookie } };
      },
    ),
    route(
      {
        method: "get",
        path: "/admin/organizations/{orgId}",
        access: "organizerOfOrganization",
        tag,
        summary: "Show an organization",
        params,
        answers: { 200: { description: "The organization.", schema: Organization } },
      },
      async ({ params: { orgId } }) => ({ body: await readOrganization(registry, orgId) }),
    ),
    route(
      {
        method: "patch",
        path: "/admin/organizations/{orgId}",
        access: "organizerOfOrganization",
        tag,
        summary: "Change an organization",
        description: "Fields that are left out stay as they are.",
        params,
        body: OrganizationChange,
        answers: { 200: { description: "The organization as it is now.", schema: Organization } },
        problems: [taken],
      },
      async ({ actor, params: { orgId }, body }) => ({ body: await changeOrganization(registry, actor, orgId, body) }),
    ),
    route(
      {
        method: "delete",
        path: "/admin/organizations/{orgId}",
        access: "organizerOfOrganization",
        tag,
        summary: "Remove an organization with all its events, runners and photographers",
        params,
        query: ConfirmQuery,
        answers: { 204: { description: "It is gone." } },
        problems: [{ status: 400, code: "input.not-confirmed", when: "`confirm` is not the organization's id." }],
      },
      async ({ params: { orgId }, query }) => {
        checkConfirmed(query, orgId);
        await removeOrganization(registry, orgId);
        return { headers: { "set-cookie": endAccessCookie } };
      },
    ),
    ...organizerRoutes(registry),
  ];
}

function organizerRoutes(registry: Registry): Route[] {
  const memberParams = params.extend({ email: Email });
  return [
    route(
      {
        method: "get",
        path: "/admin/organizations/{orgId}/organizers",
        access: "organizerOfOrganization",
        tag,
        summary: "List who may act for the organization",
        params,
        query: PageQuery,
        answers: { 200: { description: "A page, by e-mail address.", schema: pageOf(Organizer) } },
      },
      async ({ params: { orgId }, query }) => ({ body: await listOrganizers(registry, orgId, query) }),
    ),
    route(
      {
        method: "put",
        path: "/admin/organizations/{orgId}/organizers/{email}",
        access: "organizerOfOrganization",
        tag,
        summary: "Let somebody act for the organization",
        description: "They need not have signed in before; once they do, with this address, they may.",
        params: memberParams,
        answers: { 204: { description: "They may act for it, at the latest five minutes from now." } },
        problems: [{ status: 409, code: "organization.too-many", when: "They are an organizer of ten already." }],
      },
      async ({ params: { orgId, email } }) => {
        await addOrganizer(registry, orgId, email);
        return {};
      },
    ),
    route(
      {
        method: "delete",
        path: "/admin/organizations/{orgId}/organizers/{email}",
        access: "organizerOfOrganization",
        tag,
        summary: "Let somebody act for the organization no more",
        params: memberParams,
        answers: { 204: { description: "They may not from now on; other servers hear of it within 10 s." } },
        problems: [
          { status: 404, code: "organizer.not-found", when: "They were not an organizer." },
          { status: 409, code: "organizer.last", when: "They are the last one." },
        ],
      },
      async ({ params: { orgId, email } }) => {
        await removeOrganizer(registry, orgId, email);
        return {};
      },
    ),
  ];
}
