/** On a race's page: the way to one's photos, and the newest of all. */

import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Images, ScanFace, Search } from "lucide-react";
import type { FormEvent } from "react";
import { NEWEST_PHOTOS, newestPhotosQuery } from "../../api/event-queries.ts";
import type { PublicEvent } from "../../api/types.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { TextField } from "../../ui/field.tsx";
import style from "./photos-panel.module.css";

export function PhotosPanel({ event: { eventId } }: { event: PublicEvent }) {
  const { t } = useTexts("runner");
  const navigate = useNavigate();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const bib = String(new FormData(event.currentTarget).get("bib")).trim();
    void navigate({ to: "/events/$eventId/photos", params: { eventId }, search: bib ? { bib } : {} });
  };
  return (
    <Card as="section" aria-labelledby="photos">
      <h2 id="photos">{t("event.photosTitle")}</h2>
      <form className={style.form} onSubmit={submit}>
        <TextField
          label={t("event.bib")}
          name="bib"
          inputMode="text"
          autoComplete="off"
          placeholder={t("event.bibExample")}
          maxLength={12}
          figures
        />
        <Button type="submit" look="main" icon={<Search aria-hidden />}>
          {t("event.search")}
        </Button>
      </form>
      <Newest eventId={eventId} />
      <div className={style.ways}>
        <ButtonLink to="/events/$eventId/photos" params={{ eventId }} icon={<ScanFace aria-hidden />}>
          {t("event.findPhotos")}
        </ButtonLink>
      </div>
    </Card>
  );
}

function Newest({ eventId }: { eventId: string }) {
  const { t } = useTexts("runner");
  const { data } = useQuery(newestPhotosQuery(eventId));
  if (data?.items.length === 0) {
    return (
      <p className={style.none}>
        <Images aria-hidden />
        {t("event.noPhotos")}
      </p>
    );
  }
  return (
    <ul className={style.newest} aria-label={t("event.allPhotos")}>
      {(data?.items ?? Array.from({ length: NEWEST_PHOTOS }, () => undefined)).map((photo, i) => (
        <li key={photo?.ulid ?? i}>
          {photo && (
            <Link to="/events/$eventId/photos/$ulid" params={{ eventId, ulid: photo.ulid }}>
              <img
                src={photo.thumbnailUrl}
                alt={photo.bibs.join(", ")}
                width={photo.width}
                height={photo.height}
                loading="lazy"
              />
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
}
