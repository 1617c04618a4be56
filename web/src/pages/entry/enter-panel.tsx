/** On a race's page: how its entry stands, how long until it changes, and the one button to enter. */

import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { entryQuery } from "../../api/event-queries.ts";
import { queries } from "../../api/queries.ts";
import type { EntryState, PublicEvent } from "../../api/types.ts";
import { useFormats } from "../../texts/formats.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { Badge } from "../../ui/badge.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Progress } from "../../ui/progress.tsx";
import { Failure, Skeleton } from "../../ui/states.tsx";
import { phaseTone } from "../home/phase.ts";
import { Countdown } from "./countdown.tsx";
import { EnterAction } from "./enter-action.tsx";
import style from "./enter-panel.module.css";
import { nextMoment, phaseAt } from "./phase-at.ts";
import { useServerNow } from "./use-server-now.ts";

const LIVELY: EntryState["phase"][] = ["OPEN", "PAUSED"];
const LIVELY_REFRESH_MS = 4000;
const CALM_REFRESH_MS = 30_000;
/** Who saw the same second pass does not ask in the same one. */
const SPREAD_MS = 3000;

export function EnterPanel({ event }: { event: PublicEvent }) {
  const { t } = useTexts("entry");
  const { t: runner } = useTexts("runner");
  const { data, error, refetch } = useQuery({
    ...entryQuery(event.eventId),
    refetchInterval: ({ state: { data } }) =>
      data && LIVELY.includes(data.phase) ? LIVELY_REFRESH_MS : CALM_REFRESH_MS,
  });
  const clockAheadMs = data?.clockAheadMs ?? 0;
  const now = useServerNow(clockAheadMs);
  const phase = data && phaseAt(data, now);
  useLaterRefresh(event.eventId, data !== undefined && phase !== data.phase);
  return (
    <Card as="section" aria-labelledby="entry" className={style.panel}>
      <div className={style.top}>
        <h2 id="entry" className={style.anchor}>
          {t("panel.title")}
        </h2>
        <span aria-live="polite">{phase && <Badge tone={phaseTone(phase)}>{runner(`phase.${phase}`)}</Badge>}</span>
      </div>
      {!data &&
        (error ? (
          <Failure error={error} retry={() => void refetch()} />
        ) : (
          <Skeleton className={waitsForMoment(event) ? style.tall : style.short} />
        ))}
      {data && phase && (
        <>
          <Next entry={data} now={now} zone={event.timeZone} />
          <Places entry={data} />
          <EnterAction event={event} entry={data} phase={phase} serverNow={() => Date.now() + clockAheadMs} />
          {data.eventType === "LOTTERY" && <AboutDraw eventId={event.eventId} />}
        </>
      )}
    </Card>
  );
}

/** Whether there will be a countdown, by what is known of the race already: so that the page keeps its height. */
function waitsForMoment({ entry }: PublicEvent): boolean {
  return (
    entry?.eventType === "LOTTERY" || entry?.closesAt !== undefined || Date.parse(entry?.opensAt ?? "") > Date.now()
  );
}

/** The phase moved on by the clock: the figures that go with it are fetched a little later. */
function useLaterRefresh(eventId: string, isBehind: boolean): void {
  useEffect(() => {
    if (!isBehind) return;
    const refresh = () => void queries.invalidateQueries({ queryKey: entryQuery(eventId).queryKey });
    const timer = window.setTimeout(refresh, 500 + Math.random() * SPREAD_MS);
    return () => window.clearTimeout(timer);
  }, [eventId, isBehind]);
}

function Next({ entry, now, zone }: { entry: EntryState; now: number; zone: string }) {
  const { t } = useTexts("entry");
  const formats = useFormats();
  const moment = nextMoment(entry, now);
  if (!moment) return null;
  return (
    <div className={style.next}>
      <Countdown label={t(`moment.${moment.what}`)} leftMs={moment.at - now} />
      <p className={style.when}>
        <time dateTime={new Date(moment.at).toISOString()}>{formats.zonedMoment(moment.at, zone)}</time>
      </p>
    </div>
  );
}

function Places({ entry: { eventType, capacityTotal, placesLeft, tickets } }: { entry: EntryState }) {
  const { t } = useTexts("entry");
  const formats = useFormats();
  if (eventType === "LOTTERY") {
    return (
      <dl className={style.figures}>
        <div>
          <dt>{t("panel.placesToDraw")}</dt>
          <dd>{formats.number(capacityTotal)}</dd>
        </div>
        <div>
          <dt>{t("panel.entrants")}</dt>
          <dd>{formats.number(tickets)}</dd>
        </div>
      </dl>
    );
  }
  const counts = { left: formats.number(placesLeft), total: formats.number(capacityTotal) };
  return (
    <Progress
      label={t("panel.placesLeft")}
      note={t("panel.leftOfTotal", counts)}
      share={capacityTotal > 0 ? placesLeft / capacityTotal : 0}
    />
  );
}

function AboutDraw({ eventId }: { eventId: string }) {
  const { t } = useTexts("entry");
  return (
    <div className={style.draw}>
      <p className={style.when}>{t("panel.lottery")}</p>
      <ButtonLink to="/events/$eventId/draw" params={{ eventId }} size="small">
        {t("panel.aboutDraw")}
      </ButtonLink>
    </div>
  );
}
