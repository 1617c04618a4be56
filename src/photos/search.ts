/** Which photos there are: of an event, of a bib, of a photographer. Every list is asked by its key, and a page costs a page. */

import { decodeCursor, encodeCursor, invalidCursor } from "../platform/cursor.ts";
import type { PageRequest } from "../platform/http/paging.ts";
import { EventId } from "../platform/ids.ts";
import type { Page } from "../platform/ports.ts";
import { Problem } from "../platform/problem.ts";
import type { EventForPhotos } from "../registry/events.ts";
import {
  type BibIndexItem,
  bibPartition,
  eventPartition,
  PHOTO_PREFIX,
  type PhotoItem,
  photographerPartition,
  photographerSort,
  photoKey,
} from "./items.ts";
import { lookAround, type NearMisses, withoutZeros } from "./near-misses.ts";
import type { EventPlace } from "./object-keys.ts";
import type { Photos } from "./photos.ts";

/** A page that what was read does not fill may come short: reading on for it has an end. */
const MOST_READS = 8;

type Searched = Pick<Photos, "table" | "rosters">;

export async function findPhoto({ table }: Pick<Photos, "table">, event: EventPlace, ulid: string): Promise<PhotoItem> {
  const found = (await table.get(photoKey(event, ulid))) as PhotoItem | undefined;
  if (!found) throw new Problem("missing", "photo.not-found", `There is no photo ${ulid} in ${event.eventId}.`);
  return found;
}

/** In the order asked, without those that are not there. */
export async function findPhotos({ table }: Pick<Photos, "table">, event: EventPlace, ulids: string[]) {
  const found = await table.batchGet(ulids.map((ulid) => photoKey(event, ulid)));
  return found.filter((item): item is PhotoItem => item !== undefined);
}

/** Newest first, as all lists are. */
export async function listEventPhotos({ table }: Searched, event: EventPlace, page: PageRequest) {
  const ask = { partition: eventPartition(event), sort: { beginsWith: PHOTO_PREFIX } };
  return (await table.query({ ...ask, ...newestFirst(page) })) as Page<PhotoItem>;
}

export async function listPhotographerInEvent(
  { table }: Searched,
  { orgId, eventId }: EventPlace,
  photographerId: string,
  page: PageRequest,
): Promise<Page<PhotoItem>> {
  const partition = photographerPartition(photographerId);
  const sort = { beginsWith: photographerSort(eventId, "") };
  const found = (await table.query({ index: "GSI2", partition, sort, ...newestFirst(page) })) as Page<PhotoItem>;
  // An event of the same id may have been another organization's, whose photos are still being removed.
  return { ...found, items: found.items.filter((item) => item.orgId === orgId) };
}

export type BibPage = Page<PhotoItem> & {
  /** The one that was looked for: perhaps with other zeros before it. */
  bib: string;
  nearMisses?: NearMisses;
};

export async function searchBib(
  photos: Searched,
  event: EventForPhotos,
  ask: { bib: string; photographerId?: string | undefined },
  page: PageRequest,
): Promise<BibPage> {
  const at = bibPosition(page.cursor, ask.bib);
  const found = await readBib(photos, event, { ...ask, bib: at.bib }, { ...page, cursor: at.next });
  if (page.cursor !== undefined || found.items.length > 0 || found.cursor !== undefined) return found;
  const around = await lookAround(photos, event, ask.bib);
  // There are some, and only this photographer has none.
  if (around.photos > 0 && ask.photographerId !== undefined) return found;
  if (around.spelled !== undefined) return readBib(photos, event, { ...ask, bib: around.spelled }, page);
  return { ...found, nearMisses: around.nearMisses };
}

/** A photo's index item does not say whose it is, so of one photographer's photos all are read and the others left out. */
async function readBib(
  { table }: Searched,
  event: EventPlace,
  { bib, photographerId }: { bib: string; photographerId?: string | undefined },
  page: PageRequest,
): Promise<BibPage> {
  const partition = bibPartition(event.eventId, bib);
  const items: PhotoItem[] = [];
  let { cursor } = page;
  for (let reads = 0; reads < MOST_READS; reads += 1) {
    const limit = page.limit - items.length;
    const found = await table.query({ index: "GSI1", partition, ...newestFirst({ limit, cursor }) });
    const ulids = (found.items as BibIndexItem[]).map(({ ulid }) => ulid);
    const read = await findPhotos({ table }, event, ulids);
    items.push(...read.filter((item) => photographerId === undefined || item.photographerId === photographerId));
    cursor = found.cursor;
    if (cursor === undefined || items.length === page.limit) break;
  }
  return { bib, items, ...(cursor !== undefined && { cursor: encodeCursor({ bib, next: cursor }) }) };
}

/** A list goes on with the zeros it was begun with. */
function bibPosition(cursor: string | undefined, bib: string): { bib: string; next?: string } {
  if (cursor === undefined) return { bib };
  const position = decodeCursor(cursor, ["bib", "next"]);
  if (withoutZeros(position.bib) !== withoutZeros(bib)) throw invalidCursor();
  return position;
}

/**
 * By event, newest first in each. `ownerOf` answers whose an event is, where it may be seen: others' photos are left
 * out, and an event that may not be seen is passed over whole.
 */
export async function listPhotographerPhotos(
  { table }: Pick<Photos, "table">,
  photographerId: string,
  ownerOf: (eventId: string) => Promise<string | undefined>,
  page: PageRequest,
): Promise<Page<PhotoItem>> {
  const partition = photographerPartition(photographerId);
  const items: PhotoItem[] = [];
  let at: Position | undefined = positionIn(page.cursor);
  for (let reads = 0; at && items.length < page.limit && reads < MOST_READS; reads += 1) {
    const ask = newestFirst({ limit: page.limit - items.length, cursor: at.next });
    const sort = at.passed === undefined ? undefined : { to: `EVT#${at.passed}#` };
    const found = await table.query({ index: "GSI2", partition, ...(sort && { sort }), ...ask });
    const read = found.items as PhotoItem[];
    const owners = await Promise.all(read.map(({ eventId }) => ownerOf(eventId)));
    items.push(...read.filter(({ orgId }, index) => orgId === owners[index]));
    const last = read.at(-1);
    if (found.cursor === undefined) at = undefined;
    else at = last && owners.at(-1) === undefined ? { passed: last.eventId } : { next: found.cursor };
  }
  return { items, ...(at && { cursor: encodeCursor({ next: at.next ?? "", passed: at.passed ?? "" }) }) };
}

/** After a photo, or after all of an event. */
type Position = { next?: string; passed?: string };

function positionIn(cursor: string | undefined): Position {
  if (cursor === undefined) return {};
  const { next, passed } = decodeCursor(cursor, ["next", "passed"]);
  if (passed === "") return { next };
  if (EventId.safeParse(passed).data !== passed) throw invalidCursor();
  return { passed };
}

function newestFirst({ limit, cursor }: PageRequest) {
  return { order: "descending" as const, limit, ...(cursor !== undefined && { cursor }) };
}
