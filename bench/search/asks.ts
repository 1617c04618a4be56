/** What is asked of a gallery, by the route that answers it, each time for something else. */

import { encodeTime } from "ulid";
import { galleryRoutes } from "../../src/photos/http.ts";
import { eventPartition, PHOTO_PREFIX, photoSort } from "../../src/photos/items.ts";
import type { EventPlace } from "../../src/photos/object-keys.ts";
import type { Photos } from "../../src/photos/photos.ts";
import { systemClock } from "../../src/platform/clock.ts";
import type { Incoming } from "../../src/platform/http/exchange.ts";
import type { Route } from "../../src/platform/http/route.ts";
import type { Blobs, Table } from "../../src/platform/ports.ts";
import { DEFAULT_BIB_PATTERN, type EventForPhotos } from "../../src/registry/events.ts";
import { bibOf, bibsIn, photographerOf, takenAt } from "./stored-photos.ts";

export const PAGE = 50;

export type Subject = {
  photos: number;
  ask(name: AskName, turn: number): Promise<number>;
};

export const ASKS = ["bib", "gallery", "gallery, in its middle", "photographer", "near misses"] as const;
export type AskName = (typeof ASKS)[number];

/** Answers how many photos came, and makes JSON of them as the server does. */
export async function openSubject(
  event: EventPlace,
  stored: number,
  engines: { table: Table; blobs: Blobs },
): Promise<Subject> {
  const get = answering(galleryRoutes(photosOn(event, engines)), event);
  const bibs = bibsIn(stored);
  // A number that every size has, and so its step through the bibs goes everywhere.
  const bibAt = (turn: number) => bibOf((turn * 7919) % bibs);
  const middle = await cursorToMiddle(engines.table, event, stored);
  return {
    photos: stored,
    ask: async (name, turn) => {
      switch (name) {
        case "bib":
          return (await get({ bib: bibAt(turn) })).items.length;
        case "gallery":
          return (await get({})).items.length;
        case "gallery, in its middle":
          return (await get({ cursor: middle })).items.length;
        case "photographer":
          return (await get({ photographer: photographerOf(turn) })).items.length;
        case "near misses":
          return (await get({ bib: `9${bibAt(turn).slice(1)}9` })).items.length;
      }
    },
  };
}

type Page = { items: unknown[]; cursor?: string };
type Get = (query: { bib?: string; cursor?: string; photographer?: string; limit?: number }) => Promise<Page>;

function answering(routes: Route[], { eventId }: EventPlace): Get {
  const route = routes.find(({ path }) => path === "/events/{eventId}/photos") as Route;
  const request = { header: () => undefined } as unknown as Incoming;
  return async (query) => {
    const call = { params: { eventId }, body: undefined, actor: undefined as never, request, address: () => "" };
    const { body } = await route.handle({ ...call, query: { limit: PAGE, ...query } });
    JSON.stringify(body);
    return body as Page;
  };
}

/** Where somebody is who has seen half of the photos. */
async function cursorToMiddle(table: Table, event: EventPlace, stored: number): Promise<string> {
  const sort = { from: PHOTO_PREFIX, to: photoSort(encodeTime(takenAt(Math.floor(stored / 2)))) };
  const { cursor } = await table.query({ partition: eventPartition(event), sort, order: "descending", limit: 1 });
  return cursor as string;
}

function photosOn(event: EventPlace, engines: { table: Table; blobs: Blobs }): Photos {
  const facts: EventForPhotos = {
    ...event,
    name: "Han River 10K",
    published: true,
    bibPattern: DEFAULT_BIB_PATTERN,
    watermarkZones: [],
    faceIndexing: true,
    facesUntil: Number.MAX_SAFE_INTEGER,
  };
  const kept = <T>(value: T) => ({ read: async () => value, forget: () => {} });
  return { ...engines, clock: systemClock, events: kept(facts), rosters: kept(new Set()) } as unknown as Photos;
}
