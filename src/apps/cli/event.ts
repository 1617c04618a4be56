/** `snaprace event`: events, how they look and how their places are given. */

import { type Command, Option } from "commander";
import { EventId, OrganizationId } from "../../platform/ids.ts";
import type { Event } from "../../registry/events/event.ts";
import type { Assignment } from "../../registry/photographers/assignments.ts";
import type { EntrySettings } from "../../registry/settings.ts";
import { addBodyOptions, type Body, namingOptions, readBody, readChange } from "./body-options.ts";
import { checkMeant, describe, limitOption, onApi, parsedBy, yesOption } from "./command.ts";
import { CHANGED_EVENT, mergedEntry, NEW_EVENT } from "./event-options.ts";
import { facts, table } from "./table.ts";

const pathOf = (eventId: string) => `/admin/events/${encodeURIComponent(eventId)}`;
const pathOfAll = (orgId: string) => `/admin/organizations/${encodeURIComponent(orgId)}/events`;
const idArgument = ["<id>", "the event's id", parsedBy(EventId)] as const;

export function addEvent(commands: Command): void {
  const group = commands.command("event").description("Events: races with their places and their photos.");
  addCreate(group);
  addList(group);
  addShow(group);
  addEdit(group);
  addRemove(group);
}

function orgOption(): Option {
  return new Option("--org <org>", "the organization's id").argParser(parsedBy(OrganizationId)).makeOptionMandatory();
}

function addCreate(group: Command): void {
  const create = describe(group.command("create"), "Make an event.", [
    'event create "Han River 10K" --org han-river --date 2027-04-18 --time-zone Asia/Seoul',
    'event create "Han River 10K" --org han-river --date 2027-04-18 --time-zone Asia/Seoul --first-come 500 --opens 2027-03-01T10:00:00+09:00',
  ]).argument("<name>", "its name");
  create.addOption(orgOption());
  onApi<[string], { org: string }>(addBodyOptions(create, NEW_EVENT), async ({ api, args: [name], options }) => {
    const body: Body = { name, ...readBody(create, NEW_EVENT) };
    if (body.entry) body.entry = mergedEntry(null, body.entry as Body);
    const made = await namingOptions(create, NEW_EVENT, api.call<Event>("POST", pathOfAll(options.org), body));
    return { json: made, text: `Made the event ${made.eventId}${made.published ? "" : ", a draft"}.` };
  });
}

function addList(group: Command): void {
  const list = describe(group.command("list"), "List an organization's events, latest day first.", [
    "event list --org han-river",
  ]);
  list.addOption(orgOption()).addOption(limitOption());
  onApi<[], { org: string; limit?: number }>(list, async ({ api, options: { org, limit } }) => {
    // An organization that is not there has no events either; this tells the two apart.
    await api.call("GET", `/admin/organizations/${encodeURIComponent(org)}`);
    const items = await api.list<Event>(pathOfAll(org), limit);
    const rows = items.map((each) => [
      each.eventId,
      each.date,
      each.name,
      shortEntry(each.entry),
      each.published ? "" : "draft",
    ]);
    const none = `${org} has no events yet.`;
    return { json: { items }, text: table(["id", "date", "name", "entry", ""], rows, none) };
  });
}

function addShow(group: Command): void {
  const show = describe(group.command("show"), "Show an event with all its settings and its photographers.", [
    "event show han-river-10k",
  ]);
  onApi<[string], object>(show.argument(...idArgument), async ({ api, args: [eventId] }) => {
    const event = await api.call<Event>("GET", pathOf(eventId));
    const photographers = await api.list<Assignment>(`${pathOf(eventId)}/photographers`);
    const text = facts({
      id: event.eventId,
      organization: event.orgId,
      name: event.name,
      date: `${event.date} (${event.timeZone})`,
      location: event.location,
      shown: event.published ? event.displayMode : "no, it is a draft",
      "bib pattern": event.photos.bibPattern,
      faces: event.photos.faceIndexing ? `for ${event.photos.retentionDays} days after the race` : "not looked at",
      ...entryFacts(event.entry),
      photographers: photographers.map((each) => `${each.photographerId} (${each.role})`).join(", ") || "none",
    });
    return { json: { ...event, photographers }, text };
  });
}

function shortEntry(entry: EntrySettings | null): string {
  if (!entry) return "none";
  return `${entry.eventType === "LOTTERY" ? "lottery" : "first-come"}, ${entry.capacityTotal.toLocaleString("en")}`;
}

function entryFacts(entry: EntrySettings | null): { [name: string]: string | undefined } {
  if (!entry) return { entry: "none" };
  const { opensAt, cancelUntil, bibFormat, bibStart } = entry;
  const first = { entry: `${shortEntry(entry)} places`, opens: opensAt };
  const last = { "cancel until": cancelUntil, bibs: `from ${bibStart}, as ${bibFormat}` };
  if (entry.eventType === "FIRST_COME") return { ...first, closes: entry.closesAt, ...last };
  return { ...first, cutoff: entry.lotteryCutoffAt, announced: entry.announcedAt, ...last };
}

function addEdit(group: Command): void {
  const edit = describe(group.command("edit"), "Change an event; what is not named stays as it is.", [
    'event edit han-river-10k --location "Yeouido Park, Seoul" --publish',
    "event edit han-river-10k --first-come 600",
    "event edit han-river-10k --no-entry",
  ]).argument(...idArgument);
  onApi<[string], object>(addBodyOptions(edit, CHANGED_EVENT), async ({ api, args: [eventId] }) => {
    const change = readChange(edit, CHANGED_EVENT);
    if (change.entry) {
      const { entry } = await api.call<Event>("GET", pathOf(eventId));
      change.entry = mergedEntry(entry, change.entry as Body);
    }
    const changed = await namingOptions(edit, CHANGED_EVENT, api.call<Event>("PATCH", pathOf(eventId), change));
    return { json: changed, text: `Changed the event ${eventId}.` };
  });
}

function addRemove(group: Command): void {
  const remove = describe(group.command("remove"), "Remove an event with its runners and assignments.", [
    "event remove han-river-10k --yes",
  ]);
  remove.argument(...idArgument).addOption(yesOption());
  onApi<[string], { yes?: boolean }>(remove, async ({ api, args: [eventId], options }) => {
    const { name, date } = await api.call<Event>("GET", pathOf(eventId));
    checkMeant(options, `the event ${eventId} (${name}, ${date}) with all its runners`);
    await api.call("DELETE", `${pathOf(eventId)}?confirm=${encodeURIComponent(eventId)}`);
    return { json: { removed: eventId }, text: `Removed the event ${eventId}.` };
  });
}
