/** The photos that a selfie found, the most alike first. */

import { useQuery } from "@tanstack/react-query";
import { ScanFace, X } from "lucide-react";
import { useCallback } from "react";
import { queries } from "../../api/queries.ts";
import type { Box, FoundPhoto, Photo } from "../../api/types.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { Empty } from "../../ui/states.tsx";
import { AllPhotos, NoPhotosOfFace } from "./no-photos.tsx";
import { photoQuery } from "./photo-queries.ts";
import { PhotoWall } from "./photo-wall.tsx";
import { SelfieButton } from "./search-bar.tsx";
import { forgetSelfie, type SelfieFound, selfieQuery } from "./selfie-found.ts";
import style from "./selfie-results.module.css";

type ResultsProps = { eventId: string; zone: string | undefined };

export function SelfieResults({ eventId, zone }: ResultsProps) {
  const { t } = useTexts("photos");
  const { data: found } = useQuery(selfieQuery(eventId));
  const renew = useRenewal(eventId);
  if (!found) return <NoSelfie eventId={eventId} />;
  if (found.items.length === 0) {
    return (
      <>
        <Used found={found} eventId={eventId} />
        <NoPhotosOfFace eventId={eventId} />
      </>
    );
  }
  const shownFor = found.bib;
  const noteOf = (photo: Photo) =>
    shownFor !== undefined && (photo as FoundPhoto).alreadyShown ? t("selfie.alsoOf", { bib: shownFor }) : undefined;
  return (
    <>
      <Used found={found} eventId={eventId} />
      <PhotoWall
        {...{ eventId, zone, noteOf }}
        photos={found.items}
        label={t("titleOfSelfie")}
        onBroken={renew}
        count={`${t("count.photos", { count: found.items.length })} · ${t("selfie.order")}`}
      />
    </>
  );
}

/** The face that was searched with, so that nobody wonders whose photos these are. */
function Used({ found, eventId }: { found: SelfieFound; eventId: string }) {
  const { t } = useTexts("photos");
  return (
    <div className={style.used}>
      <span className={style.frame}>
        <img src={found.portrait} alt={t("selfie.yours")} style={facePlace(found.used.box)} />
      </span>
      <p className={style.words}>{found.faces > 1 ? t("selfie.several", { count: found.faces }) : t("selfie.kept")}</p>
      <ButtonLink
        to="/events/$eventId/photos"
        params={{ eventId }}
        search={found.bib === undefined ? {} : { bib: found.bib }}
        look="quiet"
        icon={<X aria-hidden />}
        onClick={() => forgetSelfie(eventId)}
      >
        {t("selfie.end")}
      </ButtonLink>
    </div>
  );
}

/** Shows the face's part of the picture in a square of one unit. */
function facePlace({ left, top, width, height }: Box) {
  const zoom = Math.min(4, 0.7 / Math.max(width, height));
  const keep = (middle: number) => Math.min(1, Math.max(0, middle));
  return {
    objectPosition: `${keep(left + width / 2) * 100}% ${keep(top + height / 2) * 100}%`,
    transformOrigin: `${keep(left + width / 2) * 100}% ${keep(top + height / 2) * 100}%`,
    transform: `scale(${Math.max(1, zoom)})`,
  };
}

function NoSelfie({ eventId }: { eventId: string }) {
  const { t } = useTexts("photos");
  return (
    <Empty
      icon={<ScanFace aria-hidden />}
      title={t("selfie.goneTitle")}
      actions={
        <>
          <SelfieButton eventId={eventId} bib={undefined} />
          <AllPhotos eventId={eventId} />
        </>
      }
    >
      {t("selfie.gone")}
    </Empty>
  );
}

/** Each on its own: the search is not repeated for them. */
function useRenewal(eventId: string): (ulid: string) => void {
  return useCallback(
    (ulid) =>
      void queries.fetchQuery({ ...photoQuery(eventId, ulid), staleTime: 10_000 }).then(
        (now) => {
          queries.setQueryData(
            selfieQuery(eventId).queryKey,
            (found) =>
              found && {
                ...found,
                items: found.items.map((item) => (item.ulid === ulid ? { ...item, ...now } : item)),
              },
          );
        },
        () => {},
      ),
    [eventId],
  );
}
