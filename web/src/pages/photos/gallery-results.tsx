/** The photos of a race, a bib or a photographer, newest first, and those that come meanwhile. */

import { ArrowUp, Download } from "lucide-react";
import { useCallback } from "react";
import { useFormats } from "../../texts/formats.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { Button, ButtonAnchor } from "../../ui/button.tsx";
import { Failure } from "../../ui/states.tsx";
import style from "./gallery-results.module.css";
import { GridSkeleton } from "./grid-skeleton.tsx";
import { NoPhotosOfBib, NoPhotosYet, NoSuchBib } from "./no-photos.tsx";
import { bibZipAddress, MOST_OF_BIB_IN_ZIP } from "./photo-addresses.ts";
import { PhotoWall } from "./photo-wall.tsx";
import { useAutoAdmit } from "./use-auto-admit.ts";
import { type Gallery, type GalleryAsk, useGallery } from "./use-gallery.ts";

/** As the server takes them. */
const BIB = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}-]{0,11}$/u;

type ResultsProps = { ask: GalleryAsk; zone: string | undefined };

export function GalleryResults({ ask, zone }: ResultsProps) {
  const { eventId, bib } = ask;
  const { t } = useTexts("photos");
  const canBe = bib === undefined || BIB.test(bib);
  const gallery = useGallery(ask, { enabled: canBe });
  const { photos, anchor, hasNextPage, isFetchingNextPage, fetchNextPage, renew, error, first } = gallery;
  const waitsAbove = useAutoAdmit(gallery.waiting.length, gallery.admit);
  const more = useCallback(() => void (isFetchingNextPage || fetchNextPage()), [isFetchingNextPage, fetchNextPage]);
  if (!canBe) return <NoSuchBib eventId={eventId} bib={bib} />;
  if (error && photos.length === 0) return <Failure error={error} retry={() => void gallery.refetch()} />;
  if (gallery.isPending) return <GridSkeleton />;
  return (
    <>
      <div role="status" className={style.news}>
        {waitsAbove && <NewPhotos gallery={gallery} />}
      </div>
      {photos.length === 0 && !hasNextPage ? (
        bib === undefined ? (
          <NoPhotosYet />
        ) : (
          <NoPhotosOfBib eventId={eventId} bib={bib} nearMisses={first?.nearMisses} />
        )
      ) : (
        <PhotoWall
          {...{ eventId, zone, photos, anchor }}
          label={t("title")}
          hasMore={hasNextPage}
          onMore={more}
          onBroken={renew}
          count={bib === undefined ? t("newestFirst") : <Count gallery={gallery} />}
          actions={bib !== undefined && <BibZip eventId={eventId} bib={first?.bib ?? bib} gallery={gallery} />}
        />
      )}
    </>
  );
}

function NewPhotos({ gallery: { waiting, admit } }: { gallery: Gallery }) {
  const { t } = useTexts("photos");
  const show = () => {
    admit();
    window.scrollTo({ top: 0, behavior: "smooth" });
  };
  return (
    <Button look="main" size="small" icon={<ArrowUp aria-hidden />} onClick={show}>
      {t("new", { count: waiting.length })}
    </Button>
  );
}

function Count({ gallery: { photos, hasNextPage } }: { gallery: Gallery }) {
  const { t } = useTexts("photos");
  const formats = useFormats();
  if (hasNextPage) return t("count.more", { photos: formats.number(photos.length) });
  return t("count.photos", { count: photos.length });
}

function BibZip({ eventId, bib, gallery: { photos } }: { eventId: string; bib: string; gallery: Gallery }) {
  const { t } = useTexts("photos");
  if (photos.length === 0 || photos.length > MOST_OF_BIB_IN_ZIP) return null;
  return (
    <ButtonAnchor href={bibZipAddress(eventId, bib)} download icon={<Download aria-hidden />}>
      {t("zipAll")}
    </ButtonAnchor>
  );
}
