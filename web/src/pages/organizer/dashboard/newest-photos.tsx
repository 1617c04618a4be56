/** The photos that came last, to see at a glance that all is well; each leads to what happened to it. */

import { useQuery } from "@tanstack/react-query";
import { Camera } from "lucide-react";
import { call } from "../../../api/call.ts";
import type { Photo, PhotoSummary } from "../../../api/types.ts";
import { useFormats } from "../../../texts/formats.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { ButtonLink } from "../../../ui/button.tsx";
import { Section } from "../../../ui/page.tsx";
import { Empty, Failure, Skeleton } from "../../../ui/states.tsx";
import style from "./newest-photos.module.css";
import { ReprocessAll } from "./reprocess.tsx";

const SHOWN = 12;
const LOOK_AGAIN_MS = 5000;

type NewestProps = { summary: PhotoSummary; show: (photo: Photo) => void };

export function NewestPhotos({ summary, show }: NewestProps) {
  const { t } = useTexts("organizer");
  const { eventId } = summary;
  const { data, error, refetch } = useQuery({
    queryKey: ["own-event", eventId, "newest-photos"],
    queryFn: ({ signal }) =>
      call("GET /events/{eventId}/photos", { path: { eventId }, query: { limit: SHOWN }, signal }),
    refetchInterval: LOOK_AGAIN_MS,
  });
  return (
    <Section
      title={t("photos.newest.title")}
      actions={
        summary.uploaded > 0 && (
          <>
            <ReprocessAll summary={summary} />
            <ButtonLink to="/events/$eventId/photos" params={{ eventId }} size="small">
              {t("photos.newest.all")}
            </ButtonLink>
          </>
        )
      }
    >
      {data && data.items.length > 0 && (
        <ul className={style.grid}>
          {data.items.map((photo) => (
            <Tile key={photo.ulid} photo={photo} show={show} />
          ))}
        </ul>
      )}
      {data?.items.length === 0 && (
        <Empty icon={<Camera aria-hidden />} title={t("photos.newest.none")}>
          {t("photos.newest.noneText")}
        </Empty>
      )}
      {error && !data && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton className={style.waiting} />}
    </Section>
  );
}

function Tile({ photo, show }: { photo: Photo; show: (photo: Photo) => void }) {
  const { t } = useTexts("organizer");
  const formats = useFormats();
  const { fileName: file, bibs, thumbnailUrl, width, height } = photo;
  const name =
    bibs.length > 0
      ? t("photos.newest.open", { file, bibs: formats.list(bibs) })
      : t("photos.newest.openNone", { file });
  return (
    <li>
      <button type="button" className={style.tile} aria-label={name} onClick={() => show(photo)}>
        <img src={thumbnailUrl} alt="" width={width} height={height} loading="lazy" />
        {bibs.length > 0 && (
          <span className={style.bibs} aria-hidden>
            {formats.list(bibs)}
          </span>
        )}
      </button>
    </li>
  );
}
