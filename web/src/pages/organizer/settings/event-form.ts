/** An event's settings as its form holds them: texts as typed, times as clocks at the place show them. */

import type { EntrySettings, Event } from "../../../api/types.ts";
import { DEFAULT_BIB_PATTERN } from "./bib-pattern.ts";
import type { Zone } from "./zone-geometry.ts";
import { addDays, dayAt, instantOf, localTimeOf } from "./zoned-time.ts";

export type EntryType = "NONE" | EntrySettings["eventType"];
export type TimeName = "opensAt" | "closesAt" | "lotteryCutoffAt" | "announcedAt" | "cancelUntil";

export type EntryForm = { [Name in TimeName]: string } & {
  type: EntryType;
  capacityTotal: string;
  beaconSource: string;
  bibLetter: string;
  bibDigits: string;
  bibStart: string;
};

export type EventForm = {
  name: string;
  date: string;
  location: string;
  timeZone: string;
  displayMode: Event["displayMode"];
  entry: EntryForm;
  bibPattern: string;
  zones: Zone[];
  faceIndexing: boolean;
  retentionDays: string;
};

export type ChangeForm = (change: Partial<EventForm>) => void;
export type ChangeEntry = (change: Partial<EntryForm>) => void;

export const TIMES: TimeName[] = ["opensAt", "closesAt", "lotteryCutoffAt", "announcedAt", "cancelUntil"];
const SUNDAY_WEEKS_AHEAD = 12;
const DAYS_TO_OPENING = 7;
const DAYS_FROM_CLOSING = 14;
const DAYS_TO_DRAW = 3;

/** A race on a Sunday in three months, with entries from next week on: most of it can stay. */
export function newEventForm(now: number, timeZone: string): EventForm {
  const today = dayAt(now, timeZone);
  const date = addDays(today, SUNDAY_WEEKS_AHEAD * 7 - new Date(`${today}T00:00Z`).getUTCDay());
  return {
    name: "",
    date,
    location: "",
    timeZone,
    displayMode: "RESULTS_AND_PHOTOS",
    entry: newEntry(date, today),
    bibPattern: DEFAULT_BIB_PATTERN,
    zones: [],
    faceIndexing: true,
    retentionDays: "90",
  };
}

function newEntry(date: string, today: string): EntryForm {
  return {
    type: "FIRST_COME",
    capacityTotal: "500",
    ...usualTimes(date, today),
    cancelUntil: "",
    beaconSource: "",
    bibLetter: "",
    bibDigits: "4",
    bibStart: "1",
  };
}

/** Entries open next week and end two weeks before the race, or as late as there is time for. */
export function usualTimes(date: string, today: string) {
  const opens = min(addDays(today, DAYS_TO_OPENING), max(today, addDays(date, -DAYS_TO_OPENING)));
  const closes = max(addDays(opens, 1), addDays(date, -DAYS_FROM_CLOSING));
  return {
    opensAt: `${opens}T10:00`,
    closesAt: `${closes}T23:59`,
    lotteryCutoffAt: `${closes}T23:59`,
    announcedAt: `${addDays(closes, DAYS_TO_DRAW)}T10:00`,
  };
}

export function formOf(event: Event, now: number): EventForm {
  const { name, date, location, timeZone, displayMode, photos } = event;
  return {
    name,
    date,
    location,
    timeZone,
    displayMode,
    entry: entryFormOf(event, dayAt(now, timeZone)),
    bibPattern: photos.bibPattern,
    zones: photos.watermarkZones,
    faceIndexing: photos.faceIndexing,
    retentionDays: String(photos.retentionDays),
  };
}

function entryFormOf({ entry, date, timeZone }: Event, today: string): EntryForm {
  const usual = newEntry(date, today);
  if (!entry) return { ...usual, type: "NONE" };
  const { capacityTotal, bibFormat, bibStart } = entry;
  const hasLetter = !bibFormat.startsWith("0");
  const stored = entry as { [Name in TimeName]?: string } & { beaconSource?: string };
  const times = TIMES.flatMap((name) => {
    const at = stored[name];
    if (at !== undefined) return [[name, localTimeOf(at, timeZone)]];
    return isTimeOf(name, entry.eventType) ? [[name, ""]] : [];
  });
  return {
    ...usual,
    ...Object.fromEntries(times),
    type: entry.eventType,
    capacityTotal: String(capacityTotal),
    beaconSource: stored.beaconSource ?? "",
    bibLetter: hasLetter ? bibFormat.slice(0, 1) : "",
    bibDigits: String(bibFormat.length - (hasLetter ? 1 : 0)),
    bibStart: String(bibStart),
  };
}

export function isTimeOf(name: TimeName, type: EntryType): boolean {
  if (name === "closesAt") return type === "FIRST_COME";
  if (name === "lotteryCutoffAt" || name === "announcedAt") return type === "LOTTERY";
  return type !== "NONE";
}

function bibFormatOf({ bibLetter, bibDigits }: Pick<EntryForm, "bibLetter" | "bibDigits">): string {
  return `${bibLetter.trim().toUpperCase()}${"0".repeat(Number(bibDigits))}`;
}

/** The bib of the first who gets a place. */
export function firstBib(entry: EntryForm): string {
  return `${entry.bibLetter.trim().toUpperCase()}${entry.bibStart.padStart(Number(entry.bibDigits), "0")}`;
}

/** What is left empty or is no number goes to the server as it is: it says what is wrong with it. */
export function entrySettingsOf({ entry, timeZone }: EventForm): EntrySettings | null {
  if (entry.type === "NONE") return null;
  const times = TIMES.filter((name) => isTimeOf(name, entry.type)).map((name) => [
    name,
    instantOf(entry[name], timeZone),
  ]);
  return {
    eventType: entry.type,
    capacityTotal: numberOf(entry.capacityTotal),
    ...Object.fromEntries(times.filter(([, at]) => at !== undefined)),
    ...(entry.type === "LOTTERY" && entry.beaconSource.trim() && { beaconSource: entry.beaconSource.trim() }),
    bibStart: numberOf(entry.bibStart),
    bibFormat: bibFormatOf(entry),
  } as EntrySettings;
}

export function numberOf(text: string): number {
  return text.trim() === "" ? Number.NaN : Number(text);
}

function min(a: string, b: string): string {
  return a < b ? a : b;
}

function max(a: string, b: string): string {
  return a > b ? a : b;
}
