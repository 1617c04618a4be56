/** One's photos across races: the newest of each of one's bibs, and the way to all of them. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { call } from "../../api/call.ts";
import { eventQuery } from "../../api/event-queries.ts";
import { ownBibsQuery } from "../../api/own-bibs.ts";
import type { MyBib, Photo } from "../../api/types.ts";
import { useFormats } from "../../texts/formats.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { Section } from "../../ui/page.tsx";
import { Trouble } from "../../ui/states.tsx";
import { usePhotoName } from "../photos/photo-words.ts";
import { placeholderOf } from "../photos/placeholder.ts";
import style from "./my-photos.module.css";

const SHOWN = 8;

export function MyPhotos() {
  const { t } = useTexts("photos");
  const { data: bibs } = useQuery(ownBibsQuery);
  if (!bibs || bibs.length === 0) return null;
  return (
    <Section title={t("mine.title")}>
      <ul className={style.races}>
        {bibs.map((own) => (
          <PhotosOfBib key={`${own.eventId} ${own.bib}`} own={own} />
        ))}
      </ul>
    </Section>
  );
}

function PhotosOfBib({ own: { eventId, eventName, date, bib } }: { own: MyBib }) {
  const { t } = useTexts("photos");
  const formats = useFormats();
  const { data: event } = useQuery(eventQuery(eventId));
  const { data, error } = useQuery({
    queryKey: ["event", eventId, "newest-photos", bib],
    queryFn: ({ signal }) =>
      call("GET /events/{eventId}/photos", { path: { eventId }, query: { bib, limit: SHOWN }, signal }),
  });
  return (
    <li className={style.race}>
      <h3 className={style.title}>
        <Link
          to="/events/$eventId/photos"
          params={{ eventId }}
          search={{ bib }}
          aria-label={`${eventName}: ${t("mine.all", { bib })}`}
        >
          {eventName}
          <ChevronRight aria-hidden />
        </Link>
      </h3>
      <p className={style.about}>
        {t("mine.bib", { bib })} · {formats.shortDay(date)}
      </p>
      {error && <Trouble error={error} />}
      {data?.items.length === 0 ? (
        <p className={style.about}>{t("mine.none")}</p>
      ) : (
        <Thumbnails photos={data?.items} zone={event?.timeZone} bib={bib} />
      )}
    </li>
  );
}

type ThumbnailsProps = { photos: Photo[] | undefined; zone: string | undefined; bib: string };

function Thumbnails({ photos, zone, bib }: ThumbnailsProps) {
  const nameOf = usePhotoName(zone);
  if (!photos) return <div className={style.row} aria-hidden />;
  return (
    <ul className={style.row}>
      {photos.map((photo) => (
        <li key={photo.ulid} style={{ aspectRatio: `${photo.width} / ${photo.height}` }}>
          <Link
            to="/events/$eventId/photos"
            params={{ eventId: photo.eventId }}
            search={{ bib, photo: photo.ulid }}
            style={{ backgroundImage: placeholderOf(photo.thumbhash) }}
          >
            <img src={photo.thumbnailUrl} alt={nameOf(photo)} loading="lazy" decoding="async" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
