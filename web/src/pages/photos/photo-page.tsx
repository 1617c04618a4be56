/** One photo's own page, which is what a shared link leads to. */

import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Download, Search, Share2 } from "lucide-react";
import { ApiProblem } from "../../api/call.ts";
import { eventQuery } from "../../api/event-queries.ts";
import type { PhotoDetail } from "../../api/types.ts";
import { useFormats } from "../../texts/formats.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { useAccent } from "../../theme/use-accent.ts";
import { Button, ButtonAnchor, ButtonLink } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { PagePending } from "../../ui/page-pending.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import { BibLinks } from "./bib-links.tsx";
import { AllPhotos } from "./no-photos.tsx";
import { downloadAddress } from "./photo-addresses.ts";
import { PhotoCredit } from "./photo-credit.tsx";
import style from "./photo-page.module.css";
import { photoQuery } from "./photo-queries.ts";
import { takenMoment, usePhotoName } from "./photo-words.ts";
import { placeholderOf } from "./placeholder.ts";
import { useShare } from "./use-share.ts";

export function PhotoPage() {
  const { eventId, ulid } = useParams({ from: "/events/$eventId/photos/$ulid" });
  const { t } = useTexts("photos");
  const { data: event } = useQuery(eventQuery(eventId));
  const { data: photo, error, refetch } = useQuery(photoQuery(eventId, ulid));
  const nameOf = usePhotoName(event?.timeZone);
  useAccent(event?.organization.branding.accentColor);
  if (photo) {
    return (
      <Page title={event ? `${nameOf(photo)} · ${event.name}` : nameOf(photo)} heading={null}>
        <Shown photo={photo} eventName={event?.name} zone={event?.timeZone} onBroken={() => void refetch()} />
      </Page>
    );
  }
  if (!error) return <PagePending />;
  const isGone = error instanceof ApiProblem && error.status < 500 && error.status >= 400;
  return (
    <Page title={t("photo.title")} heading={null} width="text">
      {isGone ? (
        <Empty title={t("photo.goneTitle")} actions={<AllPhotos eventId={eventId} />}>
          {t("photo.gone")}
        </Empty>
      ) : (
        <Failure error={error} retry={() => void refetch()} />
      )}
    </Page>
  );
}

type ShownProps = { photo: PhotoDetail; eventName: string | undefined; zone: string | undefined; onBroken: () => void };

function Shown({ photo, eventName, zone, onBroken }: ShownProps) {
  const { t } = useTexts("photos");
  const nameOf = usePhotoName(zone);
  const { eventId, bibs, width, height } = photo;
  return (
    <article className={style.photo}>
      <div className={style.stage}>
        <img
          src={photo.imageUrl}
          alt={nameOf(photo)}
          width={width}
          height={height}
          style={{ backgroundImage: placeholderOf(photo.thumbhash), width: fittingWidth(photo) }}
          fetchPriority="high"
          onError={onBroken}
        />
      </div>
      <div className={style.about}>
        <div className={style.words}>
          <p className={style.event}>
            <Link to="/events/$eventId" params={{ eventId }}>
              {eventName ?? "\u00a0"}
            </Link>
          </p>
          <h1>
            {bibs.length > 0 ? t("photo.ofBibs", { count: bibs.length, bibs: bibs.join(", ") }) : t("photo.title")}
          </h1>
          <BibLinks photo={photo} />
        </div>
        <Facts photo={photo} zone={zone} />
        <Deeds photo={photo} zone={zone} />
      </div>
    </article>
  );
}

/** As wide as there is room, and no higher than the window. */
function fittingWidth({ width, height }: Pick<PhotoDetail, "width" | "height">): string {
  return `min(100%, ${Math.round((78 * width) / height)}dvh)`;
}

function Deeds({ photo, zone }: Pick<ShownProps, "photo" | "zone">) {
  const { t } = useTexts("photos");
  const share = useShare(zone);
  return (
    <div className={style.deeds}>
      <ButtonAnchor look="main" href={downloadAddress(photo)} download icon={<Download aria-hidden />}>
        {t("photo.download")}
      </ButtonAnchor>
      <Button icon={<Share2 aria-hidden />} onClick={() => void share(photo)}>
        {t("viewer.share")}
      </Button>
      <ButtonLink
        to="/events/$eventId/photos"
        params={{ eventId: photo.eventId }}
        look="quiet"
        icon={<Search aria-hidden />}
      >
        {t("photo.findMine")}
      </ButtonLink>
    </div>
  );
}

function Facts({ photo, zone }: Pick<ShownProps, "photo" | "zone">) {
  const { t } = useTexts("photos");
  const formats = useFormats();
  const taken = takenMoment(photo, zone);
  const camera = cameraName(photo.camera);
  return (
    <dl className={style.facts}>
      {taken && (
        <div>
          <dt>{t("photo.taken")}</dt>
          <dd>
            <time dateTime={photo.takenAt ?? undefined}>{formats.moment(taken.at, taken.zone)}</time>
          </dd>
        </div>
      )}
      {photo.photographer && (
        <div>
          <dt>{t("photo.photographer")}</dt>
          <dd>
            <PhotoCredit photo={photo} />
          </dd>
        </div>
      )}
      {camera && (
        <div>
          <dt>{t("photo.camera")}</dt>
          <dd>{camera}</dd>
        </div>
      )}
    </dl>
  );
}

/** Most models say the maker's name already. */
function cameraName(camera: PhotoDetail["camera"]): string {
  const { make = "", model = "", lens = "" } = camera ?? {};
  const body = model.toLowerCase().startsWith(make.toLowerCase().split(" ")[0] ?? "") ? model : `${make} ${model}`;
  return [body.trim(), lens].filter(Boolean).join(" · ");
}
