/** A race in a list: its day, its name, whose it is, how its entry stands, and from its day on its newest photos. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { entryQuery } from "../../api/event-queries.ts";
import type { PublicEvent } from "../../api/types.ts";
import { useFormats } from "../../texts/formats.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { accentColours } from "../../theme/accent.ts";
import { Badge } from "../../ui/badge.tsx";
import style from "./event-card.module.css";
import { eventDay } from "./event-day.ts";
import { phaseTone } from "./phase.ts";
import { PhotoStrip } from "./photo-strip.tsx";

export function EventCard({ event }: { event: PublicEvent }) {
  const formats = useFormats();
  const { name, date, location, organization } = event;
  const colour = accentColours(organization.branding.accentColor ?? "")?.fill;
  return (
    <li className={style.card}>
      <span className={style.stripe} style={colour ? { background: colour } : undefined} />
      <p className={style.day}>
        <time dateTime={date}>{formats.shortDay(date)}</time>
        {location && <span> · {location}</span>}
      </p>
      <h3>
        <Link to="/events/$eventId" params={{ eventId: event.eventId }} className={style.link}>
          {name}
        </Link>
      </h3>
      <p className={style.organizer}>{organization.name}</p>
      {event.entry && <Phase eventId={event.eventId} />}
      {eventDay(event) !== "ahead" && <PhotoStrip eventId={event.eventId} />}
    </li>
  );
}

function Phase({ eventId }: { eventId: string }) {
  const { t } = useTexts("runner");
  const { data } = useQuery(entryQuery(eventId));
  return (
    <span className={style.phase}>
      {data && <Badge tone={phaseTone(data.phase)}>{t(`phase.${data.phase}`)}</Badge>}
    </span>
  );
}
