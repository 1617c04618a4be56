/** The options of an event, and how those about entry change what it has. */

import { Problem } from "../../platform/problem.ts";
import type { EntrySettings } from "../../registry/settings.ts";
import { type Body, type BodyOption, emptyIsNull, withoutNulls } from "./body-options.ts";
import { wholeNumber } from "./command.ts";

const PLACES = { parse: wholeNumber(1) };
const INSTANT = "such as 2027-03-01T10:00:00+09:00";

const ENTRY: BodyOption[] = [
  {
    flags: "--first-come <places>",
    field: "entry",
    description: "places go in the order of entries",
    ...PLACES,
    toBody: (capacityTotal) => ({ eventType: "FIRST_COME", capacityTotal }),
    conflicts: ["lottery"],
  },
  {
    flags: "--lottery <places>",
    field: "entry",
    description: "places go by a draw",
    ...PLACES,
    toBody: (capacityTotal) => ({ eventType: "LOTTERY", capacityTotal }),
  },
  { flags: "--opens <instant>", field: "entry.opensAt", description: `when entries open, ${INSTANT}` },
  {
    flags: "--closes <instant>",
    field: "entry.closesAt",
    description: "first-come: when entries close",
    toBody: emptyIsNull,
  },
  { flags: "--cutoff <instant>", field: "entry.lotteryCutoffAt", description: "lottery: when entries close" },
  { flags: "--announce <instant>", field: "entry.announcedAt", description: "lottery: when results are shown" },
  {
    flags: "--beacon <source>",
    field: "entry.beaconSource",
    description: 'lottery: the public value mixed into the draw, such as "drand round 4567890"',
    toBody: emptyIsNull,
  },
  {
    flags: "--cancel-until <instant>",
    field: "entry.cancelUntil",
    description: "until when a place can be given back",
    toBody: emptyIsNull,
  },
  {
    flags: "--bib-start <n>",
    field: "entry.bibStart",
    description: "the first bib that an accepted entrant gets",
    parse: wholeNumber(1),
  },
  { flags: "--bib-format <format>", field: "entry.bibFormat", description: "such as A0000" },
];

const SETTINGS: BodyOption[] = [
  { flags: "--location <place>", field: "location", description: "where the race is" },
  {
    flags: "--display-mode <mode>",
    field: "displayMode",
    description: "RESULTS_AND_PHOTOS or PHOTOS_ONLY",
    toBody: (mode) => String(mode).toUpperCase().replaceAll("-", "_"),
  },
  {
    flags: "--bib-pattern <pattern>",
    field: "photos.bibPattern",
    description: "what bibs look like, such as [A-Z]?[0-9]{1,6}",
  },
  {
    flags: "--retention-days <n>",
    field: "photos.retentionDays",
    description: "days after the race until faces are forgotten",
    parse: wholeNumber(1),
  },
  { flags: "--no-faces", field: "photos.faceIndexing", description: "find runners by bib only" },
  ...ENTRY,
];

const WHEN: BodyOption[] = [
  { flags: "--date <day>", field: "date", description: "the day of the race, as YYYY-MM-DD" },
  { flags: "--time-zone <zone>", field: "timeZone", description: "where that day is, such as Asia/Seoul" },
];
const DRAFT: BodyOption = {
  flags: "--draft",
  field: "published",
  description: "do not show it on the pages",
  toBody: () => false,
};

export const NEW_EVENT: BodyOption[] = [
  { flags: "--id <id>", field: "eventId", description: "its id (default: made from the name)" },
  ...WHEN,
  DRAFT,
  ...SETTINGS,
];

export const CHANGED_EVENT: BodyOption[] = [
  { flags: "--name <name>", field: "name", description: "its name" },
  ...WHEN,
  DRAFT,
  {
    flags: "--publish",
    field: "published",
    description: "show it on the pages",
    toBody: () => true,
    conflicts: ["draft"],
  },
  { flags: "--faces", field: "photos.faceIndexing", description: "find runners by face too" },
  {
    flags: "--no-entry",
    field: "entry",
    description: "take no entries any more",
    toBody: () => null,
    conflicts: [
      "firstCome",
      "lottery",
      "opens",
      "closes",
      "cutoff",
      "announce",
      "beacon",
      "cancelUntil",
      "bibStart",
      "bibFormat",
    ],
  },
  ...SETTINGS,
];

/** The API takes the whole entry settings at once. */
export function mergedEntry(current: EntrySettings | null, change: Body | null): Body | null {
  if (change === null) return null;
  const eventType = change.eventType ?? current?.eventType;
  if (eventType === undefined) {
    const sentence = "An event that takes entries needs --first-come or --lottery with its number of places.";
    throw new Problem("invalid", "usage.no-places", sentence);
  }
  const { closesAt, lotteryCutoffAt, announcedAt, beaconSource, ...kept }: Body = { ...current };
  const ofItsType = eventType === "LOTTERY" ? { lotteryCutoffAt, announcedAt, beaconSource } : { closesAt };
  return withoutNulls({ ...kept, ...ofItsType, ...change });
}
