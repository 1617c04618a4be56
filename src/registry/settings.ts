/** What an organizer sets for an organization and an event, with its limits and defaults; schemas and types share names. */

import { z } from "zod";

/** Text people read: one line, trimmed, in one Unicode form, nothing invisible. */
export const line = (maxLength: number) =>
  z
    .string()
    .normalize("NFC")
    .trim()
    .min(1, "It must not be empty.")
    .max(maxLength, `It has at most ${maxLength} characters.`)
    // Queues carry no noncharacters (\p{NChar}), and a photographer's name goes through one.
    .regex(/^[^\p{Cc}\p{Cs}\p{NChar}\u2028\u2029]*$/u, "It must be one line without control characters.");

/** Addresses are compared without regard to case, as every mail service does. */
export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, "An e-mail address has at most 254 characters.")
  .pipe(z.email("It is no e-mail address, such as kim@example.com."))
  .meta({ example: "kim@example.com" });

export const WebAddress = z
  .url({ protocol: /^https?$/, error: "It must be a web address that begins with https:// or http://." })
  .max(500, "It has at most 500 characters.")
  .meta({ example: "https://example.com" });

/** Pages show pictures of others over https only. */
const PictureAddress = z
  .url({ protocol: /^https$/, error: "It must be a web address that begins with https://." })
  .max(500, "It has at most 500 characters.")
  .meta({ example: "https://example.com/logo.png" });

export const Subdomain = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, "A subdomain has 1 to 63 letters a to z, digits or inner dashes.")
  .meta({ example: "hanriver" });

export const Branding = z
  .strictObject({
    accentColor: z
      .string()
      .regex(/^#[0-9a-fA-F]{6}$/, "A colour is # and six hex digits, such as #c2410c.")
      .optional(),
    logoUrl: PictureAddress.optional(),
    websiteUrl: WebAddress.optional(),
  })
  .meta({ description: "How the organization's pages look." });
export type Branding = z.infer<typeof Branding>;

export const TimeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, {
    error: 'There is no such time zone. Give an IANA name, such as "Asia/Seoul".',
    params: { code: "event.unknown-time-zone" },
  })
  .meta({ example: "Asia/Seoul" });

/** Only names: offsets such as "+09:00" would be wrong for half the year in much of the world. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export const DisplayMode = z.enum(["RESULTS_AND_PHOTOS", "PHOTOS_ONLY"]);
export type DisplayMode = z.infer<typeof DisplayMode>;

const fraction = z.number().min(0).max(1);
const WatermarkZone = z
  .strictObject({ left: fraction, top: fraction, width: fraction, height: fraction })
  .refine((zone) => zone.width > 0 && zone.height > 0 && zone.left + zone.width <= 1 && zone.top + zone.height <= 1, {
    error: "A zone must have a size and lie within the picture: left + width and top + height are at most 1.",
  })
  .meta({ description: "Fractions of the picture's width and height, from its top left corner." });
export type WatermarkZone = z.infer<typeof WatermarkZone>;

export const DEFAULT_BIB_PATTERN = "[A-Z]?[0-9]{1,6}";
/** Photographers sign in the lower corners. Zones from 0.88 on swallowed the bib of a runner. */
export const DEFAULT_WATERMARK_ZONES: WatermarkZone[] = [
  { left: 0, top: 0.93, width: 0.2, height: 0.07 },
  { left: 0.8, top: 0.93, width: 0.2, height: 0.07 },
];

const MOST_CHOICES = 6;

const BibPattern = z
  .string()
  .min(1)
  .max(100, "A bib pattern has at most 100 characters.")
  .refine(isPattern, { error: "It must be a regular expression that fits a whole bib and never an empty text." })
  .refine(isQuick, { error: `Repeat no group, and use at most ${MOST_CHOICES} of ?, *, +, {m,n} and | together.` })
  .meta({ example: DEFAULT_BIB_PATTERN });

