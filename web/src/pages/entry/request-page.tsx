/** One's own request: the wait, its result, and what to do next. It may be left and opened again at any time. */

import { useQuery } from "@tanstack/react-query";
import { Link, Navigate, useParams } from "@tanstack/react-router";
import { WifiOff } from "lucide-react";
import { ApiProblem } from "../../api/call.ts";
import { entryQuery, eventQuery } from "../../api/event-queries.ts";
import type { ParticipationInLine, PublicEvent } from "../../api/types.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { useAccent } from "../../theme/use-accent.ts";
import { Card } from "../../ui/card.tsx";
import { Note } from "../../ui/note.tsx";
import { Page } from "../../ui/page.tsx";
import { Failure, Skeleton } from "../../ui/states.tsx";
import { InLine } from "./in-line.tsx";
import { NextSteps } from "./next-steps.tsx";
import { phaseAt } from "./phase-at.ts";
import style from "./request-page.module.css";
import { type Standing, standingOf } from "./standing.ts";
import { StandingSpoken } from "./standing-spoken.tsx";
import { TicketCard } from "./ticket-card.tsx";
import { Timeline } from "./timeline.tsx";
import { useLiveRequest } from "./use-live-request.ts";
import { useServerNow } from "./use-server-now.ts";

/** An organizer may move the times of a draw. */
const TIMES_REFRESH_MS = 30_000;

export function RequestPage() {
  const { t } = useTexts("entry");
  const { requestId } = useParams({ from: "/requests/$requestId" });
  const { request, error, refetch, isLost } = useLiveRequest(requestId);
  const { data: event } = useQuery({ ...eventQuery(request?.eventId ?? ""), enabled: request !== undefined });
  useAccent(event?.organization.branding.accentColor);
  if (error instanceof ApiProblem && error.status === 401) {
    return <Navigate to="/sign-in" search={{ next: `/requests/${requestId}` }} />;
  }
  if (request) return <Shown request={request} event={event} isLost={isLost} />;
  return (
    <Page title={t("request.title")} heading={null} width="text">
      {error ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : (
        <>
          <Skeleton className={style.title} />
          <Skeleton className={style.card} />
          <Skeleton lines={4} />
        </>
      )}
    </Page>
  );
}

type ShownProps = { request: ParticipationInLine; event: PublicEvent | undefined; isLost: boolean };

function Shown({ request, event, isLost }: ShownProps) {
  const { t } = useTexts("entry");
  const { eventId, requestId } = request;
  const isWaiting = request.uiResult === "PENDING";
  const { data: entry } = useQuery({ ...entryQuery(eventId), refetchInterval: isWaiting && TIMES_REFRESH_MS });
  const now = useServerNow(entry?.clockAheadMs ?? 0);
  const drawn = entry && ["DRAWING", "ANNOUNCED"].includes(phaseAt(entry, now));
  const standing = lotteryStanding(standingOf(request), drawn);
  const name = event?.name ?? eventId;
  return (
    <Page
      title={t(`heading.${standing}`)}
      over={
        <Link to="/events/$eventId" params={{ eventId }}>
          {name}
        </Link>
      }
      width="text"
    >
      <StandingSpoken request={request} standing={standing} />
      {isLost && <Lost />}
      <TicketCard request={request} standing={standing} eventName={name}>
        <InLine {...{ request, standing, entry, now }} />
      </TicketCard>
      <NextSteps {...{ request, standing, entry, event, now }} />
      <Card as="section" aria-labelledby="timeline">
        <h2 id="timeline" className={style.heading}>
          {t("timeline.title")}
        </h2>
        <Timeline request={request} entry={entry} zone={event ? event.timeZone : undefined} />
      </Card>
      <p className={style.id}>
        {t("request.number")} <code>{requestId}</code>
      </p>
    </Page>
  );
}

function Lost() {
  const { t } = useTexts("entry");
  return (
    <Note tone="warn" icon={<WifiOff aria-hidden />}>
      {t("request.lost")}
    </Note>
  );
}

/** The cutoff passes for all at once, before anybody is told. */
function lotteryStanding(standing: Standing, isDrawn: boolean | undefined): Standing {
  return standing === "inDraw" && isDrawn ? "drawing" : standing;
}
