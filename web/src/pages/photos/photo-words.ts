/** What a photo is called: by its bibs, its time and its photographer. */

import { useMemo } from "react";
import type { Photo } from "../../api/types.ts";
import { useTexts } from "../../texts/use-texts.tsx";

type Told = Pick<Photo, "bibs" | "takenAt" | "photographer">;

/** A camera that did not say its zone means the clock on the wall there. */
export function takenMoment({ takenAt }: Pick<Photo, "takenAt">, zone: string | undefined) {
  if (takenAt === null) return undefined;
  const saysZone = /(?:Z|[+-]\d\d:?\d\d)$/.test(takenAt);
  const at = saysZone ? takenAt : `${takenAt}Z`;
  return Number.isNaN(Date.parse(at)) ? undefined : { at, zone: saysZone ? zone : "UTC" };
}

export function creditName({ photographer }: Pick<Photo, "photographer">): string | undefined {
  return photographer?.displayName ?? photographer?.handle ?? undefined;
}

/** For those who do not see it. Hundreds are named in a second of scrolling: what that takes is made once. */
export function usePhotoName(zone: string | undefined): (photo: Told) => string {
  const { t, language } = useTexts("photos");
  return useMemo(() => {
    const clocks = new Map([zone, "UTC"].map((timeZone) => [timeZone, clockIn(language, timeZone)]));
    const list = new Intl.ListFormat(language);
    return (photo) => {
      const { bibs } = photo;
      const moment = takenMoment(photo, zone);
      const credit = creditName(photo);
      const parts = [
        bibs.length > 0 ? t("name.bibs", { count: bibs.length, bibs: list.format(bibs) }) : t("name.photo"),
        moment && clocks.get(moment.zone)?.format(new Date(moment.at)),
        credit && t("credit.by", { name: credit }),
      ];
      return parts.filter(Boolean).join(", ");
    };
  }, [t, language, zone]);
}

function clockIn(language: string, timeZone: string | undefined): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(language, { timeStyle: "medium", ...(timeZone && { timeZone }) });
}
