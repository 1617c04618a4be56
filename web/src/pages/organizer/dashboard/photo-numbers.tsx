/** An event's photos in numbers: how they stand, how long they wait, and how much of the roster they cover. */

import type { PhotoSummary } from "../../../api/types.ts";
import { useFormats } from "../../../texts/formats.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { ButtonLink } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Figure, Figures } from "../../../ui/figure.tsx";
import { Progress } from "../../../ui/progress.tsx";
import style from "./panels.module.css";

export function PhotoFigures({ summary }: { summary: PhotoSummary }) {
  const { t } = useTexts("organizer");
  const { number, wait } = useFormats();
  const { uploaded, done, processing, failed, withoutBib, duplicate, deleted, oldestWaitingMs } = summary;
  const aside = duplicate + deleted > 0;
  return (
    <Figures>
      <Figure
        label={t("photos.uploaded")}
        value={number(uploaded)}
        note={aside && t("photos.aside", { duplicate: number(duplicate), deleted: number(deleted) })}
      />
      <Figure label={t("photos.done")} value={number(done)} />
      <Figure label={t("photos.processing")} value={number(processing)} />
      <Figure
        label={t("photos.lag")}
        value={oldestWaitingMs === null ? t("photos.noLag") : wait(oldestWaitingMs)}
        note={oldestWaitingMs === null ? t("photos.noLagText") : t("photos.lagText")}
      />
      <Figure label={t("photos.failed")} value={number(failed)} />
      <Figure label={t("photos.withoutBib")} value={number(withoutBib)} note={t("photos.withoutBibText")} />
    </Figures>
  );
}

export function Coverage({ summary: { eventId, roster } }: { summary: PhotoSummary }) {
  const { t } = useTexts("organizer");
  const { number, percent } = useFormats();
  const { runners, withPhoto } = roster;
  if (runners === 0) {
    return (
      <Card as="section">
        <h3>{t("photos.coverage.title")}</h3>
        <p className={style.soft}>{t("photos.coverage.none")}</p>
        <div className={style.buttons}>
          <ButtonLink to="/organizer/events/$eventId/runners" params={{ eventId }} size="small">
            {t("photos.coverage.toRunners")}
          </ButtonLink>
        </div>
      </Card>
    );
  }
  const share = withPhoto / runners;
  return (
    <Card as="section">
      <h3>{t("photos.coverage.title")}</h3>
      <Progress
        label={t("photos.coverage.label")}
        share={share}
        note={t("photos.coverage.note", { have: number(withPhoto), all: number(runners), share: percent(share) })}
      />
    </Card>
  );
}
