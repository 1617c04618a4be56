/** A race with photos that went through the whole pipeline, for the pages that find them. */

import sharp from "sharp";
import { selfieOf, THREE } from "../../src/platform/contracts/recognition-samples.ts";
import { type Api, openPages, type PagesScene } from "../harness/pages.ts";
import { drawnRunner, type RaceFile, type ShownPhoto, sendPhotos, shot, untilRead } from "../harness/sent-photos.ts";

export const HOSTILE = "<img src=x onerror=alert(1)>";
export const PHOTOGRAPHER = "minji-kim";

export type PhotoPages = PagesScene & {
  organizer: Api;
  orgId: string;
  eventId: string;
  /** Of whom there are `OF_RUNNER` photos. */
  bib: string;
  photos: ShownPhoto[];
  runner: Buffer;
  selfie: Buffer;
};

export const OF_RUNNER = 4;
export const FILES = OF_RUNNER + 3;

export async function openPhotoPages(): Promise<PhotoPages> {
  const scene = await openPages();
  const { orgId, organizer } = await scene.makeOrganization({
    name: "한강 러너스",
    branding: { accentColor: "#0a7d5a" },
  });
  const eventId = await scene.makeEvent(organizer, orgId, { name: `Han River 10K ${HOSTILE}`, date: "2027-04-18" });
  await organizer("POST", `/admin/organizations/${orgId}/photographers`, {
    photographerId: PHOTOGRAPHER,
    name: "Kim Minji",
    displayName: `Minji ${HOSTILE}`,
    instagramHandle: "minji.runs",
    websiteUrl: "https://example.com/minji",
    bio: "Finish lines in Seoul, rain or shine.",
  });
  await organizer("PUT", `/admin/events/${eventId}/photographers/${PHOTOGRAPHER}`, {});
  const [runner, other] = await Promise.all([drawnRunner(7), drawnRunner(9)]);
  for (const { bib } of [runner, other])
    await organizer("POST", `/admin/events/${eventId}/runners`, { bib, name: HOSTILE });
  await sendPhotos(organizer, eventId, await raceFiles(runner.jpeg, other.jpeg), PHOTOGRAPHER);
  const photos = await untilRead(organizer, eventId, FILES);
  return {
    ...scene,
    organizer,
    orgId,
    eventId,
    bib: runner.bib,
    photos,
    runner: runner.jpeg,
    selfie: await selfieOf(THREE),
  };
}

async function raceFiles(runner: Buffer, other: Buffer): Promise<RaceFile[]> {
  const upright = await sharp(other).resize(700, 900, { fit: "cover" }).jpeg().toBuffer();
  const shots = Array.from({ length: OF_RUNNER }, (_, n) => shot(runner, { at: `2027:04:18 09:31:0${n}`, cut: 4 * n }));
  const pictures = [THREE.photo(), other, upright, ...(await Promise.all(shots))];
  return pictures.map((bytes, n) => ({ name: `IMG_${n + 1}.jpg`, bytes }));
}
