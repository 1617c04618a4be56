/** Where the objects of a photo are, and under which name its event's faces are remembered. */

import { createHash } from "node:crypto";
import { EventId, OrganizationId } from "../platform/ids.ts";

export type EventPlace = { orgId: string; eventId: string };

export const rawKey = ({ orgId, eventId }: EventPlace, fileName: string) => `${orgId}/${eventId}/raw/${fileName}`;
export const processedKey = ({ orgId, eventId }: EventPlace, ulid: string) =>
  `${orgId}/${eventId}/processed/${ulid}.jpg`;
export const thumbnailKey = ({ orgId, eventId }: EventPlace, ulid: string) =>
  `${orgId}/${eventId}/processed/${ulid}.thumbnail.jpg`;

/** What we put there ourselves is announced too, and is nobody's upload. */
export const isProcessedKey = (key: string): boolean => /^[^/]+\/[^/]+\/processed\/[^/]+$/.test(key);

export function parseRawKey(key: string): (EventPlace & { fileName: string }) | undefined {
  const [orgId, eventId, folder, fileName, ...rest] = key.split("/");
  if (folder !== "raw" || !fileName || rest.length > 0) return undefined;
  const org = OrganizationId.safeParse(orgId);
  const event = EventId.safeParse(eventId);
  // An id in another Unicode form is another key, and nobody would find the photo.
  if (org.data !== orgId || event.data !== eventId) return undefined;
  return { orgId: org.data as string, eventId: event.data as string, fileName };
}

const PREFIX = /^[0-9a-f]{16}-(?=.)/;

/** Two cameras name their pictures alike, so that keys of signed uploads begin with what is in the file. */
export const uniqueFileName = (sixteenHexDigits: string, fileName: string) => `${sixteenHexDigits}-${fileName}`;
export const originalFileName = (fileName: string) => fileName.replace(PREFIX, "");

/** Ids may have letters that a collection's name may not. */
export function faceCollection({ orgId, eventId }: EventPlace): string {
  const readable = eventId.replaceAll(/[^a-zA-Z0-9_-]/g, "").slice(0, 64);
  return `${readable}.${createHash("sha256").update(`${orgId}/${eventId}`).digest("hex").slice(0, 16)}`;
}
