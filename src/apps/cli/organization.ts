/** `snaprace org`: organizations and who may act for them. */

import type { Command } from "commander";
import { OrganizationId } from "../../platform/ids.ts";
import type { Event } from "../../registry/events/event.ts";
import type { Organization } from "../../registry/organizations/organizations.ts";
import type { Organizer } from "../../registry/organizations/organizers.ts";
import type { Photographer } from "../../registry/photographers/photographer.ts";
import { Email } from "../../registry/settings.ts";
import {
  addBodyOptions,
  type Body,
  type BodyOption,
  collect,
  emptyIsNull,
  namingOptions,
  readBody,
  readChange,
  withoutNulls,
} from "./body-options.ts";
import { checkMeant, describe, limitOption, onApi, parsedBy, yesOption } from "./command.ts";
import type { Connection } from "./connection.ts";
import { facts, table } from "./table.ts";
import { counted } from "./wording.ts";

const SETTINGS: BodyOption[] = [
  { flags: "--subdomain <name>", field: "subdomain", description: "where its pages are" },
  {
    flags: "--accent-color <color>",
    field: "branding.accentColor",
    description: "such as #c2410c",
    toBody: emptyIsNull,
  },
  { flags: "--logo <url>", field: "branding.logoUrl", description: "the address of its logo", toBody: emptyIsNull },
  { flags: "--website <url>", field: "branding.websiteUrl", description: "its own website", toBody: emptyIsNull },
];

const NEW: BodyOption[] = [
  { flags: "--id <id>", field: "orgId", description: "its id (default: made from the name)" },
  ...SETTINGS,
  {
    flags: "--organizer <email>",
    field: "organizers",
    description: "who may act for it; repeat it for more",
    parse: collect,
  },
];

const CHANGED: BodyOption[] = [
  { flags: "--name <name>", field: "name", description: "its name" },
  ...SETTINGS,
  { flags: "--active", field: "active", description: "show its pages again (operators only)" },
  { flags: "--no-active", field: "active", description: "show nothing of it on the pages (operators only)" },
];

const pathOf = (orgId: string) => `/admin/organizations/${encodeURIComponent(orgId)}`;
const idArgument = ["<id>", "the organization's id", parsedBy(OrganizationId)] as const;
const emailArgument = ["<email>", "the organizer's e-mail address", parsedBy(Email)] as const;

export function addOrganization(commands: Command): void {
  const group = commands.command("org").description("Organizations and who may act for them.");
  addCreate(group);
  addList(group);
  addShow(group);
  addEdit(group);
  addRemove(group);
  addOrganizers(group);
}

function addCreate(group: Command): void {
  const create = describe(group.command("create"), "Make an organization.", [
    'org create "Han River Runners"',
    'org create "Han River Runners" --id han-river --accent-color "#c2410c" --organizer kim@example.com',
  ]).argument("<name>", "its name");
  onApi<[string], object>(addBodyOptions(create, NEW), async ({ api, args: [name] }) => {
    const body: Body = { name, ...readBody(create, NEW) };
    if (body.branding) body.branding = withoutNulls(body.branding as Body);
    const made = await namingOptions(create, NEW, api.call<Organization>("POST", "/admin/organizations", body));
    return { json: made, text: `Made the organization ${made.orgId}.` };
  });
}

function addList(group: Command): void {
  const list = describe(group.command("list"), "List the organizations.", ["org list"]).addOption(limitOption());
  onApi<[], { limit?: number }>(list, async ({ api, options }) => {
    const items = await api.list<Organization>("/admin/organizations", options.limit);
    const rows = items.map((each) => [each.orgId, each.name, each.subdomain, each.active ? "" : "not active"]);
    return { json: { items }, text: table(["id", "name", "subdomain", ""], rows, "There are no organizations yet.") };
  });
}

