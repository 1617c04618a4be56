/** The routes of photographers and their assignments. */

import { z } from "zod";
import { PageQuery, pageOf } from "../../platform/http/paging.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { EventId, OrganizationId, PhotographerId } from "../../platform/ids.ts";
import { Problem } from "../../platform/problem.ts";
import { PublicEvent } from "../events/event.ts";
import type { Registry } from "../registry.ts";
import {
  Assignment,
  assignPhotographer,
  endAssignment,
  listAssignedEvents,
  listAssignments,
  Role,
} from "./assignments.ts";
import { Credit, CreditChange, NewPhotographer, Photographer, PhotographerChange } from "./photographer.ts";
import {
  changePhotographer,
  listPhotographers,
  readCredit,
  readPhotographer,
  registerPhotographer,
  removePhotographer,
} from "./photographers.ts";

const tag = "Photographers";
const ofOrganization = z.object({ orgId: OrganizationId });
const oneOfOrganization = ofOrganization.extend({ photographerId: PhotographerId });
const ofEvent = z.object({ eventId: EventId });
const oneOfEvent = ofEvent.extend({ photographerId: PhotographerId });

const missing = { status: 404, code: "photographer.not-found", when: "There is no such photographer." };
const taken = { status: 409, code: "photographer.handle-taken", when: "Another photographer has the handle." };

export function photographerRoutes(registry: Registry): Route[] {
  return [
    ...ownRoutes(registry),
    ...organizationRoutes(registry),
    ...changeRoutes(registry),
    ...assignmentRoutes(registry),
  ];
}

function ownRoutes(registry: Registry): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/photographers/{photographerId}",
        access: "anyone",
        tag,
        summary: "Show a photographer's credit",
        params: z.object({ photographerId: PhotographerId }),
        answers: { 200: { description: "What stands beside their photos.", schema: Credit } },
        problems: [missing],
      },
      async ({ params: { photographerId } }) => ({ body: await readCredit(registry, photographerId) }),
    ),
    route(
      {
        method: "patch",
        path: "/photographers/{photographerId}",
        access: "photographer",
        tag,
        summary: "Change my own credit",
        description: "Fields that are left out stay as they are. Photos already there follow within minutes.",
        params: z.object({ photographerId: PhotographerId }),
        body: CreditChange,
        answers: { 200: { description: "The photographer as they are now.", schema: Credit } },
        problems: [missing, taken],
      },
      async ({ actor, params: { photographerId }, body }) => {
        if (!actor.photographers.includes(photographerId)) {
          throw new Problem("missing", "photographer.not-found", `You are not the photographer ${photographerId}.`);
        }
        const changed = await changePhotographer(registry, { photographerId }, body);
        return { body: Credit.parse(changed) };
      },
    ),
    route(
      {
        method: "get",
        path: "/me/assignments",
        access: "photographer",
        tag,
        summary: "List the events I am assigned to",
        query: PageQuery,
        answers: { 200: { description: "A page, by the event's id.", schema: pageOf(PublicEvent) } },
      },
      async ({ actor, query }) => ({ body: await listAssignedEvents(registry, actor.photographers, query) }),
    ),
  ];
}

function organizationRoutes(registry: Registry): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/admin/organizations/{orgId}/photographers",
        access: "organizerOfOrganization",
        tag,
        summary: "List the photographers the organization registered",
        params: ofOrganization,
        query: PageQuery,
        answers: { 200: { description: "A page, by id.", schema: pageOf(Photographer) } },
      },
      async ({ params: { orgId }, query }) => ({ body: await listPhotographers(registry, orgId, query) }),
    ),
    route(
      {
        method: "post",
        path: "/admin/organizations/{orgId}/photographers",
        access: "organizerOfOrganization",
        tag,
        summary: "Register a photographer",
        params: ofOrganization,
        body: NewPhotographer,
        answers: { 201: { description: "The photographer.", schema: Photographer } },
        problems: [taken, { status: 409, code: "photographer.exists", when: "There is one with this id." }],
      },
      async ({ params: { orgId }, body }) => {
        const photographer = await registerPhotographer(registry, orgId, body);
        const ids = [orgId, photographer.photographerId].map(encodeURIComponent);
        const location = `/api/admin/organizations/${ids[0]}/photographers/${ids[1]}`;
        return { status: 201, body: photographer, headers: { location } };
      },
    ),
  ];
}

function changeRoutes(registry: Registry): Route[] {
  const shared = { access: "organizerOfOrganization", tag, params: oneOfOrganization } as const;
  const path = "/admin/organizations/{orgId}/photographers/{photographerId}";
  return [
    route(
      {
        ...shared,
        method: "get",
        path,
        summary: "Show a photographer",
        answers: { 200: { description: "The photographer.", schema: Photographer } },
        problems: [missing],
      },
      async ({ params }) => ({ body: await readPhotographer(registry, params.orgId, params.photographerId) }),
    ),
    route(
      {
        ...shared,
        method: "patch",
        path,
        summary: "Change a photographer",
        description: "Fields that are left out stay as they are. Photos already there follow within minutes.",
        body: PhotographerChange,
        answers: { 200: { description: "The photographer as they are now.", schema: Photographer } },
        problems: [missing, taken],
      },
      async ({ params, body }) => ({ body: await changePhotographer(registry, params, body) }),
    ),
    route(
      {
        ...shared,
        method: "delete",
        path,
        summary: "Remove a photographer and their assignments",
        answers: { 204: { description: "They are gone; their photos stay." } },
        problems: [missing],
      },
      async ({ params }) => {
        await removePhotographer(registry, params.orgId, params.photographerId);
        return {};
      },
    ),
  ];
}

function assignmentRoutes(registry: Registry): Route[] {
  const access = "organizerOfEvent" as const;
  return [
    route(
      {
        method: "get",
        path: "/admin/events/{eventId}/photographers",
        access,
        tag,
        summary: "List who photographs the event",
        params: ofEvent,
        query: PageQuery,
        answers: { 200: { description: "A page, by photographer's id.", schema: pageOf(Assignment) } },
      },
      async ({ params: { eventId }, query }) => ({ body: await listAssignments(registry, eventId, query) }),
    ),
    route(
      {
        method: "put",
        path: "/admin/events/{eventId}/photographers/{photographerId}",
        access,
        tag,
        summary: "Assign a photographer, or change their role",
        params: oneOfEvent,
        body: z.strictObject({ role: Role.default("photographer") }),
        answers: { 204: { description: "They may upload to the event." } },
        problems: [missing],
      },
      async ({ params, body }) => {
        await assignPhotographer(registry, params, body.role);
        return {};
      },
    ),
    route(
      {
        method: "delete",
        path: "/admin/events/{eventId}/photographers/{photographerId}",
        access,
        tag,
        summary: "End a photographer's assignment",
        params: oneOfEvent,
        answers: { 204: { description: "They may upload no more." } },
        problems: [{ status: 404, code: "assignment.not-found", when: "They were not assigned." }],
      },
      async ({ params }) => {
        await endAssignment(registry, params);
        return {};
      },
    ),
  ];
}
