/** A lottery's draw for everybody: how it works, what was promised, and the check of it in one's own browser. */

import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ShieldCheck } from "lucide-react";
import { addressOf, call, send } from "../../api/call.ts";
import { entryQuery, eventQuery } from "../../api/event-queries.ts";
import type { Draw } from "../../api/types.ts";
import { RichText, useTexts } from "../../texts/use-texts.tsx";
import { useAccent } from "../../theme/use-accent.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { Failure, Skeleton } from "../../ui/states.tsx";
import { CheckSteps } from "./check-steps.tsx";
import { Countdown } from "./countdown.tsx";
import { DrawElsewhere } from "./draw-elsewhere.tsx";
import { PromisedFacts, ProofFacts } from "./draw-facts.tsx";
import style from "./draw-page.module.css";
import { DrawVerdict } from "./draw-verdict.tsx";
import { OnTheList } from "./on-the-list.tsx";
import { OwnRank } from "./own-rank.tsx";
import { useOwnRequest } from "./own-request.ts";
import { nextMoment } from "./phase-at.ts";
import { useDrawCheck } from "./use-draw-check.ts";
import { useServerNow } from "./use-server-now.ts";

const REFRESH_MS = 15_000;

export function DrawPage() {
  const { t } = useTexts("draw");
  const { eventId } = useParams({ from: "/events/$eventId/draw" });
  const { data: event } = useQuery(eventQuery(eventId));
  const {
    data: draw,
    error,
    refetch,
  } = useQuery({
    queryKey: ["event", eventId, "draw"],
    queryFn: ({ signal }) => call("GET /events/{eventId}/draw", { path: { eventId }, signal }),
    refetchInterval: ({ state }) => (state.data?.phase === "ANNOUNCED" ? false : REFRESH_MS),
  });
  useAccent(event?.organization.branding.accentColor);
  return (
    <Page
      title={t("title")}
      over={
        <Link to="/events/$eventId" params={{ eventId }}>
          {event?.name ?? eventId}
        </Link>
      }
      lead={t("lead")}
      width="text"
    >
      {!draw && (error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton lines={6} />)}
      {draw && <Shown draw={draw} zone={event?.timeZone} />}
      <HowItWorks />
      {draw && <DrawElsewhere draw={draw} />}
    </Page>
  );
}

function Shown({ draw, zone }: { draw: Draw; zone: string | undefined }) {
  const { check, start, askRank } = useDrawCheck(draw);
  const own = useOwnRequest(draw.eventId);
  if (draw.phase !== "ANNOUNCED") {
    return (
      <>
        <NotYet draw={draw} ownRequestId={own?.requestId} />
        <PromisedFacts draw={draw} zone={zone} />
      </>
    );
  }
  const address = addressOf("/events/{eventId}/draw/proof.json", { eventId: draw.eventId });
  const begin = () => void start(async () => (await send(address, {})).blob());
  return (
    <>
      <CheckCard check={check} begin={begin} />
      {check?.outcome?.is === "verified" && <OwnRank check={check} ownRequestId={own?.requestId} askRank={askRank} />}
      {check?.facts ? <ProofFacts facts={check.facts} zone={zone} /> : <PromisedFacts draw={draw} zone={zone} />}
    </>
  );
}

function CheckCard({ check, begin }: { check: ReturnType<typeof useDrawCheck>["check"]; begin: () => void }) {
  const { t } = useTexts("draw");
  const isBusy = check !== undefined && !check.outcome;
  return (
    <Card as="section" aria-labelledby="check">
      <h2 id="check" className={style.heading}>
        {t("checkTitle")}
      </h2>
      {!check && <p>{t("checkText")}</p>}
      {check && <DrawVerdict check={check} />}
      {check && <CheckSteps check={check} hasEvent />}
      <Button
        look={check?.outcome ? "plain" : "main"}
        size={check ? "medium" : "large"}
        icon={<ShieldCheck aria-hidden />}
        busy={isBusy}
        onClick={begin}
      >
        {t(check?.outcome ? "checkAgain" : "check")}
      </Button>
    </Card>
  );
}

function NotYet({ draw, ownRequestId }: { draw: Draw; ownRequestId: string | undefined }) {
  const { t } = useTexts("draw");
  const { t: entryText } = useTexts("entry");
  const { data: entry } = useQuery({ ...entryQuery(draw.eventId), refetchInterval: REFRESH_MS });
  const now = useServerNow(entry?.clockAheadMs ?? 0);
  const moment = entry && nextMoment(entry, now);
  return (
    <Card as="section" aria-labelledby="check">
      <h2 id="check" className={style.heading}>
        {t(draw.frozenAt === null ? "notYet" : "notOut")}
      </h2>
      <p>{t(draw.frozenAt === null ? "notFixed" : "isFixed")}</p>
      {moment && <Countdown label={entryText(`moment.${moment.what}`)} leftMs={moment.at - now} />}
      {draw.entrantsSha256 !== null && ownRequestId && <OnTheList draw={draw} requestId={ownRequestId} />}
    </Card>
  );
}

function HowItWorks() {
  const { t } = useTexts("draw");
  return (
    <Section title={t("howTitle")}>
      <ol className={style.how}>
        {(["seal", "freeze", "beacon", "order", "proof"] as const).map((step) => (
          <li key={step}>
            <RichText part="draw" path={`how.${step}`} marks={{ b: <strong /> }} />
          </li>
        ))}
      </ol>
    </Section>
  );
}
