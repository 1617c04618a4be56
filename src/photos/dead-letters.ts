/** Messages about photos that were given up on: whose they are, what is known of the uploads they name, and their way back. */

import { z } from "zod";
import {
  basicsOf,
  createDeadLetterLists,
  type DeadLetterLists,
  LetterBasics,
  type LetterOwner,
  type NamedLetter,
  type NamedQueue,
  peekLetters,
} from "../platform/dead-letter-lists.ts";
import { EventId } from "../platform/ids.ts";
import type { Engines } from "../platform/ports.ts";
import { registryQueues } from "../registry/events.ts";
import { UploadStatus } from "./failed-photos.ts";
import { executionOf } from "./ingest.ts";
import { type UploadItem, uploadKey } from "./items.ts";
import { type EventPlace, parseRawKey } from "./object-keys.ts";
import { PhotoId } from "./photo-id.ts";
import { failureQueue, type Photos, uploadQueue } from "./photos.ts";

export const ShownPhotoLetter = LetterBasics.extend({
  eventId: EventId.nullable(),
  key: z.string().nullable().meta({ description: "The object it is about." }),
  ulid: PhotoId.nullable().meta({ description: "The photo's, where the message names it." }),
  status: UploadStatus.nullable().meta({ description: "The upload's, as it is now." }),
}).meta({ id: "PhotoDeadLetter" });
export type ShownPhotoLetter = z.infer<typeof ShownPhotoLetter>;

export type PhotoDeadLetters = DeadLetterLists<ShownPhotoLetter>;

type Names = { key?: string; place?: EventPlace; ulid?: string };
type Letter = NamedLetter<Names>;

const Detail = z.looseObject({
  object: z.looseObject({ key: z.string() }).optional().catch(undefined),
  name: z.string().optional().catch(undefined),
  input: z.string().optional().catch(undefined),
});

export function openPhotoDeadLetters(photos: Photos, engines: Pick<Engines, "queue">): PhotoDeadLetters {
  const open = ({ name, settings }: typeof uploadQueue) => ({ name, queue: engines.queue(name, settings) });
  const queues = { own: [uploadQueue, failureQueue].map(open), registry: open(registryQueues.photos) };
  return createDeadLetterLists({
    lettersOf: (owner) => lettersOf(photos, queues, owner),
    show: (letters) => show(photos, letters),
  });
}

/**
 * An event has what is about objects of its own. No organizer sees what is about no object of an event, or of one that is
 * gone, and what the registry sent.
 */
async function lettersOf(
  photos: Photos,
  queues: { own: NamedQueue[]; registry: NamedQueue },
  { eventId }: LetterOwner,
): Promise<Letter[]> {
  const named = (await Promise.all(queues.own.map((queue) => peekLetters(queue, namesIn)))).flat();
  const orgs = new Map<string, string | undefined>();
  for (const { names } of named) {
    const each = names.place?.eventId;
    if (each !== undefined && !orgs.has(each)) orgs.set(each, (await photos.facts.eventForPhotos(each))?.orgId);
  }
  const eventOf = ({ names: { place } }: Letter) =>
    place && orgs.get(place.eventId) === place.orgId ? place.eventId : undefined;
  const theirs = named.filter((letter) => eventOf(letter) === eventId);
  return eventId === undefined ? [...theirs, ...(await peekLetters(queues.registry, () => ({})))] : theirs;
}

function namesIn(message: { [field: string]: unknown }): Names {
  const { object, name, input } = Detail.safeParse(message.detail).data ?? {};
  const key = object?.key ?? rawKeyIn(input);
  const place = key === undefined ? undefined : parseRawKey(key);
  const ulid = name === undefined ? undefined : executionOf(name)?.ulid;
  return { ...(key !== undefined && { key }), ...(place && { place }), ...(ulid !== undefined && { ulid }) };
}

function rawKeyIn(input: string | undefined): string | undefined {
  try {
    return z.looseObject({ rawKey: z.string() }).safeParse(JSON.parse(input ?? "")).data?.rawKey;
  } catch {
    return undefined;
  }
}

async function show({ table }: Photos, letters: Letter[]): Promise<ShownPhotoLetter[]> {
  const about = letters.flatMap(({ names: { place, ulid } }) => (place && ulid ? [uploadKey(place, ulid)] : []));
  const unique = [...new Map(about.map((key) => [`${key.PK} ${key.SK}`, key])).values()];
  const uploads = (await table.batchGet(unique)) as (UploadItem | undefined)[];
  const statusOf = new Map(uploads.flatMap((upload) => (upload ? [[`${upload.PK} ${upload.SK}`, upload.status]] : [])));
  return letters.map((letter) => {
    const { key = null, place, ulid = null } = letter.names;
    const { PK, SK } = place && ulid ? uploadKey(place, ulid) : { PK: "", SK: "" };
    const status = statusOf.get(`${PK} ${SK}`) ?? null;
    return { ...basicsOf(letter), eventId: place?.eventId ?? null, key, ulid, status };
  });
}
