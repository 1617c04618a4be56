/** What became of the photos at the server: live counts, and what could not be used, by name and with the reason. */

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Images } from "lucide-react";
import type { UploadSummary } from "../../api/types.ts";
import { useFormats } from "../../texts/formats.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Figure, Figures } from "../../ui/figure.tsx";
import { Skeleton, Trouble } from "../../ui/states.tsx";
import { failedUploadsQuery, uploadSummaryQuery } from "./own-queries.ts";
import style from "./processed-panel.module.css";
import { ReasonText } from "./reason-text.tsx";

const BUSY_MS = 2000;
const QUIET_MS = 15_000;

type PanelProps = { eventId: string; photographerId: string | undefined; isSending: boolean };

export function ProcessedPanel({ eventId, photographerId, isSending }: PanelProps) {
  const { t } = useTexts("photographer");
  const { data, error } = useQuery({
    ...uploadSummaryQuery({ eventId, photographerId }),
    refetchInterval: ({ state }) => (isSending || (state.data?.processing ?? 0) > 0 ? BUSY_MS : QUIET_MS),
  });
  const search = photographerId === undefined ? {} : { photographer: photographerId };
  return (
    <Card as="section" aria-labelledby="processed" className={style.panel}>
      <div>
        <h2 id="processed">{t("processed.title")}</h2>
        <p className={style.text}>{t("processed.text")}</p>
      </div>
      {!data && (error ? <Trouble error={error} /> : <Skeleton lines={4} />)}
      {data && <Counts counts={data} />}
      {data && data.done > 0 && (
        <ButtonLink
          to="/events/$eventId/photos"
          params={{ eventId }}
          search={search}
          icon={<Images aria-hidden />}
          wide
        >
          {t("processed.look")}
        </ButtonLink>
      )}
      {data && data.failed > 0 && <Failed key={data.failed} eventId={eventId} photographerId={photographerId} />}
    </Card>
  );
}

function Counts({ counts }: { counts: UploadSummary }) {
  const { t } = useTexts("photographer");
  const { number, percent } = useFormats();
  const { uploaded, processing, done, failed, duplicate, withoutBib } = counts;
  const withBib = Math.max(0, done - withoutBib);
  return (
    <Figures>
      <Figure label={t("processed.uploaded")} value={number(uploaded)} />
      <Figure label={t("processed.processing")} value={number(processing)} />
      <Figure label={t("processed.done")} value={number(done)} />
      <Figure
        label={t("processed.withBib")}
        value={number(withBib)}
        note={done > 0 ? t("processed.share", { share: percent(withBib / done) }) : undefined}
      />
      <Figure label={t("processed.failed")} value={number(failed)} />
      {duplicate > 0 && <Figure label={t("processed.duplicate")} value={number(duplicate)} />}
    </Figures>
  );
}

function Failed({ eventId, photographerId }: Omit<PanelProps, "isSending">) {
  const { t } = useTexts("photographer");
  const failed = useInfiniteQuery(failedUploadsQuery({ eventId, photographerId }));
  const uploads = failed.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <div className={style.failed}>
      <h3>{t("processed.failedTitle")}</h3>
      {failed.isPending && <Skeleton lines={2} />}
      {failed.isError && <Trouble error={failed.error} />}
      <ul className={style.files}>
        {uploads.map(({ ulid, fileName, failure }) => (
          <li key={ulid}>
            <p className={style.name}>{fileName}</p>
            {failure && (
              <p className={style.reason}>
                <ReasonText reason={failure} />
              </p>
            )}
          </li>
        ))}
      </ul>
      {failed.hasNextPage && (
        <Button size="small" busy={failed.isFetchingNextPage} onClick={() => void failed.fetchNextPage()}>
          {t("processed.more")}
        </Button>
      )}
    </div>
  );
}
