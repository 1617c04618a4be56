/** Who took a photo, as the object itself says it; ids may have letters that metadata may not. */

import { PhotographerId } from "../platform/ids.ts";

const NAME = "photographer-id";

export const photographerMetadata = (photographerId: string) => ({ [NAME]: encodeURIComponent(photographerId) });

export function photographerIn(metadata: { [name: string]: string }): string | undefined {
  const given = metadata[NAME];
  if (given === undefined) return undefined;
  try {
    return PhotographerId.safeParse(decodeURIComponent(given)).data;
  } catch {
    return undefined;
  }
}
