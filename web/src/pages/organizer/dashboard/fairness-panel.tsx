/** Whether places went in the order of the line, in numbers and in plain words. */

import { queryOptions, useQuery } from "@tanstack/react-query";
import { ShieldAlert, ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { call } from "../../../api/call.ts";
import type { EntryFairness } from "../../../api/types.ts";
import { type Formats, useFormats } from "../../../texts/formats.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { Badge } from "../../../ui/badge.tsx";
import { Card } from "../../../ui/card.tsx";
import { Skeleton, Trouble } from "../../../ui/states.tsx";
import style from "./fairness-panel.module.css";

const LOOK_AGAIN_MS = 5000;

const fairnessQuery = (eventId: string) =>
  queryOptions({
    queryKey: ["own-event", eventId, "fairness"],
    queryFn: ({ signal }) => call("GET /admin/events/{eventId}/fairness", { path: { eventId }, signal }),
    refetchInterval: LOOK_AGAIN_MS,
  });

type PanelProps = {
  eventId: string;
  isLottery: boolean;
  /** Whether all wait for a lottery's announcement. */
  isSecret: boolean;
  zone: string;
};

export function FairnessPanel({ eventId, ...rest }: PanelProps) {
  const { t } = useTexts("organizer");
  const { data: fairness, error } = useQuery(fairnessQuery(eventId));
  return (
    <Card as="section">
      <h3>{t("entry.fairness.title")}</h3>
      {fairness && <Findings {...rest} fairness={fairness} />}
      {error && <Trouble error={error} />}
      {!fairness && !error && <Skeleton lines={9} />}
    </Card>
  );
}

function Findings({ fairness, isLottery, isSecret, zone }: { fairness: EntryFairness } & Omit<PanelProps, "eventId">) {
  const { t } = useTexts("organizer");
  const formats = useFormats();
  const { inversions, voidedCount, checkedRequests, checkedAt } = fairness;
  return (
    <>
      <div className={style.verdict} aria-live="polite">
        <Verdict fairness={fairness} />
      </div>
      <dl className={style.findings}>
        <Finding
          name={t("entry.fairness.inversions")}
          value={formats.number(inversions)}
          text={t("entry.fairness.inversionsText")}
        />
        <Finding
          name={t("entry.fairness.voided")}
          value={formats.number(voidedCount)}
          text={t("entry.fairness.voidedText")}
        />
        <Lag {...{ fairness, isLottery, formats }} />
        <Oldest {...{ fairness, isSecret, formats }} />
      </dl>
      <p className={style.text}>
        {t("entry.fairness.lead", { checked: formats.number(checkedRequests), at: formats.clock(checkedAt, zone) })}
      </p>
    </>
  );
}

function Verdict({ fairness: { inversions, checkedRequests } }: { fairness: EntryFairness }) {
  const { t } = useTexts("organizer");
  if (checkedRequests === 0) return <Badge>{t("entry.fairness.nothing")}</Badge>;
  return inversions === 0 ? (
    <Badge tone="good" icon={<ShieldCheck aria-hidden />}>
      {t("entry.fairness.good")}
    </Badge>
  ) : (
    <Badge tone="bad" icon={<ShieldAlert aria-hidden />}>
      {t("entry.fairness.bad")}
    </Badge>
  );
}

function Lag({ fairness, isLottery, formats }: { fairness: EntryFairness; isLottery: boolean; formats: Formats }) {
  const { t } = useTexts("organizer");
  const lag = fairness.settleLagMs;
  const none = isLottery ? t("entry.fairness.lotteryLag") : t("entry.fairness.noLag");
  return (
    <Finding
      name={t("entry.fairness.lag")}
      value={lag ? formats.wait(lag.median) : "–"}
      text={lag ? t("entry.fairness.lagText", { max: formats.wait(lag.max) }) : none}
    />
  );
}

function Oldest({ fairness, isSecret, formats }: { fairness: EntryFairness; isSecret: boolean; formats: Formats }) {
  const { t } = useTexts("organizer");
  const { oldestUnsettledTicket: ticket, oldestUnsettledAgeMs: ageMs } = fairness;
  const waits = ticket !== null && ageMs !== null;
  const nobody = isSecret ? t("entry.fairness.nobodyDue") : t("entry.fairness.nobodyWaits");
  return (
    <Finding
      name={t("entry.fairness.oldest")}
      value={waits ? formats.wait(ageMs) : "–"}
      text={waits ? t("entry.fairness.oldestText", { ticket: formats.number(ticket) }) : nobody}
    />
  );
}

function Finding({ name, value, text }: { name: string; value: ReactNode; text: string }) {
  return (
    <div className={style.finding}>
      <dt>{name}</dt>
      <dd className={style.value}>{value}</dd>
      <dd className={style.text}>{text}</dd>
    </div>
  );
}
