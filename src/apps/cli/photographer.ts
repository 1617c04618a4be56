/** `snaprace photographer`: photographers and the events they are assigned to. */

import { type Command, Option } from "commander";
import { EventId, OrganizationId, PhotographerId } from "../../platform/ids.ts";
import type { Photographer } from "../../registry/photographers/photographer.ts";
import { addBodyOptions, type BodyOption, emptyIsNull, namingOptions, readBody, readChange } from "./body-options.ts";
import { checkMeant, describe, limitOption, onApi, parsedBy, yesOption } from "./command.ts";
import { facts, table } from "./table.ts";

const toBody = emptyIsNull;
const SETTINGS: BodyOption[] = [
  { flags: "--display-name <name>", field: "displayName", description: "the name beside their photos" },
  { flags: "--handle <handle>", field: "instagramHandle", description: "on Instagram, such as minji.runs", toBody },
  { flags: "--website <url>", field: "websiteUrl", description: "their website", toBody },
  { flags: "--bio <text>", field: "bio", description: "a few sentences about them", toBody },
  { flags: "--email <email>", field: "email", description: "who signs in with it is this photographer", toBody },
];

const NEW: BodyOption[] = [
  { flags: "--id <id>", field: "photographerId", description: "their id (default: made from the name)" },
  ...SETTINGS,
];

const CHANGED: BodyOption[] = [
  { flags: "--name <name>", field: "name", description: "their name, for the organizers only" },
  ...SETTINGS,
  { flags: "--active", field: "active", description: "let them be assigned again" },
  { flags: "--no-active", field: "active", description: "let them act and be assigned no more" },
];

const pathOfAll = (orgId: string) => `/admin/organizations/${encodeURIComponent(orgId)}/photographers`;
const pathOf = (orgId: string, id: string) => `${pathOfAll(orgId)}/${encodeURIComponent(id)}`;
const assignmentPath = (eventId: string, id: string) =>
  `/admin/events/${encodeURIComponent(eventId)}/photographers/${encodeURIComponent(id)}`;
const idArgument = ["<id>", "the photographer's id", parsedBy(PhotographerId)] as const;

type OfOrganization = { org: string };

export function addPhotographer(commands: Command): void {
  const group = commands.command("photographer").description("Photographers and the events they are assigned to.");
  addCreate(group);
  addList(group);
  addShow(group);
  addEdit(group);
  addRemove(group);
  addAssignments(group);
}

function orgOption(): Option {
  const option = new Option("--org <org>", "the organization that registered them");
  return option.argParser(parsedBy(OrganizationId)).makeOptionMandatory();
}

function eventOption(): Option {
  return new Option("--event <event>", "the event's id").argParser(parsedBy(EventId)).makeOptionMandatory();
}

function addCreate(group: Command): void {
  const create = describe(group.command("create"), "Register a photographer.", [
    'photographer create "Kim Minji" --org han-river',
    'photographer create "Kim Minji" --org han-river --id minji-kim --handle minji.runs --email minji@example.com',
  ]).argument("<name>", "their name, for the organizers only");
  create.addOption(orgOption());
  onApi<[string], OfOrganization>(addBodyOptions(create, NEW), async ({ api, args: [name], options: { org } }) => {
    const body = { name, ...readBody(create, NEW) };
    const made = await namingOptions(create, NEW, api.call<Photographer>("POST", pathOfAll(org), body));
    return { json: made, text: `Registered the photographer ${made.photographerId}.` };
  });
}

function addList(group: Command): void {
  const list = describe(group.command("list"), "List the photographers that an organization registered.", [
    "photographer list --org han-river",
  ]);
  list.addOption(orgOption()).addOption(limitOption());
  onApi<[], OfOrganization & { limit?: number }>(list, async ({ api, options: { org, limit } }) => {
    // An organization that is not there has no photographers either; this tells the two apart.
    await api.call("GET", `/admin/organizations/${encodeURIComponent(org)}`);
    const items = await api.list<Photographer>(pathOfAll(org), limit);
    const rows = items.map((each) => [
      each.photographerId,
      each.name,
      each.displayName,
      each.instagramHandle ? `@${each.instagramHandle}` : "",
      each.active ? "" : "not active",
    ]);
    const none = `${org} has no photographers yet.`;
    return { json: { items }, text: table(["id", "name", "shown as", "handle", ""], rows, none) };
  });
}