function isPattern(source: string): boolean {
  try {
    // By itself too: "1)|(?:2" would step out of the brackets put around it.
    new RegExp(source, "u");
    return !new RegExp(`^(?:${source})$`, "u").test("");
  } catch {
    return false;
  }
}

/** Every choice multiplies the ways to read a bib's twelve characters: "[0-9]?" 28 times takes ten seconds to say no. */
function isQuick(source: string): boolean {
  const plain = source.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]/gu, "x").replaceAll(/\(\?(?:<\w+>|<?[:=!])/g, "(");
  return !/\)[*+{]/.test(plain) && plain.split(/[?*+|]|\{\d+,\d*\}/).length - 1 <= MOST_CHOICES;
}

const photoFields = {
  bibPattern: BibPattern,
  watermarkZones: z.array(WatermarkZone).max(10, "There are at most 10 watermark zones."),
  faceIndexing: z.boolean(),
  retentionDays: z.int().min(1).max(3650).meta({ description: "Days after the event until faces are forgotten." }),
};

export const PhotoSettings = z
  .strictObject({
    bibPattern: photoFields.bibPattern.default(DEFAULT_BIB_PATTERN),
    watermarkZones: photoFields.watermarkZones.default(DEFAULT_WATERMARK_ZONES),
    faceIndexing: photoFields.faceIndexing.default(true),
    retentionDays: photoFields.retentionDays.default(90),
  })
  .meta({ id: "PhotoSettings", description: "How photos of the event are read." });

/** Without defaults: what is left out of a change stays as it is. */
export const PhotoSettingsChange = z.strictObject(photoFields).partial();

/** An instant with its offset, kept as UTC. */
const Instant = z.iso
  .datetime({
    offset: true,
    error: "Give an instant with its offset, such as 2027-03-01T10:00:00+09:00.",
    // What is no instant can't be kept as one.
    abort: true,
  })
  .overwrite((text) => new Date(text).toISOString())
  .meta({ example: "2027-03-01T01:00:00.000Z" });

const entryFields = {
  capacityTotal: z.int().min(1).max(1_000_000),
  opensAt: Instant,
  cancelUntil: Instant.optional().meta({ description: "Until when a place can be given back." }),
  bibStart: z
    .int()
    .min(1)
    .max(999_999)
    .default(1)
    .meta({ description: "The first bib that an accepted entrant gets." }),
  bibFormat: z
    .string()
    .regex(/^[A-Z]?0{1,6}$/, "A bib format is an optional capital letter and one zero for each digit, such as A0000.")
    .default("0000"),
};

const FirstComeEntry = z
  .strictObject({ eventType: z.literal("FIRST_COME"), ...entryFields, closesAt: Instant.optional() })
  .refine((entry) => !entry.closesAt || entry.opensAt < entry.closesAt, {
    path: ["closesAt"],
    error: "Entries must close after they open.",
  });

const LotteryEntry = z
  .strictObject({
    eventType: z.literal("LOTTERY"),
    ...entryFields,
    lotteryCutoffAt: Instant,
    announcedAt: Instant,
    beaconSource: line(200).optional().meta({
      description:
        "A public value that nobody can know in advance, such as drand round 4567890, mixed into the draw; the organizer gives it with the draw.",
    }),
  })
  .refine((entry) => entry.opensAt < entry.lotteryCutoffAt, {
    path: ["lotteryCutoffAt"],
    error: "The cutoff must be after entries open.",
  })
  .refine((entry) => entry.lotteryCutoffAt <= entry.announcedAt, {
    path: ["announcedAt"],
    error: "Results can't be announced before the cutoff.",
  });

export const EntrySettings = z
  .discriminatedUnion("eventType", [FirstComeEntry, LotteryEntry])
  .meta({ id: "EntrySettings", description: "How places are given. An event without them takes no entries." });
export type EntrySettings = z.infer<typeof EntrySettings>;
