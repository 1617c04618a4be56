/** The ticket as a race bib: its number is what one came for. */

import type { ReactNode } from "react";
import type { ParticipationInLine } from "../../api/types.ts";
import { useFormats } from "../../texts/formats.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { Badge } from "../../ui/badge.tsx";
import { STANDING_TONES, type Standing } from "./standing.ts";
import style from "./ticket-card.module.css";

type TicketCardProps = {
  request: ParticipationInLine;
  standing: Standing;
  eventName: string;
  /** What goes with the number now. */
  children?: ReactNode;
};

export function TicketCard({ request, standing, eventName, children }: TicketCardProps) {
  const { t } = useTexts("entry");
  const formats = useFormats();
  return (
    <section className={style.card} aria-labelledby="ticket">
      <p className={style.band}>{eventName}</p>
      <div className={style.inside}>
        <h2 id="ticket" className={style.number}>
          <span className={style.label}>{t("ticket.label")}</span>
          <span className={style.figure} data-long={String(request.ticket).length > 6 || undefined}>
            {request.ticket === null ? "···" : formats.number(request.ticket)}
          </span>
        </h2>
        <Badge tone={STANDING_TONES[standing]}>{t(`standing.${standing}`)}</Badge>
        {children}
      </div>
    </section>
  );
}