function addShow(group: Command): void {
  const show = describe(group.command("show"), "Show a photographer.", ["photographer show minji-kim --org han-river"]);
  show.argument(...idArgument).addOption(orgOption());
  onApi<[string], OfOrganization>(show, async ({ api, args: [id], options: { org } }) => {
    const found = await api.call<Photographer>("GET", pathOf(org, id));
    const text = facts({
      id: found.photographerId,
      organization: found.orgId,
      name: found.name,
      "shown as": found.displayName,
      handle: found.instagramHandle && `@${found.instagramHandle}`,
      website: found.websiteUrl,
      bio: found.bio,
      "e-mail": found.email,
      active: found.active ? "yes" : "no",
    });
    return { json: found, text };
  });
}

function addEdit(group: Command): void {
  const edit = describe(group.command("edit"), "Change a photographer; what is not named stays as it is.", [
    "photographer edit minji-kim --org han-river --handle minji.photo",
    'photographer edit minji-kim --org han-river --bio ""',
  ]);
  edit.argument(...idArgument).addOption(orgOption());
  onApi<[string], OfOrganization>(addBodyOptions(edit, CHANGED), async ({ api, args: [id], options: { org } }) => {
    const change = readChange(edit, CHANGED);
    const changed = await namingOptions(edit, CHANGED, api.call<Photographer>("PATCH", pathOf(org, id), change));
    return { json: changed, text: `Changed the photographer ${id}.` };
  });
}

function addRemove(group: Command): void {
  const remove = describe(group.command("remove"), "Remove a photographer and their assignments; photos stay.", [
    "photographer remove minji-kim --org han-river --yes",
  ]);
  remove
    .argument(...idArgument)
    .addOption(orgOption())
    .addOption(yesOption());
  onApi<[string], OfOrganization & { yes?: boolean }>(remove, async ({ api, args: [id], options }) => {
    const { name } = await api.call<Photographer>("GET", pathOf(options.org, id));
    checkMeant(options, `the photographer ${id} (${name}) and their assignments`);
    await api.call("DELETE", pathOf(options.org, id));
    return { json: { removed: id }, text: `Removed the photographer ${id}.` };
  });
}

function addAssignments(group: Command): void {
  const assign = describe(group.command("assign"), "Assign a photographer to an event, or change their role there.", [
    "photographer assign minji-kim --event han-river-10k",
    'photographer assign minji-kim --event han-river-10k --role "finish line"',
  ]);
  assign
    .argument(...idArgument)
    .addOption(eventOption())
    .option("--role <role>", "what they do there");
  onApi<[string], { event: string; role?: string }>(assign, async ({ api, args: [id], options: { event, role } }) => {
    const body = role === undefined ? {} : { role };
    const named = [{ flags: "--role", field: "role", description: "" }];
    await namingOptions(assign, named, api.call("PUT", assignmentPath(event, id), body));
    return { json: { eventId: event, photographerId: id, ...body }, text: `Assigned ${id} to ${event}.` };
  });
  const unassign = describe(group.command("unassign"), "End a photographer's assignment to an event.", [
    "photographer unassign minji-kim --event han-river-10k",
  ]);
  unassign.argument(...idArgument).addOption(eventOption());
  onApi<[string], { event: string }>(unassign, async ({ api, args: [id], options: { event } }) => {
    await api.call("DELETE", assignmentPath(event, id));
    return { json: { removed: id, eventId: event }, text: `${id} is not assigned to ${event} any more.` };
  });
}
