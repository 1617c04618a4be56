/** What a page's head says about it to messengers and search engines: a race's name, a photo's preview card. */

import type { Hono } from "hono";

export type About = {
  title: string;
  description: string;
  image?: { path: string; width: number; height: number } | undefined;
};

/** Asks the API as anybody may, so that a head never tells more than a page. */
export type PublicApi = Pick<Hono, "request">;

const THUMBNAIL_LONG_SIDE = 640;
/** Of a page that is about no race. */
export const PLAIN: About = {
  title: "SnapRace",
  description: "SnapRace takes a race from sign-up to finish-line photo.",
};

/** Nothing where there is no such race or photo. */
export async function aboutPage(path: string, api: PublicApi): Promise<About | undefined> {
  const [, place, eventId, part, ulid] = path.split("/");
  if (place !== "events" || !eventId) return PLAIN;
  const event = await ask(api, `/api/events/${eventId}`);
  if (!event) return undefined;
  const where = [event.date, event.location].filter(Boolean).join(" · ");
  const about = { title: event.name, description: `${where} · ${event.organization.name}` };
  if (part !== "photos") return about;
  if (!ulid) return { ...about, title: `${event.name}: photos` };
  const photo = await ask(api, `/api/events/${eventId}/photos/${ulid}`);
  return photo && { ...about, ...aboutPhoto(photo, event.name), image: cardOf(path, photo) };
}

/** The address the card's picture is at now; it changes, the card's own address does not. */
export async function cardPicture(eventId: string, ulid: string, api: PublicApi): Promise<string | undefined> {
  const photo = await ask(api, `/api/events/${eventId}/photos/${ulid}`);
  return photo?.thumbnailUrl;
}

function aboutPhoto({ bibs, photographer }: Found, eventName: string): Pick<About, "title" | "description"> {
  const credit = photographer?.displayName ?? photographer?.handle;
  const title = bibs.length > 0 ? `${bibs.join(", ")} · ${eventName}` : eventName;
  return { title, description: credit ? `Photo: ${credit}` : eventName };
}

function cardOf(path: string, { width, height }: Found): About["image"] {
  const scale = Math.min(1, THUMBNAIL_LONG_SIDE / Math.max(width, height));
  return { path: `${path}/card.jpg`, width: Math.round(width * scale), height: Math.round(height * scale) };
}

type Found = {
  name: string;
  date: string;
  location: string;
  organization: { name: string };
  bibs: string[];
  photographer: { displayName: string | null; handle: string | null } | null;
  width: number;
  height: number;
  thumbnailUrl: string;
};

async function ask(api: PublicApi, address: string): Promise<Found | undefined> {
  const answer = await api.request(address);
  return answer.ok ? ((await answer.json()) as Found) : undefined;
}
