/** What of an event's form goes to the server: all of a new event, and only what was changed of one that is there. */

import type { EntrySettings } from "../../../api/types.ts";
import { type EventForm, entrySettingsOf, isTimeOf, numberOf, type TimeName } from "./event-form.ts";

export function newEventBody(form: EventForm) {
  const location = form.location.trim();
  return {
    name: form.name,
    date: form.date,
    ...(location && { location }),
    timeZone: form.timeZone,
    displayMode: form.displayMode,
    published: false,
    entry: entrySettingsOf(form),
  };
}

/** `stored` are the settings that `before` shows: times that nobody touched stay as exact as they are there. */
export function eventChange(before: EventForm, after: EventForm, stored: EntrySettings | null) {
  const own = changed(before, after, ["name", "date", "location", "timeZone", "displayMode"]);
  const photos = {
    ...changed(before, after, ["bibPattern", "faceIndexing"]),
    ...(before.retentionDays !== after.retentionDays && { retentionDays: numberOf(after.retentionDays) }),
    ...(!same(before.zones, after.zones) && { watermarkZones: after.zones }),
  };
  const isMoved = before.timeZone !== after.timeZone;
  const isEntryChanged = !same(before.entry, after.entry) || (isMoved && after.entry.type !== "NONE");
  return {
    ...own,
    ...(Object.keys(photos).length > 0 && { photos }),
    ...(isEntryChanged && { entry: withUntouchedTimes(before, after, stored) }),
  };
}

export function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function withUntouchedTimes(before: EventForm, after: EventForm, stored: EntrySettings | null): EntrySettings | null {
  const settings = entrySettingsOf(after);
  if (!settings || before.timeZone !== after.timeZone) return settings;
  const untouched = Object.entries(stored ?? {}).filter(([name]) => {
    const time = name as TimeName;
    return isTimeOf(time, after.entry.type) && time in settings && before.entry[time] === after.entry[time];
  });
  const times = untouched.filter(([name]) => /At$|^cancelUntil$/.test(name));
  return { ...settings, ...Object.fromEntries(times) };
}

function changed<Name extends keyof EventForm>(before: EventForm, after: EventForm, names: Name[]) {
  const pairs = names.filter((name) => before[name] !== after[name]).map((name) => [name, after[name]]);
  return Object.fromEntries(pairs) as Partial<Pick<EventForm, Name>>;
}
