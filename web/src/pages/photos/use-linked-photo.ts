/** The photos one can swipe through: those of the list, or the one a link leads to where the list has not come to it yet. */

import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import type { Photo } from "../../api/types.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { toast } from "../../ui/toast.ts";
import { photoQuery } from "./photo-queries.ts";
import { useOpenPhoto } from "./use-open-photo.ts";

export function useLinkedPhoto(eventId: string, photos: readonly Photo[], ulid: string | undefined): readonly Photo[] {
  const { t } = useTexts("photos");
  const { close } = useOpenPhoto();
  // Once opened alone it stays alone: photos that come around it would move it.
  const alone = useRef<string | undefined>(undefined);
  const isListed = photos.some((photo) => photo.ulid === ulid);
  if (ulid !== undefined) alone.current = isListed && alone.current !== ulid ? undefined : ulid;
  const { data, error } = useQuery({
    ...photoQuery(eventId, alone.current ?? ""),
    enabled: alone.current !== undefined,
  });
  useEffect(() => {
    if (!error || ulid === undefined) return;
    toast(t("viewer.missing"), { tone: "bad" });
    close();
  }, [error, ulid, close, t]);
  const one = useMemo(() => (data ? [data] : []), [data]);
  return alone.current === undefined ? photos : one;
}
