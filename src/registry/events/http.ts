/** The routes of events: the public's and the organizers'. */

import { z } from "zod";
import { PageQuery, pageOf } from "../../platform/http/paging.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { EventId, OrganizationId } from "../../platform/ids.ts";
import { ConfirmQuery, checkConfirmed } from "../confirm.ts";
import type { Registry } from "../registry.ts";
import { Subdomain } from "../settings.ts";
import { Event, EventChange, NewEvent, PublicEvent } from "./event.ts";
import { changeEvent, createEvent, listEvents, listPublicEvents, readEvent, readPublicEvent } from "./events.ts";
import { removeEvent } from "./remove.ts";

const tag = "Events";
const params = z.object({ eventId: EventId });
const inPast = { status: 400, code: "event.in-past", when: "The date has passed in the event's time zone." };
const noZone = { status: 400, code: "event.unknown-time-zone", when: "There is no such time zone." };

export function eventRoutes(registry: Registry): Route[] {
  return [...publicRoutes(registry), ...listRoutes(registry), ...organizerRoutes(registry)];
}

function publicRoutes(registry: Registry): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/events",
        access: "anyone",
        tag,
        summary: "List the published events",
        query: PageQuery.extend({
          organization: OrganizationId.optional().meta({ description: "Only this organization's, by its id." }),
          subdomain: Subdomain.optional().meta({ description: "Only that organization's, by its subdomain." }),
        }),
        answers: { 200: { description: "A page, latest day first.", schema: pageOf(PublicEvent) } },
      },
      async ({ query }) => ({ body: await listPublicEvents(registry, query) }),
    ),
    route(
      {
        method: "get",
        path: "/events/{eventId}",
        access: "anyone",
        tag,
        summary: "Show a published event",
        params,
        answers: { 200: { description: "The event.", schema: PublicEvent } },
        problems: [{ status: 404, code: "event.not-found", when: "There is none, or it is not published." }],
      },
      async ({ params: { eventId } }) => ({ body: await readPublicEvent(registry, eventId) }),
    ),
  ];
}

function listRoutes(registry: Registry): Route[] {
  const ofOrganization = z.object({ orgId: OrganizationId });
  return [
    route(
      {
        method: "get",
        path: "/admin/organizations/{orgId}/events",
        access: "organizerOfOrganization",
        tag,
        summary: "List the organization's events",
        params: ofOrganization,
        query: PageQuery,
        answers: { 200: { description: "A page, latest day first.", schema: pageOf(Event) } },
      },
      async ({ params: { orgId }, query }) => ({ body: await listEvents(registry, orgId, query) }),
    ),
    route(
      {
        method: "post",
        path: "/admin/organizations/{orgId}/events",
        access: "organizerOfOrganization",
        tag,
        summary: "Make an event",
        params: ofOrganization,
        body: NewEvent,
        answers: { 201: { description: "The event.", schema: Event } },
        problems: [inPast, noZone, { status: 409, code: "event.exists", when: "There is one with this id." }],
      },
      async ({ params: { orgId }, body }) => {
        const event = await createEvent(registry, orgId, body);
        const location = `/api/admin/events/${encodeURIComponent(event.eventId)}`;
        return { status: 201, body: event, headers: { location } };
      },
    ),
  ];
}

function organizerRoutes(registry: Registry): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/admin/events/{eventId}",
        access: "organizerOfEvent",
        tag,
        summary: "Show an event with all its settings",
        params,
        answers: { 200: { description: "The event.", schema: Event } },
      },
      async ({ params: { eventId } }) => ({ body: await readEvent(registry, eventId) }),
    ),
    route(
      {
        method: "patch",
        path: "/admin/events/{eventId}",
        access: "organizerOfEvent",
        tag,
        summary: "Change an event",
        description: "Fields that are left out stay as they are; `entry: null` takes the entry settings away.",
        params,
        body: EventChange,
        answers: { 200: { description: "The event as it is now.", schema: Event } },
        problems: [
          inPast,
          noZone,
          {
            status: 409,
            code: "entry.fixed",
            when: "Entrants relied on what would change: type, taken places, cutoff.",
          },
        ],
      },
      async ({ params: { eventId }, body }) => ({ body: await changeEvent(registry, eventId, body) }),
    ),
    route(
      {
        method: "delete",
        path: "/admin/events/{eventId}",
        access: "organizerOfEvent",
        tag,
        summary: "Remove an event with its runners and assignments",
        params,
        query: ConfirmQuery,
        answers: { 204: { description: "It is gone." } },
        problems: [{ status: 400, code: "input.not-confirmed", when: "`confirm` is not the event's id." }],
      },
      async ({ params: { eventId }, query }) => {
        checkConfirmed(query, eventId);
        await removeEvent(registry, eventId);
        return {};
      },
    ),
  ];
}
