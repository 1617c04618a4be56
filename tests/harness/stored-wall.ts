/** Many photos in a data folder at once, with pictures behind them, written as the workflow's last state writes them. */

import { composePhoto } from "../../src/photos/compose-photo.ts";
import { photoActions } from "../../src/photos/fan-out.ts";
import type { PhotoItem } from "../../src/photos/items.ts";
import type { EventPlace } from "../../src/photos/object-keys.ts";
import { PHOTO_BUCKET, photoTable } from "../../src/photos/photos.ts";
import { type Processed, preprocess } from "../../src/photos/preprocess.ts";
import { openEmbeddedEngines } from "../../src/platform/embedded/engines.ts";
import type { Action, Box, Put } from "../../src/platform/ports.ts";
import { analyzedOf } from "./photo-samples.ts";

const BEGAN_AT = Date.UTC(2027, 3, 18);
const APART_MS = 700;
const AT_ONCE = 25;
const BOX: Box = { left: 0.4, top: 0.5, width: 0.1, height: 0.06 };

export type Wall = {
  dataFolder: string;
  stage: string;
  event: EventPlace;
  photos: number;
  /** Shown in turns. */
  pictures: Uint8Array[];
};

/** For a folder on which no server runs yet. */
export async function storeWall({ dataFolder, stage, event, photos, pictures }: Wall): Promise<void> {
  const engines = await openEmbeddedEngines({ dataFolder, publicUrl: "http://127.0.0.1" });
  try {
    const table = engines.table(photoTable(stage));
    const blobs = engines.blobs(PHOTO_BUCKET);
    const processed = await Promise.all(pictures.map((picture) => preprocess(picture)));
    for (let from = 0; from < photos; from += AT_ONCE) {
      const some = Array.from({ length: Math.min(AT_ONCE, photos - from) }, (_, place) => {
        const shown = processed[(from + place) % processed.length] as Processed;
        return { shown, photo: photoOf(event, from + place, shown) };
      });
      await Promise.all(
        some.flatMap(({ shown, photo }) => [
          blobs.put(photo.thumbnailKey, shown.thumbnail, { contentType: "image/jpeg" }),
          blobs.put(photo.processedKey, shown.jpeg, { contentType: "image/jpeg" }),
        ]),
      );
      await table.write(
        some.flatMap(({ photo }) =>
          photoActions(photo, undefined)
            .filter(isPut)
            .map(({ put }) => ({ put })),
        ),
      );
    }
  } finally {
    await engines.close();
  }
}

const isPut = (action: Action): action is Put => "put" in action;

function photoOf(event: EventPlace, index: number, { thumbhash, dimensions }: Processed): PhotoItem {
  const bib = String(1000 + (index % 400));
  const about = { bibs: [bib], createdAt: BEGAN_AT + index * APART_MS, fileName: `IMG_${index}.jpg`, event };
  const composed = composePhoto(
    { ...analyzedOf(PHOTO_BUCKET, about), thumbhash, dimensions },
    { reading: { bibs: [{ bib, box: BOX, confidence: 0.97 }], partial: [], refused: [] }, credit: undefined, also: [] },
  );
  return { ...composed, updatedAt: composed.createdAt } as PhotoItem;
}
