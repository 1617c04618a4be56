/** When and with what a photo was taken, out of its EXIF block. */

import { readTiffTags, type Tags } from "./tiff-tags.ts";

export type CaptureDetails = {
  /** ISO 8601; the camera's own time, with its zone only where the camera noted it. */
  takenAt?: string;
  camera?: { make?: string; model?: string; lens?: string };
};

const MAX_TEXT_LENGTH = 100;
const MAX_ZONE_HOURS = 14;
const TAGS = {
  make: 0x010f,
  model: 0x0110,
  exif: 0x8769,
  lens: 0xa434,
  times: [
    { time: 0x9003, zone: 0x9011 },
    // Digitized is when a film was scanned; a few cameras write only that. The plain DateTime is left out: programs set it when they save.
    { time: 0x9004, zone: 0x9012 },
  ],
};

/** Also takes a TIFF file. Of a broken block it tells what can still be read. */
export function captureDetails(block: Uint8Array): CaptureDetails {
  const tags = readTiffTags(block);
  if (tags === undefined) return {};
  const exif = tags.directory(tags.first.number(TAGS.exif));
  const takenAt = TAGS.times.map(({ time, zone }) => timeOf(exif, time, zone)).find((each) => each !== undefined);
  const make = textOf(tags.first, TAGS.make);
  const model = textOf(tags.first, TAGS.model);
  const lens = textOf(exif, TAGS.lens);
  const camera = { ...(make && { make }), ...(model && { model }), ...(lens && { lens }) };
  return { ...(takenAt && { takenAt }), ...(Object.keys(camera).length > 0 && { camera }) };
}

/** Anyone can write anything there: no controls, no marks that turn text around, no bytes that are no text. */
function textOf(tags: Tags, tag: number): string | undefined {
  const plain = tags
    .text(tag)
    ?.replace(/\p{C}|\uFFFD/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return plain && Array.from(plain).slice(0, MAX_TEXT_LENGTH).join("").trimEnd();
}

function timeOf(exif: Tags, timeTag: number, zoneTag: number): string | undefined {
  const parts = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)$/.exec(textOf(exif, timeTag) ?? "");
  if (parts === null) return undefined;
  const time = `${parts[1]}-${parts[2]}-${parts[3]}T${parts[4]}`;
  const date = new Date(`${time}Z`);
  // A day like February 30 becomes another one.
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, time.length) !== time) return undefined;
  const zone = /^[+-](\d\d):[0-5]\d$/.exec(textOf(exif, zoneTag) ?? "");
  return zone && Number(zone[1]) <= MAX_ZONE_HOURS ? time + zone[0] : time;
}
