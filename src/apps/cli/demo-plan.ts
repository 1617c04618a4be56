/** What the demo consists of at a given moment: dates move along, all else stays. */

import { DEFAULT_WATERMARK_ZONES } from "../../registry/events.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TIME_ZONE = "Asia/Seoul";
const SUNDAY = 0;

export const DEMO_ORG = "demo";
/** Who can sign in to the pages for it: addresses that nobody has, so their codes only appear where letters stay here. */
export const DEMO_ORGANIZER = "organizer@example.com";
export const DEMO_PHOTOGRAPHER = "photographer@example.com";
export const PHOTO_EVENT = "demo-photos";

export const demoOrganization = {
  name: "Han River Running Crew 한강 러닝 크루",
  subdomain: "demo",
  branding: { accentColor: "#0e7490", websiteUrl: "https://hanriver.example" },
};

export const demoPhotographers = [
  {
    photographerId: "demo-minji",
    role: "finish line",
    fields: {
      name: "김민지",
      displayName: "Minji Kim 김민지",
      instagramHandle: "minji.on.the.run",
      websiteUrl: "https://minji.example",
      bio: "결승선의 표정을 찍습니다. Finish-line faces since 2015.",
      email: DEMO_PHOTOGRAPHER,
      active: true,
    },
  },
  {
    photographerId: "demo-daniel",
    role: "bridge at 5 km",
    fields: {
      name: "Daniel Park",
      displayName: "Daniel Park",
      instagramHandle: "daniel.runs.seoul",
      websiteUrl: null,
      bio: "Bridges, rivers and runners. 다리와 강과 러너.",
      email: null,
      active: true,
    },
  },
];

export function demoEvents(nowMs: number) {
  const shared = {
    timeZone: TIME_ZONE,
    displayMode: "RESULTS_AND_PHOTOS",
    published: true,
    photos: {
      bibPattern: "[A-Z]?[0-9]{1,6}",
      watermarkZones: DEFAULT_WATERMARK_ZONES,
      faceIndexing: true,
      retentionDays: 90,
    },
  };
  return [
    {
      eventId: "demo-first-come",
      fields: {
        ...shared,
        name: "Han River First Light 10K 한강 첫빛 10K",
        date: sundayAfter(nowMs + 42 * DAY_MS),
        location: "여의도공원 Yeouido Park, Seoul",
        entry: {
          eventType: "FIRST_COME",
          capacityTotal: 500,
          opensAt: instant(nowMs - HOUR_MS),
          bibStart: 1,
          bibFormat: "0000",
        },
      },
    },
    {
      eventId: "demo-lottery",
      fields: {
        ...shared,
        name: "Banpo Bridge Half Marathon 반포대교 하프마라톤",
        date: sundayAfter(nowMs + 120 * DAY_MS),
        location: "반포한강공원 Banpo Hangang Park, Seoul",
        entry: {
          eventType: "LOTTERY",
          capacityTotal: 1000,
          opensAt: instant(nowMs - DAY_MS),
          lotteryCutoffAt: instant(nowMs + 7 * DAY_MS),
          announcedAt: instant(nowMs + 8 * DAY_MS),
          bibStart: 1,
          bibFormat: "H0000",
        },
      },
    },
    {
      eventId: PHOTO_EVENT,
      fields: {
        ...shared,
        name: "Yeouido Sunset 10K 여의도 선셋 10K",
        date: dayOf(nowMs),
        location: "여의도한강공원 Yeouido Hangang Park, Seoul",
        entry: null,
      },
    },
  ];
}

/** What day it is in Seoul. */
function dayOf(nowMs: number): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone: TIME_ZONE, dateStyle: "short" }).format(nowMs);
}

/** Races are on Sundays. */
function sundayAfter(nowMs: number): string {
  const day = new Date(`${dayOf(nowMs)}T00:00:00Z`);
  const missing = (7 + SUNDAY - day.getUTCDay()) % 7;
  return new Date(day.getTime() + missing * DAY_MS).toISOString().slice(0, 10);
}

/** To the minute, as people would set it. */
function instant(nowMs: number): string {
  return new Date(Math.floor(nowMs / 60_000) * 60_000).toISOString();
}
