/** An event's entry as its organizer watches and steers it: the burst, the counts, fairness, the draw, every request. */

import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { TicketX } from "lucide-react";
import { ownEventQuery } from "../../api/organizer-queries.ts";
import type { Event } from "../../api/types.ts";
import { useFormats } from "../../texts/formats.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Chart } from "../../ui/chart.tsx";
import { Empty, Failure, Skeleton, Trouble } from "../../ui/states.tsx";
import { EntryCounts, EntryFigures } from "./dashboard/entry-numbers.tsx";
import { EntryStatus } from "./dashboard/entry-status.tsx";
import { FairnessPanel } from "./dashboard/fairness-panel.tsx";
import { ENTRY_SPAN_MS, liveEntryQuery } from "./dashboard/live-entry.ts";
import { LotteryPanel } from "./dashboard/lottery-panel.tsx";
import style from "./dashboard/panels.module.css";
import { latestAndPeak, type Rates } from "./dashboard/rates.ts";
import { RequestList } from "./dashboard/request-list.tsx";

export function EntryTab() {
  const { eventId } = useParams({ from: "/organizer/events/$eventId" });
  const event = useQuery(ownEventQuery(eventId)).data;
  if (!event) return <Skeleton lines={6} />;
  return event.entry ? <Watched event={event} /> : <NoEntry eventId={eventId} />;
}

function NoEntry({ eventId }: { eventId: string }) {
  const { t } = useTexts("organizer");
  return (
    <Empty
      icon={<TicketX aria-hidden />}
      title={t("entry.none")}
      actions={
        <ButtonLink to="/organizer/events/$eventId/settings" params={{ eventId }}>
          {t("entry.toSettings")}
        </ButtonLink>
      }
    >
      {t("entry.noneText")}
    </Empty>
  );
}

function Watched({ event: { eventId, timeZone: zone } }: { event: Event }) {
  const { data, error, refetch } = useQuery(liveEntryQuery(eventId));
  if (!data) return error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton lines={12} />;
  const { entry, summary, rates } = data;
  const isLottery = entry.eventType === "LOTTERY";
  return (
    <div className={style.stack}>
      {error && <Trouble error={error} />}
      <EntryStatus entry={entry} zone={zone} />
      <Card>
        <EntryFigures summary={summary} />
      </Card>
      <Card as="section">
        <RateChart rates={rates} zone={zone} />
      </Card>
      <div className={style.panels}>
        {entry.draw && <LotteryPanel entry={entry} draw={entry.draw} zone={zone} />}
        <FairnessPanel {...{ eventId, isLottery, zone }} isSecret={isLottery && entry.phase !== "ANNOUNCED"} />
        <EntryCounts {...{ summary, isLottery }} />
      </div>
      <RequestList {...{ eventId, zone, isLottery }} />
    </div>
  );
}

function RateChart({ rates: { points }, zone }: { rates: Rates; zone: string }) {
  const { t } = useTexts("organizer");
  const { number } = useFormats();
  const { now, peak } = latestAndPeak(points, 0);
  return (
    <Chart
      title={t("entry.chart.title")}
      summary={t("entry.chart.summary", { now: number(now), peak: number(peak) })}
      lines={[
        { name: t("entry.chart.entries"), tone: "accent" },
        { name: t("entry.chart.results"), tone: "soft" },
      ]}
      points={points}
      spanMs={ENTRY_SPAN_MS}
      zone={zone}
      note={t("entry.chart.note", { zone })}
    />
  );
}
