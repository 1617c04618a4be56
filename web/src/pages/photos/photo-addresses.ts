/** Where a photo, its file and files of many photos are. */

import { addressOf } from "../../api/call.ts";

/** As many ids as an address may be long. */
export const MOST_IN_ZIP = 140;
/** As many photos of a bib as the server puts into one file. */
export const MOST_OF_BIB_IN_ZIP = 500;

type Which = { eventId: string; ulid: string };

export const downloadAddress = ({ eventId, ulid }: Which) =>
  addressOf("/events/{eventId}/photos/{ulid}/download", { eventId, ulid });

export const bibZipAddress = (eventId: string, bib: string) =>
  addressOf("/events/{eventId}/photos.zip", { eventId }, { bib });

export const chosenZipAddress = (eventId: string, ulids: Iterable<string>) =>
  addressOf("/events/{eventId}/photos.zip", { eventId }, { ulids: [...ulids].join(",") });

/** A photo's own page, which has a preview card wherever the address is posted. */
export const photoPath = ({ eventId, ulid }: Which) =>
  `/events/${encodeURIComponent(eventId)}/photos/${encodeURIComponent(ulid)}`;

export const instagramAddress = (handle: string) => `https://www.instagram.com/${encodeURIComponent(handle)}/`;
