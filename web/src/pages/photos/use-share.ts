/** Shares a photo, and says so where nothing else shows that it happened. */

import type { Photo } from "../../api/types.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { toast } from "../../ui/toast.ts";
import { usePhotoName } from "./photo-words.ts";
import { sharePhoto } from "./share-photo.ts";

export function useShare(zone?: string): (photo: Photo) => Promise<void> {
  const { t } = useTexts("photos");
  const nameOf = usePhotoName(zone);
  return async (photo) => {
    const shared = await sharePhoto(photo, nameOf(photo));
    if (shared === "copied") toast(t("share.copied"));
    if (shared === "failed") toast(t("share.failed"), { tone: "bad" });
  };
}