function addShow(group: Command): void {
  const show = describe(group.command("show"), "Show an organization and its organizers.", ["org show han-river"]);
  onApi<[string], object>(show.argument(...idArgument), async ({ api, args: [orgId] }) => {
    const organization = await api.call<Organization>("GET", pathOf(orgId));
    const organizers = await api.list<Organizer>(`${pathOf(orgId)}/organizers`);
    const text = facts({
      id: organization.orgId,
      name: organization.name,
      subdomain: organization.subdomain,
      active: organization.active ? "yes" : "no",
      "accent color": organization.branding.accentColor,
      logo: organization.branding.logoUrl,
      website: organization.branding.websiteUrl,
      organizers: organizers.map(({ email }) => email).join(", ") || "none",
    });
    return { json: { ...organization, organizers }, text };
  });
}

function addEdit(group: Command): void {
  const edit = describe(group.command("edit"), "Change an organization; what is not named stays as it is.", [
    'org edit han-river --name "Han River Running Club"',
    'org edit han-river --accent-color "#0f766e" --logo ""',
  ]).argument(...idArgument);
  onApi<[string], object>(addBodyOptions(edit, CHANGED), async ({ api, args: [orgId] }) => {
    const change = readChange(edit, CHANGED);
    if (change.branding) change.branding = await mergedBranding(api, orgId, change.branding as Body);
    const changed = await namingOptions(edit, CHANGED, api.call<Organization>("PATCH", pathOf(orgId), change));
    return { json: changed, text: `Changed the organization ${orgId}.` };
  });
}

/** The API takes the whole branding at once. */
async function mergedBranding(api: Connection, orgId: string, change: Body): Promise<Body> {
  const { branding } = await api.call<Organization>("GET", pathOf(orgId));
  return withoutNulls({ ...branding, ...change });
}

function addRemove(group: Command): void {
  const remove = describe(
    group.command("remove"),
    "Remove an organization with all its events, runners and photographers.",
    ["org remove han-river --yes"],
  );
  remove.argument(...idArgument).addOption(yesOption());
  onApi<[string], { yes?: boolean }>(remove, async ({ api, args: [orgId], options }) => {
    if (!options.yes) checkMeant(options, await whatWouldGo(api, orgId));
    await api.call("DELETE", `${pathOf(orgId)}?confirm=${encodeURIComponent(orgId)}`);
    return { json: { removed: orgId }, text: `Removed the organization ${orgId}.` };
  });
}

async function whatWouldGo(api: Connection, orgId: string): Promise<string> {
  const { name } = await api.call<Organization>("GET", pathOf(orgId));
  const events = await api.list<Event>(`${pathOf(orgId)}/events`);
  const photographers = await api.list<Photographer>(`${pathOf(orgId)}/photographers`);
  const parts = [counted(events.length, "event"), counted(photographers.length, "photographer")];
  return `the organization ${orgId} (${name}) with its ${parts.join(" and its ")}`;
}

function addOrganizers(group: Command): void {
  const add = describe(group.command("add-organizer"), "Let somebody act for an organization.", [
    "org add-organizer han-river lee@example.com",
  ]);
  add.argument(...idArgument).argument(...emailArgument);
  onApi<[string, string], object>(add, async ({ api, args: [orgId, email] }) => {
    await api.call("PUT", `${pathOf(orgId)}/organizers/${encodeURIComponent(email)}`);
    return { json: { orgId, email }, text: `${email} may act for ${orgId}, within five minutes.` };
  });
  const remove = describe(group.command("remove-organizer"), "Let somebody act for an organization no more.", [
    "org remove-organizer han-river lee@example.com",
  ]);
  remove.argument(...idArgument).argument(...emailArgument);
  onApi<[string, string], object>(remove, async ({ api, args: [orgId, email] }) => {
    await api.call("DELETE", `${pathOf(orgId)}/organizers/${encodeURIComponent(email)}`);
    return { json: { removed: email }, text: `${email} may not act for ${orgId} any more.` };
  });
}
