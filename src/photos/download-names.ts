/** What a photo is called when somebody saves it: the event, who is in it, and when it was taken. */

import type { EventForPhotos } from "../registry/events.ts";
import type { PhotoItem } from "./items.ts";

const LONGEST_EVENT = 60;
/** More would make a group photo's name too long to read. */
const MOST_BIBS = 3;

type Named = Pick<EventForPhotos, "eventId" | "name">;

export function photoFileName(event: Named, { ulid, bibs, takenAt, createdAt }: PhotoItem): string {
  const who = bibs.length > 0 ? bibs.slice(0, MOST_BIBS).join("-") : ulid;
  // The digits of 2027-04-18T09:31:05 and whatever follows.
  const [, day = "", time = ""] = /^([\d-]{10})T([\d:]{8})/.exec(takenAt ?? createdAt) ?? [];
  const when = `${day.replaceAll("-", "")}-${time.replaceAll(":", "")}`;
  return [eventPart(event), who, ...(day === "" ? [] : [when])].join("_").concat(".jpg");
}

export function zipFileName(event: Named, bib: string | undefined): string {
  return [eventPart(event), bib ?? "photos"].join("_").concat(".zip");
}

/** Gives each its own: photos of a burst have the same second and the same bibs. */
export function distinctNames(names: string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let distinct = name;
    for (let copy = 2; taken.has(distinct); copy += 1) distinct = name.replace(/(?=\.\w+$)/, `-${copy}`);
    taken.add(distinct);
    return distinct;
  });
}

function eventPart({ name, eventId }: Named): string {
  const words = name.normalize("NFC").replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "-");
  const short = Array.from(words).slice(0, LONGEST_EVENT).join("");
  return short.replaceAll(/^-+|-+$/g, "") || eventId;
}
