/** Who may call a route: every route names one of these rules, and the rule alone decides. */

import type { Actor } from "../actor.ts";
import { Problem } from "../problem.ts";

const RULES = {
  anyone: "Anyone, signed in or not.",
  signedIn: "Anyone who is signed in.",
  photographer: "Photographers.",
  photographerOfEvent: "Photographers assigned to the event, organizers of its organization, and operators.",
  organizerOfOrganization: "Organizers of the organization, and operators.",
  organizerOfEvent: "Organizers of the event's organization, and operators.",
  organizerOfRequest: "Organizers of the organization whose event the request is for, and operators.",
  operator: "Operators of this installation.",
} as const;

export type Access = keyof typeof RULES;

export const accessSentence = (access: Access): string => RULES[access];

/** What deciding needs to know. An event never changes its organization, nor a request its event: answers can be kept. */
export type AccessFacts = {
  organizationOf(eventId: string): Promise<string | undefined>;
  isAssigned(eventId: string, photographerIds: string[]): Promise<boolean>;
  eventOfRequest(requestId: string): Promise<string | undefined>;
};

export type AccessParams = { orgId?: string; eventId?: string; requestId?: string };

/** Resolves when the caller may go on; what belongs to others is as if it were not there. */
export async function checkAccess(
  access: Access,
  actor: Actor | undefined,
  params: AccessParams,
  facts: AccessFacts,
): Promise<void> {
  if (access === "anyone") return;
  if (!actor) {
    throw new Problem("unauthenticated", "access.sign-in", "Sign in first, or send a bearer token.");
  }
  switch (access) {
    case "signedIn":
      return;
    case "operator":
      if (!actor.operator) throw forbidden("operators of this installation");
      return;
    case "photographer":
      if (actor.photographers.length === 0) throw forbidden("photographers");
      return;
    case "organizerOfOrganization":
      return checkOrganization(actor, params.orgId ?? "");
    case "organizerOfEvent":
      return checkEvent(actor, params.eventId ?? "", facts);
    case "organizerOfRequest":
      return checkRequest(actor, params.requestId ?? "", facts);
    case "photographerOfEvent":
      return checkPhotographer(actor, params.eventId ?? "", facts);
  }
}

function checkOrganization(actor: Actor, orgId: string): void {
  if (actor.operator || actor.organizations.includes(orgId)) return;
  if (actor.organizations.length === 0) throw forbidden("organizers");
  throw new Problem("missing", "organization.not-found", `You have no organization ${orgId}.`);
}

async function checkEvent(actor: Actor, eventId: string, facts: AccessFacts): Promise<void> {
  checkActsForSome(actor);
  const orgId = await facts.organizationOf(eventId);
  if (orgId !== undefined && (actor.operator || actor.organizations.includes(orgId))) return;
  throw new Problem("missing", "event.not-found", `You have no event ${eventId}.`);
}

/** A request may outlive its event; then it is the operators' alone. */
async function checkRequest(actor: Actor, requestId: string, facts: AccessFacts): Promise<void> {
  checkActsForSome(actor);
  const eventId = await facts.eventOfRequest(requestId);
  if (eventId !== undefined) {
    if (actor.operator) return;
    const orgId = await facts.organizationOf(eventId);
    if (orgId !== undefined && actor.organizations.includes(orgId)) return;
  }
  throw new Problem("missing", "request.not-found", `You have no request ${requestId}.`);
}

function checkActsForSome({ operator, organizations }: Actor): void {
  if (!operator && organizations.length === 0) throw forbidden("organizers");
}

async function checkPhotographer(actor: Actor, eventId: string, facts: AccessFacts): Promise<void> {
  if (actor.photographers.length > 0 && (await facts.isAssigned(eventId, actor.photographers))) return;
  if (actor.operator || actor.organizations.length > 0) return checkEvent(actor, eventId, facts);
  throw forbidden("photographers assigned to this event");
}

function forbidden(who: string): Problem {
  return new Problem("forbidden", "access.forbidden", `Only ${who} may do this.`);
}
