/** The newest photos of a race on its card, and a word that they are there; the card itself is the link. */

import { useQuery } from "@tanstack/react-query";
import { Images } from "lucide-react";
import { newestPhotosQuery } from "../../api/event-queries.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import style from "./photo-strip.module.css";

const SHOWN = 4;

export function PhotoStrip({ eventId }: { eventId: string }) {
  const { t } = useTexts("runner");
  const { data } = useQuery(newestPhotosQuery(eventId));
  if (data?.items.length === 0) {
    return (
      <p className={style.none}>
        <Images aria-hidden />
        {t("home.noPhotos")}
      </p>
    );
  }
  return (
    <div className={style.strip}>
      {data?.items.slice(0, SHOWN).map(({ ulid, thumbnailUrl }) => (
        <img key={ulid} src={thumbnailUrl} alt="" />
      ))}
      {data && (
        <p className={style.word}>
          <Images aria-hidden />
          {t("home.photos")}
        </p>
      )}
    </div>
  );
}
