/** An event full of photos, written as the fan-out writes them: each with a bib, two faces and a photographer. */

import { composePhoto } from "../../src/photos/compose-photo.ts";
import { photoActions } from "../../src/photos/fan-out.ts";
import { bibCountKey, type PhotoItem } from "../../src/photos/items.ts";
import type { EventPlace } from "../../src/photos/object-keys.ts";
import type { Action, Box, Put, Table } from "../../src/platform/ports.ts";
import { analyzedOf } from "../../tests/harness/photo-samples.ts";
import { count, progress } from "../entry/report.ts";

const PHOTOS_OF_A_BIB = 50;
const PHOTOGRAPHERS = 20;
const BEGAN_AT = Date.UTC(2027, 3, 18);
/** As many as one transaction takes, two items for each. */
const PHOTOS_AT_ONCE = 50;
const WRITERS = 8;
const TOLD_EVERY = 100_000;

const credit = { handle: "minji.runs", displayName: "Minji Kim Photo", asOf: new Date(BEGAN_AT).toISOString() };

export const bibsIn = (photos: number) => Math.ceil(photos / PHOTOS_OF_A_BIB);
export const bibOf = (index: number) => String(10_000 + index);
export const takenAt = (index: number) => BEGAN_AT + index * 10;
export const photographerOf = (index: number) => `photographer-${index % PHOTOGRAPHERS}`;

export async function storePhotos(table: Table, event: EventPlace, photos: number): Promise<void> {
  let next = 0;
  const startedAt = performance.now();
  const write = async () => {
    while (next < photos) {
      const from = next;
      next = Math.min(photos, from + PHOTOS_AT_ONCE);
      const group = Array.from({ length: next - from }, (_, index) => itemsOf(event, from + index, photos));
      await table.write(group.flat());
      if (from > 0 && from % TOLD_EVERY === 0) progress(`${count(from)} of ${count(photos)} photos stored`);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  await storeCounts(table, event, bibsIn(photos));
  const seconds = (performance.now() - startedAt) / 1000;
  progress(`${count(photos)} photos stored in ${count(seconds)} s, ${count((2 * photos) / seconds)} items/s`);
}

/** A bib's photos lie far from each other, as in a race: after each of its photos come one of every other. */
function itemsOf(event: EventPlace, index: number, photos: number): Put[] {
  const bib = bibOf(index % bibsIn(photos));
  const photographerId = photographerOf(index);
  const faces = [faceAt(0.2, index, "a"), faceAt(0.5, index, "b")];
  const about = { bibs: [bib], photographerId, createdAt: takenAt(index), fileName: `IMG_${index}.jpg`, faces, event };
  const box: Box = { left: 0.2, top: 0.5, width: 0.06, height: 0.04 };
  const found = composePhoto(analyzedOf("snaprace-photos", about), {
    reading: { bibs: [{ bib, box, confidence: 0.97, face: 0 }], partial: [], refused: [] },
    credit: { photographerId, ...credit },
    also: [],
  });
  const photo = { ...found, updatedAt: found.createdAt } as PhotoItem;
  return photoActions(photo, undefined)
    .filter(isPut)
    .map(({ put }) => ({ put }));
}

const isPut = (action: Action): action is Put => "put" in action;

function faceAt(left: number, index: number, which: string) {
  const faceId = `${which}${String(index).padStart(35, "0")}`;
  return { faceId, box: { left, top: 0.3, width: 0.08, height: 0.12 }, quality: 0.93 };
}

async function storeCounts(table: Table, event: EventPlace, bibs: number): Promise<void> {
  for (let from = 0; from < bibs; from += 100) {
    const some = Array.from({ length: Math.min(100, bibs - from) }, (_, index) => bibOf(from + index));
    const about = { EntityType: "BIB_COUNT", photos: PHOTOS_OF_A_BIB };
    await table.write(some.map((bib) => ({ put: { ...bibCountKey(event, bib), ...about, bib } })));
  }
}
