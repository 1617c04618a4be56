/** An entry in numbers: the few that matter large, all of them by status and by result. */

import type { EntrySummary } from "../../../api/types.ts";
import { useFormats } from "../../../texts/formats.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { Card } from "../../../ui/card.tsx";
import { DataTable } from "../../../ui/data-table.tsx";
import { Figure, Figures } from "../../../ui/figure.tsx";
import { Progress } from "../../../ui/progress.tsx";
import { Spoken } from "../../../ui/spoken.tsx";
import style from "./panels.module.css";

export function EntryFigures({ summary }: { summary: EntrySummary }) {
  const { t } = useTexts("organizer");
  const { number, percent } = useFormats();
  const { capacityRemaining, capacityTotal, byStatus, tickets } = summary;
  const share = capacityTotal === 0 ? 0 : byStatus.SUCCEEDED / capacityTotal;
  return (
    <>
      <Figures>
        <Figure
          label={t("entry.placesLeft")}
          value={number(capacityRemaining)}
          note={t("entry.ofPlaces", { total: number(capacityTotal) })}
        />
        <Figure label={t("entry.tickets")} value={number(tickets)} />
        <Figure label={t("entry.waiting")} value={number(byStatus.QUEUED + byStatus.PROCESSING)} />
        <Figure label={t("entry.succeeded")} value={number(byStatus.SUCCEEDED)} />
        <Figure label={t("entry.rejected")} value={number(byStatus.REJECTED)} />
      </Figures>
      <Progress label={t("entry.taken")} share={share} note={percent(share)} />
    </>
  );
}

const STATUSES = ["QUEUED", "PROCESSING", "SUCCEEDED", "REJECTED", "FAILED_FINAL"] as const;
const RESULTS = ["SUCCESS", "REJECTED_CAPACITY", "REJECTED_LOTTERY_LOSE", "CANCELLED", "FAILED_VALIDATION"] as const;

export function EntryCounts({ summary, isLottery }: { summary: EntrySummary; isLottery: boolean }) {
  const { t } = useTexts("organizer");
  const otherKind = isLottery ? "REJECTED_CAPACITY" : "REJECTED_LOTTERY_LOSE";
  return (
    <Card as="section">
      <h3>{t("entry.counts.title")}</h3>
      <div className={style.panels}>
        <CountTable
          caption={t("entry.counts.byStatus")}
          rows={STATUSES.map((status) => ({ name: t(`entry.status.${status}`), count: summary.byStatus[status] }))}
        />
        <CountTable
          caption={t("entry.counts.byResult")}
          rows={RESULTS.filter((result) => result !== otherKind).map((result) => ({
            name: t(`entry.result.${result}`),
            count: summary.byResult[result],
          }))}
        />
      </div>
    </Card>
  );
}

function CountTable({ caption, rows }: { caption: string; rows: { name: string; count: number }[] }) {
  const { t } = useTexts("organizer");
  const { number } = useFormats();
  return (
    <DataTable
      caption={caption}
      columns={[
        { name: caption, cell: ({ name }) => name },
        { name: <Spoken>{t("entry.counts.count")}</Spoken>, cell: ({ count }) => number(count), figures: true },
      ]}
      rows={rows}
      keyOf={({ name }) => name}
    />
  );
}
