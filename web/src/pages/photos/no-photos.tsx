/** When a search finds nothing: what it may have been instead, and the other way to search. */

import { Link } from "@tanstack/react-router";
import { ImageOff } from "lucide-react";
import type { NearMisses } from "../../api/types.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { Empty } from "../../ui/states.tsx";
import style from "./no-photos.module.css";
import { SelfieButton } from "./search-bar.tsx";

type NoPhotosOf = { eventId: string; bib: string };

export function NoPhotosOfBib({ eventId, bib, nearMisses }: NoPhotosOf & { nearMisses: NearMisses | undefined }) {
  const { t } = useTexts("photos");
  const suggestions = nearMisses?.suggestions ?? [];
  return (
    <Empty
      icon={<ImageOff aria-hidden />}
      title={t("none.bibTitle", { bib })}
      actions={<SelfieButton eventId={eventId} bib={bib} label={t("none.bySelfie")} />}
    >
      <div className={style.words}>
        <p>{t(rosterWords(nearMisses?.onRoster ?? null))}</p>
        {suggestions.length > 0 && (
          <>
            <h3 className={style.meant}>{t("none.meant")}</h3>
            <ul className={style.suggestions}>
              {suggestions.map(({ bib: other, photos }) => (
                <li key={other}>
                  <Link
                    to="/events/$eventId/photos"
                    params={{ eventId }}
                    search={{ bib: other }}
                    className={style.suggestion}
                  >
                    <strong>{other}</strong>
                    <span>{t("count.photos", { count: photos })}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Empty>
  );
}

function rosterWords(onRoster: boolean | null) {
  if (onRoster === null) return "none.unknownRoster" as const;
  return onRoster ? ("none.onRoster" as const) : ("none.notOnRoster" as const);
}

export function NoSuchBib({ eventId, bib }: NoPhotosOf) {
  const { t } = useTexts("photos");
  return (
    <Empty
      icon={<ImageOff aria-hidden />}
      title={t("none.badBibTitle", { bib })}
      actions={<AllPhotos eventId={eventId} />}
    >
      {t("none.badBib")}
    </Empty>
  );
}

export function NoPhotosYet() {
  const { t } = useTexts("photos");
  return (
    <Empty icon={<ImageOff aria-hidden />} title={t("none.yetTitle")}>
      {t("none.yet")}
    </Empty>
  );
}

export function NoPhotosOfFace({ eventId }: { eventId: string }) {
  const { t } = useTexts("photos");
  return (
    <Empty
      icon={<ImageOff aria-hidden />}
      title={t("none.faceTitle")}
      actions={
        <>
          <SelfieButton eventId={eventId} bib={undefined} label={t("none.otherSelfie")} />
          <AllPhotos eventId={eventId} />
        </>
      }
    >
      {t("none.face")}
    </Empty>
  );
}

export function AllPhotos({ eventId }: { eventId: string }) {
  const { t } = useTexts("photos");
  return (
    <ButtonLink to="/events/$eventId/photos" params={{ eventId }} search={{}} look="quiet">
      {t("all")}
    </ButtonLink>
  );
}
