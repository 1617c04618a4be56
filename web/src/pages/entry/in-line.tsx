/** Below the ticket's number: how many are before it, how long until the draw, or the place it got. */

import type { EntryState, ParticipationInLine } from "../../api/types.ts";
import { useFormats } from "../../texts/formats.ts";
import { RichText, useTexts } from "../../texts/use-texts.tsx";
import { Figure } from "../../ui/figure.tsx";
import { Progress } from "../../ui/progress.tsx";
import { Countdown } from "./countdown.tsx";
import { useOwnBib } from "./own-bib.ts";
import { nextMoment } from "./phase-at.ts";
import type { Standing } from "./standing.ts";
import style from "./ticket-card.module.css";

type InLineProps = {
  request: ParticipationInLine;
  standing: Standing;
  entry: EntryState | undefined;
  now: number;
};

export function InLine({ request, standing, entry, now }: InLineProps) {
  if (standing === "waiting") return <Queue request={request} />;
  if (standing === "inDraw" || standing === "drawing") return <UntilDraw {...{ request, entry, now }} />;
  if (standing === "place") return <Place request={request} />;
  if (standing === "reserve" || standing === "notDrawn") return <Reserve request={request} />;
  return null;
}

function Queue({ request: { line, ticket } }: Pick<InLineProps, "request">) {
  const { t } = useTexts("entry");
  const formats = useFormats();
  if (!line) return null;
  const { ahead, placesLeft, capacityTotal } = line;
  return (
    <div className={style.line}>
      <p className={style.ahead}>
        {ahead === null ? (
          t("line.lining")
        ) : (
          <RichText
            part="entry"
            path="line.ahead"
            values={{ count: ahead, shown: formats.number(ahead) }}
            marks={{ figure: <strong /> }}
          />
        )}
      </p>
      <Progress
        label={t("line.moving")}
        share={ahead === null || ticket === null ? undefined : (ticket - ahead) / ticket}
        note={t("line.places", { left: formats.number(placesLeft), total: formats.number(capacityTotal) })}
      />
    </div>
  );
}

function UntilDraw({ request, entry, now }: Pick<InLineProps, "request" | "entry" | "now">) {
  const { t } = useTexts("entry");
  const formats = useFormats();
  if (!entry) return null;
  const moment = nextMoment(entry, now);
  // Who has just entered may have a higher number than was known before.
  const entrants = Math.max(entry.tickets, request.ticket ?? 0);
  return (
    <div className={style.line}>
      {moment ? (
        <Countdown label={t(`moment.${moment.what}`)} leftMs={moment.at - now} />
      ) : (
        <Progress label={t("line.drawing")} share={undefined} />
      )}
      <dl className={style.figures}>
        <Figure label={t("panel.placesToDraw")} value={formats.number(entry.capacityTotal)} />
        <Figure label={t("panel.entrants")} value={formats.number(entrants)} />
      </dl>
    </div>
  );
}

function Place({ request: { place, rank, eventId } }: Pick<InLineProps, "request">) {
  const { t } = useTexts("entry");
  const formats = useFormats();
  const bib = useOwnBib(eventId);
  return (
    <dl className={style.figures}>
      {bib !== undefined && <Figure label={t("ticket.bib")} value={bib} />}
      {place !== null && <Figure label={t("ticket.place")} value={formats.number(place)} />}
      {rank !== null && <Figure label={t("ticket.rank")} value={formats.number(rank)} />}
    </dl>
  );
}

function Reserve({ request: { line, rank } }: Pick<InLineProps, "request">) {
  const { t } = useTexts("entry");
  const formats = useFormats();
  return (
    <dl className={style.figures}>
      {line?.ahead != null && <Figure label={t("ticket.reserve")} value={formats.number(line.ahead + 1)} />}
      {rank !== null && <Figure label={t("ticket.rank")} value={formats.number(rank)} />}
    </dl>
  );
}
