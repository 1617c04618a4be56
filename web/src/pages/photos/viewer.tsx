/** A photo in front of everything: swipe or arrow keys for the next, zoom, download, share, and who took it. */

import "photoswipe/dist/photoswipe.css";
import { ChevronLeft, ChevronRight, Download, Share2, X, ZoomIn } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import type { Photo } from "../../api/types.ts";
import { useFormats } from "../../texts/formats.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { ButtonAnchor, IconButton } from "../../ui/button.tsx";
import { BibLinks } from "./bib-links.tsx";
import { downloadAddress } from "./photo-addresses.ts";
import { PhotoCredit } from "./photo-credit.tsx";
import { takenMoment, usePhotoName } from "./photo-words.ts";
import { openSwipe, type Swipe } from "./swipe.ts";
import { useShare } from "./use-share.ts";
import style from "./viewer.module.css";

type ViewerProps = {
  photos: readonly Photo[];
  /** The open one; nothing once it is to close. */
  ulid: string | undefined;
  zone: string | undefined;
  hasMore: boolean;
  thumbnail: (ulid: string) => HTMLElement | null;
  onMove: (ulid: string) => void;
  onMore: () => void;
  onBroken: (ulid: string) => void;
  onClose: () => void;
  onGone: (last: string) => void;
};

const MORE_WITHIN = 8;

export function Viewer(props: ViewerProps) {
  const { photos, ulid, zone, hasMore, onMore } = props;
  const [current, setCurrent] = useState(ulid ?? "");
  const swipe = useSwipe(props, current, setCurrent);
  const index = photos.findIndex((photo) => photo.ulid === current);
  const photo = photos[index];
  useEffect(() => {
    if (hasMore && index >= photos.length - MORE_WITHIN) onMore();
  }, [hasMore, index, photos.length, onMore]);
  if (!swipe || !photo) return null;
  return createPortal(
    <div className={style.frame}>
      <Tools photo={photo} swipe={swipe} place={{ index, count: photos.length, hasMore }} />
      <div className={style.about}>
        <BibLinks photo={photo} />
        <Taken photo={photo} zone={zone} />
        <PhotoCredit photo={photo} />
      </div>
    </div>,
    swipe.element,
  );
}

/** Opened once; afterwards it follows the address, and the address follows it. */
function useSwipe(props: ViewerProps, current: string, setCurrent: (ulid: string) => void): Swipe | undefined {
  const { t } = useTexts("photos");
  const nameOf = usePhotoName(props.zone);
  const [swipe, setSwipe] = useState<Swipe>();
  const latest = useRef({ ...props, current, nameOf });
  latest.current = { ...props, current, nameOf };
  useEffect(() => {
    let isOurs = true;
    const opened = openSwipe({
      photos: latest.current.photos,
      ulid: latest.current.current,
      nameOf: (photo) => latest.current.nameOf(photo),
      label: t("viewer.label"),
      failed: t("viewer.failed"),
      thumbnail: (ulid) => latest.current.thumbnail(ulid),
      onChange: (ulid) => {
        setCurrent(ulid);
        if (latest.current.ulid !== undefined && latest.current.ulid !== ulid) latest.current.onMove(ulid);
      },
      onBroken: (ulid) => latest.current.onBroken(ulid),
      onClose: () => latest.current.ulid !== undefined && latest.current.onClose(),
      onGone: () => isOurs && latest.current.onGone(latest.current.current),
    });
    setSwipe(opened);
    return () => {
      isOurs = false;
      opened.discard();
    };
  }, [t, setCurrent]);
  useEffect(() => swipe?.show(props.photos), [swipe, props.photos]);
  useEffect(() => {
    if (props.ulid === undefined) swipe?.close();
  }, [swipe, props.ulid]);
  return swipe;
}

type Place = { index: number; count: number; hasMore: boolean };

function Tools({ photo, swipe, place }: { photo: Photo; swipe: Swipe; place: Place }) {
  const { t } = useTexts("photos");
  const formats = useFormats();
  const share = useShare();
  const total = `${formats.number(place.count)}${place.hasMore ? "+" : ""}`;
  return (
    <>
      <div className={style.bar}>
        <p className={style.count} aria-live="polite">
          {t("viewer.place", { place: formats.number(place.index + 1), total })}
        </p>
        <IconButton label={t("viewer.zoom")} onClick={() => swipe.zoom()}>
          <ZoomIn aria-hidden />
        </IconButton>
        <IconButton label={t("viewer.share")} onClick={() => void share(photo)}>
          <Share2 aria-hidden />
        </IconButton>
        <ButtonAnchor
          look="quiet"
          href={downloadAddress(photo)}
          download
          aria-label={t("viewer.download")}
          title={t("viewer.download")}
        >
          <Download aria-hidden />
        </ButtonAnchor>
        <IconButton label={t("viewer.close")} onClick={() => swipe.close()}>
          <X aria-hidden />
        </IconButton>
      </div>
      <Steps swipe={swipe} place={place} />
    </>
  );
}

function Steps({ swipe, place }: { swipe: Swipe; place: Place }) {
  const { t } = useTexts("photos");
  return (
    <>
      {place.index > 0 && (
        <IconButton label={t("viewer.previous")} className={style.previous} onClick={() => swipe.go(-1)}>
          <ChevronLeft aria-hidden />
        </IconButton>
      )}
      {place.index < place.count - 1 && (
        <IconButton label={t("viewer.next")} className={style.next} onClick={() => swipe.go(1)}>
          <ChevronRight aria-hidden />
        </IconButton>
      )}
    </>
  );
}

function Taken({ photo, zone }: { photo: Photo; zone: string | undefined }) {
  const formats = useFormats();
  const moment = takenMoment(photo, zone);
  return moment ? <time dateTime={photo.takenAt ?? undefined}>{formats.clock(moment.at, moment.zone)}</time> : null;
}
