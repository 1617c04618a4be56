/** Shares a photo, and says so where nothing else shows that it happened. */

import { useTranslation } from "react-i18next";
import type { Photo } from "../../api/types.ts";
import { toast } from "../../ui/toast.ts";
import { usePhotoName } from "./photo-words.ts";
import { sharePhoto } from "./share-photo.ts";

export function useShare(zone?: string): (photo: Photo) => Promise<void> {
  const { t } = useTranslation("photos");
  const nameOf = usePhotoName(zone);
  return async (photo) => {
    const shared = await sharePhoto(photo, nameOf(photo));
    if (shared === "copied") toast(t("share.copied"));
    if (shared === "failed") toast(t("share.failed"), { tone: "bad" });
  };
}
