/** An event's photos as their organizer watches them arrive: pace, lag, coverage, failures, faces and photographers. */

import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { ownEventQuery } from "../../api/organizer-queries.ts";
import type { Event } from "../../api/types.ts";
import { useFormats } from "../../texts/formats.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { Card } from "../../ui/card.tsx";
import { Chart } from "../../ui/chart.tsx";
import { Failure, Skeleton, Trouble } from "../../ui/states.tsx";
import { FacesPanel } from "./dashboard/faces-panel.tsx";
import { FailedPhotos } from "./dashboard/failed-photos.tsx";
import { livePhotosQuery, PHOTOS_SPAN_MS } from "./dashboard/live-photos.ts";
import { NewestPhotos } from "./dashboard/newest-photos.tsx";
import style from "./dashboard/panels.module.css";
import { Coverage, PhotoFigures } from "./dashboard/photo-numbers.tsx";
import { PhotographersPanel } from "./dashboard/photographers-panel.tsx";
import { latestAndPeak, type Rates } from "./dashboard/rates.ts";

const UploadDialog = lazy(() =>
  import("./dashboard/upload-dialog.tsx").then((file) => ({ default: file.UploadDialog })),
);

export function PhotosTab() {
  const { eventId } = useParams({ from: "/organizer/events/$eventId" });
  const event = useQuery(ownEventQuery(eventId)).data;
  return event ? <Watched event={event} /> : <Skeleton lines={6} />;
}

function Watched({ event }: { event: Event }) {
  const { eventId, timeZone: zone } = event;
  const { data, error, refetch } = useQuery(livePhotosQuery(eventId));
  const [shown, setShown] = useState<{ ulid: string; fileName: string } | undefined>();
  if (!data) return error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton lines={12} />;
  const { summary, rates } = data;
  return (
    <div className={style.stack}>
      {error && <Trouble error={error} />}
      <Card>
        <PhotoFigures summary={summary} />
      </Card>
      <Card as="section">
        <RateChart rates={rates} zone={zone} />
      </Card>
      <FailedPhotos {...{ summary, zone }} show={setShown} />
      <NewestPhotos summary={summary} show={setShown} />
      <div className={style.panels}>
        <Coverage summary={summary} />
        <FacesPanel summary={summary} zone={zone} />
        <PhotographersPanel event={event} />
      </div>
      {shown && (
        <Suspense fallback={null}>
          <UploadDialog {...{ eventId, zone }} {...shown} onClose={() => setShown(undefined)} />
        </Suspense>
      )}
    </div>
  );
}

function RateChart({ rates: { points }, zone }: { rates: Rates; zone: string }) {
  const { t } = useTexts("organizer");
  const { number } = useFormats();
  const { now, peak } = latestAndPeak(points, 0);
  return (
    <Chart
      title={t("photos.chart.title")}
      summary={t("photos.chart.summary", { now: number(now), peak: number(peak) })}
      lines={[
        { name: t("photos.chart.arrived"), tone: "accent" },
        { name: t("photos.chart.processed"), tone: "soft" },
      ]}
      points={points}
      spanMs={PHOTOS_SPAN_MS}
      zone={zone}
      note={t("photos.chart.note", { zone })}
    />
  );
}
